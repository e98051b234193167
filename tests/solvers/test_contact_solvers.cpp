// What every solver of the general table owes: the same checks for each, judged from outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <contact/problem_builder.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/solvers.hpp>

using namespace tact;

namespace {

const std::vector<std::string> iterative = {"auto", "anticipation", "nested", "ica", "full"};
constexpr double tight = 1e-6;  // m/s

double difference(const VectorXd& a, const VectorXd& b)
{
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("every solver reaches the shared residual on every problem, for both laws of friction")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const double mu : {0.0, 0.5}) {
      for (const NamedProblem& named : all_problems(mu)) {
        for (const std::string& solver : iterative) {
          CAPTURE(solver);
          CAPTURE(std::string(named.name));
          CAPTURE(mu);
          ContactSolution solution;
          const SolveReport report =
              solve_contact(named.problem, solution, solver, {.tolerance = tight, .law = law});
          CHECK(report.ok());
          CHECK(report.residual <= tight);
          const Residuals residuals = measure(named.problem, solution, law);
          CHECK(report.residual == residuals.worst());
          CHECK(residuals.cone_violation <= 1e-14);  // impulses are clamped: round-off is left
        }
      }
    }
  }
}

TEST_CASE("without friction all solvers agree on the velocity")
{
  for (const NamedProblem& named : all_problems(0.0)) {
    CAPTURE(std::string(named.name));
    ContactSolution reference;
    const ContactOptions options{.tolerance = 1e-10, .max_iterations = 20000};
    REQUIRE(solve_contact(named.problem, reference, "anticipation", options).ok());
    for (const std::string& solver : iterative) {
      CAPTURE(solver);
      ContactSolution solution;
      // The error of v is up to cond(D^-1 A) times the residual, some hundred on these meshes.
      REQUIRE(solve_contact(named.problem, solution, solver,
                            {.tolerance = 1e-9, .max_iterations = 20000})
                  .ok());
      CHECK(difference(solution.v, reference.v) < 1e-6);
    }
  }
}

TEST_CASE("rigid bodies: the exact pivoting solvers give the same velocity")
{
  for (const double mu : {0.0, 0.4}) {
    for (const ContactProblem& problem : {block_on_slope(0.3, mu), box_stack(3, mu)}) {
      ContactSolution iterated;
      const ContactOptions options{.tolerance = 1e-10, .law = FrictionLaw::pyramid};
      REQUIRE(solve_contact(problem, iterated, "anticipation", options).ok());
      for (const char* solver : {"lemke-cone", "lemke-reduced", "lemke-standard"}) {
        CAPTURE(std::string(solver));
        ContactSolution exact;
        REQUIRE(solve_contact(problem, exact, solver, options).ok());
        CHECK(difference(iterated.v, exact.v) < 1e-8);
      }
    }
  }
}

TEST_CASE("a warm start at the solution is left as it is")
{
  for (const NamedProblem& named : all_problems(0.5)) {
    CAPTURE(std::string(named.name));
    for (const std::string& solver : iterative) {
      CAPTURE(solver);
      ContactSolution solution;
      REQUIRE(solve_contact(named.problem, solution, solver, {.tolerance = tight}).ok());
      const ContactSolution before = solution;
      // Twice the tolerance: responses that were added up in another order round differently.
      const SolveReport again =
          solve_contact(named.problem, solution, solver, {.tolerance = 2.0 * tight});
      CHECK(again.iterations == 0);
      CHECK(difference(solution.lambda, before.lambda) < 1e-14);
      CHECK(difference(solution.v, before.v) < 1e-12);
    }
  }
}

TEST_CASE("a useless warm start does no harm")
{
  const ContactProblem problem = net_on_ground(6, 0.3);
  const double nan = std::nan("");
  for (const std::string& solver : iterative) {
    CAPTURE(solver);
    ContactSolution wrong_size{.v = VectorXd::Ones(5), .lambda = VectorXd::Ones(1000)};
    CHECK(solve_contact(problem, wrong_size, solver).ok());
    ContactSolution not_finite{.v = VectorXd::Constant(3 * problem.nodes(), nan),
                               .lambda = VectorXd::Constant(3 * problem.size(), nan)};
    CHECK(solve_contact(problem, not_finite, solver).ok());
    ContactSolution pulling{.v = problem.v_star,
                            .lambda = VectorXd::Constant(3 * problem.size(), -1.0)};
    CHECK(solve_contact(problem, pulling, solver).ok());
  }
}

