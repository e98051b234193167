#include <doctest/doctest.h>

#include <contact/rigid_problems.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>

using namespace tact;

namespace {

// v* plus noise of `share` of its root mean square.
ContactProblem disturbed(ContactProblem problem, double share, Random& random)
{
  const double rms = problem.v_star.norm() / std::sqrt(static_cast<double>(problem.v_star.size()));
  for (double& entry : problem.v_star) entry += share * rms * random.uniform(-1.0, 1.0);
  return problem;
}

double residual(const ContactProblem& problem, const ContactSolution& solution)
{
  return measure(problem, solution, FrictionPyramid(8)).worst();
}

}  // namespace

TEST_CASE("a warm start at the solution needs no pivot")
{
  Random random(1);
  for (int trial = 0; trial < 30; ++trial) {
    CAPTURE(trial);
    const ContactProblem problem = small_problem(trial, random);
    ConeLemke solver({.warm_start = true});
    ContactSolution first, second;
    REQUIRE(solver.solve(problem, first).status == SolveStatus::converged);
    const ConeReport report = solver.solve(problem, second);
    CHECK(report.status == SolveStatus::converged);
    if (first.lambda.norm() == 0.0)
      continue;  // nothing touched: a cold start needs no pivot either
    CHECK(report.warm);
    CHECK(report.pivots == 0);
    CHECK(residual(problem, second) < 1e-9);
  }
}

TEST_CASE("small changes need few pivots, large ones are solved all the same")
{
  Random random(2);
  for (const double share : {0.01, 0.05, 0.2, 1.0}) {
    int warm = 0, cold = 0;
    for (int trial = 0; trial < 20; ++trial) {
      CAPTURE(share);
      CAPTURE(trial);
      const ContactProblem problem = block_stack(5, 32, random);
      const ContactProblem next = disturbed(problem, share, random);
      ConeLemke solver({.warm_start = true});
      ContactSolution solution;
      REQUIRE(solver.solve(problem, solution).status == SolveStatus::converged);
      const ConeReport report = solver.solve(next, solution);
      CHECK(report.status == SolveStatus::converged);
      CHECK(residual(next, solution) < 1e-9);
      warm += report.pivots;
      cold += solve_lemke_cone(next, solution).pivots;
    }
    if (share <= 0.05) CHECK(4 * warm < cold);  // about 1 : 20 in practice
  }
}

TEST_CASE("contacts come and go between steps")
{
  Random random(3);
  const ContactProblem full = block_stack(3, 20, random);
  ContactProblem fewer = full;
  fewer.contacts.resize(16);
  ConeLemke solver({.warm_start = true});
  ContactSolution solution;
  REQUIRE(solver.solve(fewer, solution).status == SolveStatus::converged);

  SUBCASE("sizes differ and nobody matched them: a cold start")
  {
    const ConeReport report = solver.solve(full, solution);
    CHECK(report.status == SolveStatus::converged);
    CHECK_FALSE(report.warm);
  }
  SUBCASE("matched by the caller, new contacts inactive")
  {
    std::vector<ConeState> states = solver.states();
    states.resize(full.contacts.size());
    VectorXd lambda = VectorXd::Zero(3 * full.size());
    lambda.head(solution.lambda.size()) = solution.lambda;
    solver.set_warm_start(states, lambda);
    const ConeReport report = solver.solve(full, solution);
    CHECK(report.status == SolveStatus::converged);
  }
  CHECK(residual(full, solution) < 1e-9);
}

TEST_CASE("states of quite another problem do no harm")
{
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const ContactProblem one = peg_in_hole(16, random), other = single_body(9, random);
    REQUIRE(one.size() == other.size());
    ConeLemke solver({.warm_start = true});
    ContactSolution solution;
    solver.solve(one, solution);
    CHECK(solver.solve(other, solution).status == SolveStatus::converged);
    CHECK(residual(other, solution) < 1e-9);
  }
}

TEST_CASE("joints take part in a warm start")
{
  Random random(5);
  RigidContactBuilder builder;
  for (int k = 0; k < 3; ++k) {  // three links of a chain that lies on the ground
    builder.add_body({.inertia = box_inertia(1.0, {1.0, 0.2, 0.2}),
                      .centre = {static_cast<double>(k), 0.0, 0.1},
                      .impulse = random.in_cube(0.3) - Vector3d(0, 0, 1),
                      .angular_impulse = random.in_cube(0.1)});
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.1, 0.1})
        builder.add_contact({.body_a = k, .point = {k + x, y, 0}, .mu = 0.3});
    }
    if (k > 0) builder.add_ball_joint(k, k - 1, {k - 0.5, 0.0, 0.1});
  }
  const ContactProblem problem = builder.build();
  ConeLemke solver({.warm_start = true});
  ContactSolution solution;
  REQUIRE(solver.solve(problem, solution).status == SolveStatus::converged);
  const ContactProblem next = disturbed(problem, 0.02, random);
  const ConeReport report = solver.solve(next, solution);
  CHECK(report.status == SolveStatus::converged);
  CHECK(report.warm);
  CHECK(residual(next, solution) < 1e-9);
}
