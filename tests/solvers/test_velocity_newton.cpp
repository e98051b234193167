// Newton's method in the velocities of an island, by itself and within the passes of NestedSolver.
#include <cmath>
#include <numeric>

#include <doctest/doctest.h>

#include <contact/problem_builder.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/newton/velocity_newton.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// A stiff soft cube on the ground that a box is pressed into: a contact at every node of the two
// faces.
ContactProblem pressed_cube(double mu, int nodes_a_side = 9)
{
  ProblemBuilder builder;
  const double spacing = 0.1 / (nodes_a_side - 1);
  ProblemBuilder::Lattice cube = soft_cube(nodes_a_side, spacing, Vector3d::Zero());
  cube.mass = 1.0 / std::pow(nodes_a_side, 3);
  cube.stiffness = 2e5;
  const int first = builder.add(cube);
  ProblemBuilder::Box box{.mass = 0.5, .size = {0.1, 0.1, 0.05}, .centre = {0.05, 0.05, 0.125}};
  box.velocity = {0.002, 0.001, -0.3};
  box.spin = {0.02, 0.01, 0.05};
  const int body = builder.add(box);
  for (int i = 0; i < static_cast<int>(cube.places.size()); ++i) {
    const Vector3d& place = builder.place(first + i);
    ProblemBuilder::Contact contact;
    contact.mu = mu;
    if (place.z() < 1e-9) {
      contact.supports = {{.node = first + i}};
      builder.add(contact);
    } else if (place.z() > 0.1 - 1e-9) {
      contact.supports = {{.node = body, .rigid = true, .arm = place - box.centre},
                          {.node = first + i, .weight = -1.0}};
      builder.add(contact);
    }
  }
  return builder.build();
}

NestedReport solve_nested(const ContactProblem& problem, bool newton, double tolerance,
                          ContactSolution& solution, FrictionLaw law = FrictionLaw::disc)
{
  NestedOptions options = newton ? automatic_options() : NestedOptions();
  options.tolerance = tolerance;
  options.law = law;
  NestedSolver solver(options);
  solver.begin(problem);
  return solver.solve(problem, solution);
}

// All contacts as one island.
VelocityNewtonReport solve_alone(const ContactProblem& problem, FrictionLaw law,
                                 ContactSolution& solution)
{
  DiagonalBlocks D;
  REQUIRE(D.load(problem));
  std::vector<int> contacts(problem.size()), components(problem.components());
  std::iota(contacts.begin(), contacts.end(), 0);
  std::iota(components.begin(), components.end(), 0);
  VelocityNewton newton;
  newton.load(problem, D, contacts, components);
  VectorXd x = VectorXd::Zero(problem.v_star.size());
  solution.lambda = VectorXd::Zero(3 * problem.size());
  const VelocityNewtonReport report = newton.solve(
      {.tolerance = 1e-5, .max_work = 100.0, .patience = 100.0, .law = law}, x, solution.lambda);
  solution.v = problem.v_star + x;
  return report;
}

}  // namespace

TEST_CASE(
    "the potential of a contact has the cut impulse as gradient and its derivative as curvature")
{
  constexpr double step = 1e-6;
  // Open, sticking, sliding, and one bound that forbids all tangents.
  const std::vector<Vector3d> points = {
      {-0.5, 0.3, 0.1}, {2.0, 0.3, -0.2}, {2.0, 1.5, -0.9}, {0.7, -2.0, 0.1}};
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const Vector3d& y : points) {
      for (const double bound : {0.0, 0.8}) {
        const auto cut = [&](const Vector3d& z) {
          return clamp_tangents({std::max(0.0, z[0]), z[1], z[2]}, bound, law);
        };
        const Matrix3d H = clamp_derivative(y, bound, 0.0, law);
        CHECK(H.isApprox(H.transpose()));
        for (int k = 0; k < 3; ++k) {
          const Vector3d e = step * Vector3d::Unit(k);
          const double slope =
              (clamp_potential(y + e, bound, law) - clamp_potential(y - e, bound, law)) /
              (2.0 * step);
          CHECK(std::abs(slope - cut(y)[k]) < 1e-8);
          CHECK(((cut(y + e) - cut(y - e)) / (2.0 * step) - H.col(k)).norm() < 1e-8);
        }
      }
    }
  }
}

TEST_CASE("without friction Newton's method and exact anticipation agree on velocities to 1e-6")
{
  const ContactProblem problem = pressed_cube(0.0, 6);
  ContactSolution newton, exact;
  const NestedReport report = solve_nested(problem, true, 1e-9, newton);
  CHECK(report.ok());
  CHECK(report.factors > 0);
  NestedOptions options = anticipation_options();
  options.tolerance = 1e-9;
  options.max_sweeps = 50000;
  NestedSolver reference(options);
  reference.begin(problem);
  CHECK(reference.solve(problem, exact).ok());
  CHECK((newton.v - exact.v).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("about an expected motion Newton's method finds the velocities that it finds about v*")
{
  const ContactProblem problem = pressed_cube(0.0);
  ContactProblem other = problem;
  const VectorXd shift = VectorXd::Constant(problem.v_star.size(), 0.1);
  VectorXd rest;
  multiply(problem, shift, rest);
  other.v_star += shift;
  other.rest = -rest;
  ContactSolution a, b;
  REQUIRE(solve_alone(problem, FrictionLaw::disc, a).ok());
  REQUIRE(solve_alone(other, FrictionLaw::disc, b).ok());
  CHECK((a.v - b.v).cwiseAbs().maxCoeff() < 1e-4);  // both are solved to 1e-5 m/s
  CHECK(measure(problem, b).worst() <= 1.01e-5);
}

TEST_CASE("passes on a pressed cube end above 1e-5 m/s and Newton's method within it")
{
  const ContactProblem problem = pressed_cube(0.0);
  ContactSolution passes, newton;
  CHECK_FALSE(solve_nested(problem, false, 1e-5, passes).ok());
  const NestedReport report = solve_nested(problem, true, 1e-5, newton);
  CHECK(report.ok());
  CHECK(report.passes < 50);
  CHECK(report.factors > 0);
  CHECK(measure(problem, newton).worst() <= 1e-5);
}

TEST_CASE("with friction Newton's method reaches 1e-5 m/s by the shared residual from no impulses")
{
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const double mu : {0.2, 0.7, 1.0}) {
      CAPTURE(mu);
      const ContactProblem problem = pressed_cube(mu);
      ContactSolution solution;
      const VelocityNewtonReport report = solve_alone(problem, law, solution);
      CHECK(report.ok());
      CHECK(report.steps <= 60);
      CHECK(report.factors <= report.steps);
      CHECK(measure(problem, solution, law).worst() <= 1e-5);
    }
  }
}

TEST_CASE("Newton's method gives the same bits on any number of threads")
{
  const ContactProblem problem = pressed_cube(0.0);
  ContactSolution one;
  with_threads(1, [&] { CHECK(solve_nested(problem, true, 1e-5, one).factors > 0); });
  for (const int threads : {2, 4}) {
    ContactSolution several;
    with_threads(threads, [&] { (void)solve_nested(problem, true, 1e-5, several); });
    CHECK(several.v == one.v);
    CHECK(several.lambda == one.lambda);
  }
}