TEST_CASE("the order of contacts does not matter")
{
  for (const NamedProblem& named : all_problems(0.0)) {  // a unique velocity
    CAPTURE(std::string(named.name));
    for (const std::string& solver : iterative) {
      CAPTURE(solver);
      ContactSolution a, b;
      const ContactOptions options{.tolerance = 1e-9, .max_iterations = 20000};
      REQUIRE(solve_contact(named.problem, a, solver, options).ok());
      REQUIRE(solve_contact(reversed(named.problem), b, solver, options).ok());
      CHECK(difference(a.v, b.v) < 2e-6);
    }
  }
}

TEST_CASE("units do not matter: grams and millimetres give the same motion")
{
  for (const NamedProblem& named : all_problems(0.5)) {
    CAPTURE(std::string(named.name));
    for (const std::string& solver : iterative) {
      CAPTURE(solver);
      ContactSolution metres, millimetres;
      const ContactProblem small = in_small_units(named.problem);
      const SolveReport a = solve_contact(named.problem, metres, solver, {.tolerance = tight});
      const SolveReport b =
          solve_contact(small, millimetres, solver, {.tolerance = 1000.0 * tight});
      CHECK(a.ok());
      CHECK(b.ok());
      // The same steps, up to round-off: a difference shows that something is not scaled.
      CHECK(a.iterations == doctest::Approx(b.iterations).epsilon(0.2));
      CHECK(1000.0 * a.residual == doctest::Approx(b.residual).epsilon(0.5));
    }
  }
}

TEST_CASE("Coulomb: the block on the slope slides exactly when tan(angle) > mu, to 1e-10")
{
  const double mu = 0.5, dt = 0.01;
  for (const double angle : {0.30, std::atan(mu) - 1e-6, std::atan(mu) + 1e-6, 0.70}) {
    CAPTURE(angle);
    ContactSolution solution;
    const SolveReport report = solve_contact(block_on_slope(angle, mu, dt), solution, "auto",
                                             {.tolerance = 1e-10, .max_iterations = 100000});
    REQUIRE(report.ok());
    const double expected = std::max(0.0, 9.81 * (std::sin(angle) - mu * std::cos(angle)) * dt);
    CHECK(std::abs(solution.v[0] - expected) < 1e-9);
    CHECK(std::abs(solution.v[2]) < 1e-9);
  }
}

TEST_CASE("the k-th box from above stands on k times its weight")
{
  const double dt = 0.01, g = 9.81;
  const int boxes = 6;
  for (const std::string& solver : iterative) {
    CAPTURE(solver);
    ContactSolution solution;
    REQUIRE(solve_contact(box_stack(boxes, 0.5), solution, solver,
                          {.tolerance = 1e-9, .max_iterations = 100000})
                .ok());
    for (int b = 0; b < boxes; ++b) {
      double sum = 0.0;
      for (int c = 4 * b; c < 4 * b + 4; ++c) sum += solution.lambda[3 * c];
      CHECK(sum == doctest::Approx((boxes - b) * g * dt).epsilon(1e-6));
    }
  }
}

TEST_CASE("Newton: a ball bounces back with restitution times the speed it came with")
{
  ProblemBuilder builder;
  builder.gravity.setZero();
  const int ball = builder.add(
      ProblemBuilder::Lattice{.places = {{0.0, 0.0, 0.0}}, .velocity = {0.0, 0.0, -2.0}});
  builder.add({.supports = {{.node = ball}}, .mu = 0.0, .restitution = 0.6, .approach = -2.0});
  for (const std::string& solver : iterative) {
    ContactSolution solution;
    REQUIRE(solve_contact(builder.build(), solution, solver, {.tolerance = 1e-12}).ok());
    CHECK(solution.v[2] == doctest::Approx(1.2));
  }
}

