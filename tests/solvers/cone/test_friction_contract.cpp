// What every solver of the exact cone owes: the same checks for each, judged from outside.
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <solvers/cone/friction_cases.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>

using namespace tact;

namespace {

constexpr int most_iterations = 30000;  // of all stages together; nsgs alone has 20,000

constexpr double accurate = 1e-8;  // the default tolerance, on rel_q

std::vector<std::string> every_solver()
{
  return friction_solvers();
}

FrictionSolution solved(const FrictionProblem& problem, const std::string& solver)
{
  FrictionSolution solution;
  const SolveReport report = solve_friction(problem, solution, solver);
  CHECK(report.ok());
  CHECK(report.residual <= accurate);
  CHECK(report.residual == measure(problem, solution.lambda).rel_q);
  // To rounding: the solvers' layer may fuse multiply and add where a test does not.
  const VectorXd terms = problem.W.cwiseAbs() * solution.lambda.cwiseAbs() + problem.q.cwiseAbs();
  const VectorXd u = problem.W * solution.lambda + problem.q;
  CHECK(((solution.u - u).array().abs() <= 1e-15 * problem.size() * terms.array()).all());
  return solution;
}

}  // namespace

TEST_CASE("a point mass takes off or sticks or slides as the closed form says")
{
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    const double mass = 2.0;
    const VectorXd up{{0.1, 0.3, 0.4}};
    CHECK(solved(point_on_ground(mass, up, 0.5), solver).lambda.norm() == 0.0);
    const VectorXd down{{-1.0, 0.3, 0.4}};  // sticks from mu = 1/2 on
    const FrictionSolution stick = solved(point_on_ground(mass, down, 0.6), solver);
    CHECK((stick.lambda + mass * down).norm() < 1e-7);
    const FrictionSolution slide = solved(point_on_ground(mass, down, 0.3), solver);
    CHECK((slide.lambda - VectorXd{{2.0, -0.36, -0.48}}).norm() < 1e-7);
    CHECK((slide.u - VectorXd{{0.0, 0.12, 0.16}}).norm() < 1e-7);
    const FrictionSolution smooth = solved(point_on_ground(mass, down, 0.0), solver);
    CHECK((smooth.u - VectorXd{{0.0, 0.3, 0.4}}).norm() < 1e-7);
  }
}

TEST_CASE("in two dimensions a point mass does the same")
{
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    const VectorXd down{{-1.0, 0.5}};
    CHECK((solved(point_on_ground(2.0, down, 0.6), solver).lambda - VectorXd{{2.0, -1.0}}).norm() <
          1e-7);
    CHECK((solved(point_on_ground(2.0, down, 0.3), solver).u - VectorXd{{0.0, 0.2}}).norm() < 1e-7);
  }
}

TEST_CASE("a box on four corners slides by mu g dt less or stays: more contacts than motions")
{
  const double weight = 0.05;  // m/s: g dt
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    for (const double speed : {0.01, 0.1}) {
      CAPTURE(speed);
      const double mu = 0.4;
      const FrictionProblem problem = box_on_corners({speed, 0.0, -weight}, mu);
      const FrictionSolution answer = solved(problem, solver);
      const double left = std::max(0.0, speed - mu * weight);
      double carried = 0.0;
      for (int c = 0; c < 4; ++c) {
        CHECK((answer.u.segment<3>(3 * c) - Vector3d(0.0, left, 0.0)).norm() < 1e-8);
        carried += answer.lambda[3 * c];
      }
      CHECK(carried == doctest::Approx(weight).epsilon(1e-6));  // impulses are not unique
    }
  }
}

TEST_CASE("random problems are solved in both dimensions and for W that is not symmetric")
{
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    Random random(21);
    for (int trial = 0; trial < 12; ++trial) {
      CAPTURE(trial);
      solved(random_problem({.dimension = 2 + trial % 2,
                             .contacts = 3 + trial,
                             .skew = trial % 3 == 0 ? 0.05 : 0.0},
                            random),
             solver);
    }
  }
}

