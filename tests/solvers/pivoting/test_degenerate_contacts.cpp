// Where pivoting methods go wrong: ties, redundancy, no friction, gaps, and problems without
// solution.
#include <doctest/doctest.h>

#include <contact/rigid_problems.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>

using namespace tact;

namespace {

const char* const lemke_solvers[] = {"lemke-cone", "lemke-reduced", "lemke-structural",
                                     "lemke-standard"};

void check_solved(const ContactProblem& problem, const RigidContactOptions& options = {})
{
  for (const char* solver : lemke_solvers) {
    CAPTURE(solver);
    ContactSolution solution;
    const SolveReport report = solve_rigid_contact(problem, solution, solver, options);
    CHECK(report.ok());
    CHECK(report.residual < 1e-9);
  }
}

}  // namespace

TEST_CASE("every contact twice is the same problem")
{
  Random random(1);
  for (int kind = 0; kind < 6; ++kind) {
    CAPTURE(kind);
    ContactProblem problem = small_problem(kind, random, {0.3, 0.3});
    const std::vector<ContactRows> again = problem.contacts;
    problem.contacts.insert(problem.contacts.end(), again.begin(), again.end());
    check_solved(problem);
  }
}

TEST_CASE("some contacts without friction, some with much")
{
  Random random(2);
  for (int kind = 0; kind < 9; ++kind) {
    CAPTURE(kind);
    ContactProblem problem = small_problem(kind, random);
    for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
      problem.contacts[c].mu = c % 2 == 0 ? 0.0 : 2.0;
    }
    check_solved(problem);
  }
}

TEST_CASE("pyramids from 4 to 64 sides")
{
  Random random(3);
  for (const int d : {4, 6, 10, 32, 64}) {
    CAPTURE(d);
    check_solved(peg_in_hole(12, random), {.directions = d});
  }
}

TEST_CASE("gaps: contacts that stay open carry nothing, those that close stop at the gap")
{
  ContactProblem problem = block_on_ground({0, 0, -1.0}, 0.3);
  for (ContactRows& contact : problem.contacts) contact.bias[0] = 0.4;  // m/s: gap / dt
  check_solved(problem);
  ContactSolution solution;
  ConeLemke().solve(problem, solution);
  CHECK(solution.v[2] == doctest::Approx(-0.4).epsilon(1e-12));
  for (ContactRows& contact : problem.contacts) contact.bias[0] = 1.5;
  ConeLemke().solve(problem, solution);
  CHECK(solution.lambda.norm() == 0.0);
}

TEST_CASE("push-out: a negative gap gives the velocity that opens it")
{
  ContactProblem problem = block_on_ground({0, 0, 0}, 0.3);
  for (ContactRows& contact : problem.contacts) contact.bias[0] = -0.2;
  check_solved(problem);
  ContactSolution solution;
  ConeLemke().solve(problem, solution);
  CHECK(solution.v[2] == doctest::Approx(0.2).epsilon(1e-12));
}

TEST_CASE("a body squeezed between two approaching walls has no solution, and nobody claims one")
{
  RigidContactBuilder builder;
  builder.add_body({});
  builder.add_contact({.point = {-1, 0, 0},
                       .normal = Vector3d::UnitX(),
                       .mu = 0.3,
                       .obstacle_velocity = {1, 0, 0}});
  builder.add_contact({.point = {1, 0, 0},
                       .normal = -Vector3d::UnitX(),
                       .mu = 0.3,
                       .obstacle_velocity = {-1, 0, 0}});
  for (const char* solver : lemke_solvers) {
    CAPTURE(solver);
    ContactSolution solution;
    const SolveReport report = solve_rigid_contact(builder.build(), solution, solver);
    CHECK(report.status == SolveStatus::no_solution);
    CHECK(report.residual > 0.1);
  }
}

TEST_CASE("restarts with other covering vectors give other paths to valid answers")
{
  Random random(4);
  const ContactProblem problem = block_stack(3, 20, random);
  for (int first = 0; first < 40; ++first) {
    ContactSolution solution;
    const ConeReport report = solve_lemke_cone(problem, solution, {.first_cover = 13 * first});
    CHECK(report.status == SolveStatus::converged);
    CHECK(measure(problem, solution, FrictionPyramid(8)).worst() < 1e-9);
  }
}

TEST_CASE("the kernel has at most 6 m + 2 rows, whatever the number of contacts")
{
  Random random(5);
  for (int trial = 0; trial < 60; ++trial) {
    const ContactProblem problem = small_problem(trial, random);
    ContactSolution solution;
    CHECK(solve_lemke_cone(problem, solution).largest_kernel <= 6 * problem.components() + 2);
  }
}