TEST_CASE("friction acts in all frames where the response is the same in all directions")
{
  // Round-off makes the tangents' responses to each other tiny, of either sign.
  Random random(5);
  ProblemBuilder builder;
  builder.gravity.setZero();
  const double mu = 0.3;
  for (int k = 0; k < 200; ++k) {
    const Vector3d normal = random.in_cube(1.0).normalized();
    const Vector3d slip = normal.cross(random.in_cube(1.0)).normalized();
    const int first = builder.add(ProblemBuilder::Lattice{
        .places = {{0.1 * k, 0.0, 0.0}}, .mass = 0.013, .velocity = slip - normal});
    const int second = builder.add(ProblemBuilder::Lattice{.places = {{0.1 * k, 1.0, 0.0}}});
    builder.add({.supports = {{.node = first}, {.node = second, .weight = -1.0}},
                 .normal = normal,
                 .mu = mu});
  }
  std::vector<std::string> solvers = iterative;
  solvers.emplace_back("coupling");
  for (const std::string& solver : solvers) {
    CAPTURE(solver);
    ContactSolution solution;
    REQUIRE(solve_contact(builder.build(), solution, solver, {.tolerance = 1e-12}).ok());
    for (int c = 0; c < 200; ++c) {
      const Vector3d lambda = solution.lambda.segment<3>(3 * c);
      CHECK(lambda.tail<2>().norm() == doctest::Approx(mu * lambda[0]).epsilon(1e-9));
    }
  }
}

TEST_CASE("what a solver does not take is told")
{
  ContactSolution solution;
  const SolveReport soft = solve_contact(net_on_ground(4, 0.5), solution, "lemke-cone");
  CHECK(soft.status == SolveStatus::unsupported);
  CHECK(soft.note.find("not a rigid body") != std::string::npos);
  const SolveReport rubs = solve_contact(box_stack(2, 0.5), solution, "block-pivoting");
  CHECK(rubs.status == SolveStatus::unsupported);
  CHECK(rubs.note.find("frictionless") != std::string::npos);
  const SolveReport square =
      solve_contact(box_stack(2, 0.5), solution, "prox", {.law = FrictionLaw::pyramid});
  CHECK(square.status == SolveStatus::unsupported);
  CHECK(square.note.find("round cone") != std::string::npos);
  CHECK_THROWS_WITH_AS(solve_contact(box_stack(1, 0.5), solution, "nestet"),
                       doctest::Contains("did you mean \"nested\"?"), Error);
}

TEST_CASE("too few iterations are reported as such, with the best answer so far")
{
  const ContactProblem problem = mixed_pile(0.5);
  for (const std::string& solver : iterative) {
    CAPTURE(solver);
    ContactSolution solution;
    const SolveReport report =
        solve_contact(problem, solution, solver, {.tolerance = 1e-9, .max_iterations = 5});
    CHECK(report.status == SolveStatus::iteration_limit);
    CHECK(std::isfinite(report.residual));
  }
}

TEST_CASE("pivoting on cone faces carries a box up to 100000 times as heavy as those below")
{
  // Of 4,000 starts each, by three compilations with registers of 2, 4 and 8 lanes, all converge
  // where `starts` is 16. With 1e5 on two boxes round-off is as large as what a certificate allows,
  // and 98 % do: that five of 16 do not has a chance of 1 in 40,000.
  struct Stack {
    int boxes;
    double top_mass;  // kg
    int starts;       // of 16 lead to the answer at least
  };
  for (const Stack& s :
       {Stack{2, 1e5, 16}, Stack{3, 1e4, 16}, Stack{4, 1e4, 16}, Stack{3, 1e5, 12}}) {
    const ContactProblem stack = box_stack(s.boxes, 0.5, s.top_mass);
    CAPTURE(s.boxes);
    CAPTURE(s.top_mass);
    int converged = 0;
    for (int start = 0; start < 16; ++start) {
      ContactSolution solution;
      const ConeReport report = solve_lemke_cone(stack, solution, {.first_cover = 61 * start});
      if (report.status != SolveStatus::converged) continue;
      ++converged;
      // All rest: what round-off leaves of velocities is that of impulses of 1e4 N s on 1 kg.
      CAPTURE(start);
      CHECK(solution.v.cwiseAbs().maxCoeff() <= 1e-10);
    }
    CHECK(converged >= s.starts);
  }
}