TEST_CASE("W that is not symmetric is taken as it is")
{
  // All three contacts stick: lambda = -W^-1 q. The symmetric part of W has another answer.
  MatrixXd W = MatrixXd::Identity(3, 3);
  W(1, 2) = 0.2;
  W(2, 1) = -0.2;
  const VectorXd q{{-1.0, 0.1, 0.2}};
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    const FrictionSolution answer =
        solved(friction_problem(3, W, q, VectorXd::Constant(1, 0.9)), solver);
    CHECK(answer.lambda[1] == doctest::Approx((-0.1 + 0.2 * 0.2) / 1.04).epsilon(1e-6));
    CHECK(answer.lambda[2] == doctest::Approx((-0.2 - 0.2 * 0.1) / 1.04).epsilon(1e-6));
  }
}

TEST_CASE("a warm start at the answer stays there")
{
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    Random random(23);
    const FrictionProblem problem = random_problem({}, random);
    FrictionSolution solution = solved(problem, solver);
    const VectorXd lambda = solution.lambda;
    const SolveReport again = solve_friction(problem, solution, solver, {.tolerance = 2e-8});
    CHECK(again.ok());
    CHECK(again.iterations == 0);
    CHECK((solution.lambda - lambda).norm() < 1e-14 * lambda.norm());  // scaled and back
  }
}

TEST_CASE("the order of contacts and the units do not matter")
{
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    Random random(25);
    const FrictionProblem problem = random_problem({}, random);
    const VectorXd u = solved(problem, solver).u;
    const VectorXd turned = reversed(solved(reversed(problem), solver).u, 3);
    CHECK((turned - u).norm() < 1e-6 * problem.q.norm());
    FrictionProblem scaled = problem;  // tonnes and millimetres per second
    scaled.W *= 1e3 * 1e3;
    scaled.q *= 1e3;
    CHECK((solved(scaled, solver).u - 1e3 * u).norm() < 1e-3 * problem.q.norm());
    scaled.q *= 1e-20;
    CHECK((solved(scaled, solver).u - 1e-17 * u).norm() < 1e-23 * problem.q.norm());
  }
}

TEST_CASE("a problem in the plane has the same answer as in space")
{
  Random random(27);
  const FrictionProblem plane = random_problem({.dimension = 2, .contacts = 5}, random);
  const MatrixXd W = plane.W;
  MatrixXd W_space = MatrixXd::Zero(15, 15);
  VectorXd q_space = VectorXd::Zero(15);
  for (int c = 0; c < 5; ++c) {
    q_space.segment<2>(3 * c) = plane.q.segment<2>(2 * c);
    W_space(3 * c + 2, 3 * c + 2) = 1.0;
    for (int k = 0; k < 5; ++k) W_space.block<2, 2>(3 * c, 3 * k) = W.block<2, 2>(2 * c, 2 * k);
  }
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    const VectorXd u = solved(plane, solver).u;
    const VectorXd v = solved(friction_problem(3, W_space, q_space, plane.mu), solver).u;
    for (int c = 0; c < 5; ++c) {
      CHECK((v.segment<2>(3 * c) - u.segment<2>(2 * c)).norm() < 1e-6);
      CHECK(std::abs(v[3 * c + 2]) < 1e-6);
    }
  }
}

TEST_CASE("a problem without contacts or without motion is solved at once")
{
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    FrictionSolution solution;
    CHECK(solve_friction({3, {}, {}, {}}, solution, solver).ok());
    const SolveReport rest =
        solve_friction(point_on_ground(1.0, VectorXd::Zero(3), 0.5), solution, solver);
    CHECK(rest.ok());
    CHECK(rest.iterations == 0);
    CHECK(solution.lambda == VectorXd::Zero(3));
  }
}

