// What every solver of the table owes: the same checks for each, judged from outside.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <contact/rigid_problems.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>

using namespace tact;

namespace {

constexpr double exact = 1e-9;

bool needs_frictionless(std::string_view solver)
{
  return solver == "block-pivoting";
}

std::vector<std::string> names()
{
  std::vector<std::string> all = {"auto"};
  for (const RigidContactSolver& solver : rigid_contact_solvers()) all.emplace_back(solver.name);
  return all;
}

MuRange mu_for(const std::string& solver)
{
  return needs_frictionless(solver) ? MuRange{0.0, 0.0} : MuRange{};
}

}  // namespace

TEST_CASE("every solver reaches the shared residual on every family")
{
  for (const std::string& solver : names()) {
    CAPTURE(solver);
    Random random(11);
    for (int trial = 0; trial < 45; ++trial) {
      CAPTURE(trial);
      const ContactProblem problem = small_problem(trial, random, mu_for(solver));
      ContactSolution solution;
      const SolveReport report = solve_rigid_contact(problem, solution, solver);
      CHECK(report.ok());
      CHECK(report.residual <= exact);
      CHECK(report.residual == measure(problem, solution, FrictionPyramid(8)).worst());
    }
  }
}

TEST_CASE("a block at rest stays at rest, a flying one flies on, an empty problem is solved")
{
  for (const std::string& solver : names()) {
    CAPTURE(solver);
    const double mu = mu_for(solver).high;
    ContactSolution solution;
    CHECK(solve_rigid_contact(block_on_ground({0, 0, 0}, mu), solution, solver).ok());
    CHECK(solution.v.norm() == 0.0);
    CHECK(solve_rigid_contact(block_on_ground({1, 2, 3}, mu), solution, solver).ok());
    CHECK(solution.lambda.norm() < 1e-15);
    CHECK((solution.v.head<3>() - Vector3d(1, 2, 3)).norm() < 1e-15);
    CHECK(solve_rigid_contact(ContactProblem{}, solution, solver).ok());
  }
}

TEST_CASE("the order of contacts and the side a contact is seen from do not matter")
{
  Random random(13);
  for (const std::string& solver : names()) {
    CAPTURE(solver);
    for (int trial = 0; trial < 9; ++trial) {
      const ContactProblem problem = small_problem(trial, random, {0.0, 0.0});  // unique velocity
      ContactProblem shuffled = problem;
      std::reverse(shuffled.contacts.begin(), shuffled.contacts.end());
      for (const ContactRows& contact : shuffled.contacts) {  // rows already hold both signs
        const auto blocks = shuffled.blocks.begin() + contact.first;
        std::rotate(blocks, blocks + contact.count / 2, blocks + contact.count);
      }
      ContactSolution a, b;
      REQUIRE(solve_rigid_contact(problem, a, solver).ok());
      REQUIRE(solve_rigid_contact(shuffled, b, solver).ok());
      CHECK((a.v - b.v).cwiseAbs().maxCoeff() < 1e-8);
    }
  }
}

TEST_CASE("units do not matter: grams and millimetres per second give the same motion")
{
  for (const std::string& solver : names()) {
    CAPTURE(solver);
    Random random(17);
    for (int trial = 0; trial < 9; ++trial) {
      CAPTURE(trial);
      const ContactProblem problem = small_problem(trial, random, {0.0, 0.0});
      ContactProblem scaled = problem;
      scale_masses(scaled, 1000.0);
      scaled.v_star *= 1000.0;
      for (ContactRows& contact : scaled.contacts) contact.bias *= 1000.0;
      ContactSolution a, b;
      REQUIRE(solve_rigid_contact(problem, a, solver).ok());
      REQUIRE(solve_rigid_contact(scaled, b, solver).ok());
      CHECK((1000.0 * a.v - b.v).cwiseAbs().maxCoeff() < 1e-5);
    }
  }
}

TEST_CASE("same input, same bits")
{
  for (const std::string& solver : names()) {
    CAPTURE(solver);
    Random random(19);
    const ContactProblem problem = block_stack(4, 24, random, mu_for(solver));
    ContactSolution a, b;
    solve_rigid_contact(problem, a, solver);
    solve_rigid_contact(problem, b, solver);
    CHECK(a.v == b.v);
    CHECK(a.lambda == b.lambda);
  }
}

TEST_CASE("joints hold: a pendulum's pivot does not move, for every solver")
{
  for (const std::string& solver : names()) {
    CAPTURE(solver);
    RigidContactBuilder builder;
    builder.add_body({.mass = 2.0,
                      .inertia = box_inertia(2.0, {0.1, 0.1, 1.0}),
                      .centre = {0.0, 0.0, -0.5},
                      .velocity = {1.0, 0.0, -0.3}});
    builder.add_ball_joint(0, fixed_body, {0.0, 0.0, 0.0});
    // A wall stops the lower end: contact and joint in one problem.
    builder.add_contact(
        {.point = {0.05, 0.0, -1.0}, .normal = -Vector3d::UnitX(), .mu = mu_for(solver).high});
    const ContactProblem problem = builder.build();
    ContactSolution solution;
    REQUIRE(solve_rigid_contact(problem, solution, solver).ok());
    CHECK(solution.v.cwiseAbs().maxCoeff() < 1e-12);  // pinned above, stopped below
    CHECK(solution.lambda[0] > 0.0);
  }
}

TEST_CASE("contradictory joints have no solution")
{
  ContactProblem problem = block_on_ground({0, 0, -1}, 0.0);
  for (const double bias : {1.0, -1.0})
    add_bilateral(problem, {.J_a = RowVector6d::Unit(0)}, {.bias = bias});
  for (const std::string& solver : names()) {
    CAPTURE(solver);
    ContactSolution solution;
    const SolveReport report = solve_rigid_contact(problem, solution, solver);
    CHECK_FALSE(report.ok());
    if (!needs_frictionless(solver)) CHECK(report.status == SolveStatus::no_solution);
  }
}

TEST_CASE("what a solver does not take is told: friction for block pivoting, an unknown name")
{
  ContactSolution solution;
  const SolveReport report =
      solve_rigid_contact(block_on_ground({0, 0, -1}, 0.5), solution, "block-pivoting");
  CHECK(report.status == SolveStatus::unsupported);
  CHECK(report.note.find("mu = 0") != std::string::npos);
  CHECK_THROWS_WITH_AS(solve_rigid_contact(ContactProblem{}, solution, "lemke-come"),
                       doctest::Contains("did you mean \"lemke-cone\"?"), Error);
}

TEST_CASE("a pivot limit is reported as one")
{
  Random random(23);
  const ContactProblem problem = block_stack(4, 24, random);
  for (const char* solver : {"lemke-cone", "lemke-reduced", "lemke-structural", "lemke-standard"}) {
    CAPTURE(solver);
    ContactSolution solution;
    const SolveReport report =
        solve_rigid_contact(problem, solution, solver, {.max_iterations = 3});
    CHECK(report.status == SolveStatus::iteration_limit);
  }
}