TEST_CASE("contact with what nothing moves has no solution and every solver says so")
{
  const FrictionProblem problem =
      friction_problem(3, MatrixXd::Zero(3, 3), VectorXd{{-1.0, 0.2, 0.0}}, VectorXd::Ones(1));
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    FrictionSolution solution;
    const SolveReport report = solve_friction(problem, solution, solver);
    CHECK(report.status == SolveStatus::no_solution);
    CHECK(solution.lambda.allFinite());
  }
}

TEST_CASE("a body between closing walls ends after bounded work with an honest status")
{
  // One free body, normals +z and -z, both walls closing: u_n1 + u_n2 = q_1 + q_2 < 0 always.
  MatrixXd W = MatrixXd::Identity(6, 6);
  W(0, 3) = W(3, 0) = -1.0;
  W(1, 4) = W(4, 1) = W(2, 5) = W(5, 2) = 1.0;
  const VectorXd q{{-1.0, 0.1, 0.0, -0.5, 0.1, 0.0}};
  const FrictionProblem problem = friction_problem(3, W, q, VectorXd::Constant(2, 0.3));
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    FrictionSolution solution;
    const SolveReport report = solve_friction(problem, solution, solver);
    CHECK(report.iterations <= most_iterations);
    CHECK_FALSE(report.ok());
    CHECK(solution.lambda.allFinite());
    CHECK(std::isfinite(report.residual));
    if (solver == "auto" || solver == "nsgs") CHECK(report.status == SolveStatus::no_solution);
  }
}

TEST_CASE("masses from a microgram to a thousand tonnes in one problem end after bounded work")
{
  Random random(29);
  FrictionProblem problem = random_problem({.contacts = 12}, random);
  MatrixXd W = problem.W;
  for (int c = 0; c < 12; ++c) {
    const double d = std::pow(10.0, c - 6);
    W.middleRows<3>(3 * c) *= d;
    W.middleCols<3>(3 * c) *= d;
  }
  problem.W = W.sparseView();
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    FrictionSolution solution;
    const SolveReport report = solve_friction(problem, solution, solver);
    CHECK(report.iterations <= most_iterations);
    CHECK(solution.lambda.allFinite());
    CHECK(report.ok() == (measure(problem, solution.lambda).rel_q <= accurate));
    CHECK(report.residual <= measure(problem, VectorXd::Zero(36)).rel_q);
  }
}

TEST_CASE("a tolerance in metres per second is kept and reported as such")
{
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    Random random(37);
    FrictionProblem problem = random_problem({.contacts = 10}, random);
    problem.q *= 1e3;  // large speeds: rel_q says something else
    FrictionSolution solution;
    const SolveReport report = solve_friction(
        problem, solution, solver, {.tolerance = 1e-4, .measure = FrictionMeasure::eps_nat});
    CHECK(report.ok());
    CHECK(report.residual <= 1e-4);
    CHECK(report.residual == measure(problem, solution.lambda).natural);
  }
}

TEST_CASE("same input gives the same bits")
{
  Random random(31);
  const FrictionProblem problem = random_problem({.contacts = 30}, random);
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    CHECK(solved(problem, solver).lambda == solved(problem, solver).lambda);
  }
}

TEST_CASE("a limit of iterations is kept and told")
{
  Random random(33);
  const FrictionProblem problem = random_problem({.contacts = 20}, random);
  for (const std::string& solver : every_solver()) {
    CAPTURE(solver);
    FrictionSolution solution;
    const SolveReport report =
        solve_friction(problem, solution, solver, {.tolerance = 1e-14, .max_iterations = 2});
    CHECK(report.iterations == 2);
    CHECK(report.status == SolveStatus::iteration_limit);
  }
}

TEST_CASE("an unknown solver is an error that names the nearest one")
{
  FrictionSolution solution;
  const FrictionProblem problem = point_on_ground(1.0, VectorXd::Zero(3), 0.5);
  CHECK_THROWS_WITH_AS(solve_friction(problem, solution, "newtom"),
                       doctest::Contains("did you mean \"newton\"?"), Error);
}
