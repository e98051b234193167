#include <cmath>

#include <doctest/doctest.h>

#include <tact/lcp/pgs.hpp>

#include "families.hpp"
#include "solver_contract.hpp"

namespace tact {

TEST_CASE("pgs keeps the contract of solvers")
{
  check_solver_contract("pgs");
}

TEST_CASE("a row without a positive diagonal is named and refused")
{
  LcpProblem problem{MatrixXd::Identity(3, 3), VectorXd::Constant(3, -1.0), {}, {}};
  problem.M(1, 1) = 0.0;
  LcpSolution solution;
  const SolveReport report = solve_pgs(problem, solution);
  CHECK(report.status == SolveStatus::unsupported);
  CHECK(report.note.find("M(1, 1) is 0") != std::string::npos);
  CHECK(solution.z.size() == 3);
}

TEST_CASE("semidefinite problems with a solution converge")
{
  for (int seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const MatrixXd N = families::random_matrix(3, 12, random);
    const families::Planted planted = families::plant(N.transpose() * N, 0.0, random);
    LcpSolution solution;
    CHECK(solve_pgs(planted.problem, solution).ok());
    // |N (z - z*)|^2 <= |z - z*|_1 residual, and z is of order 10.
    CHECK((N * (solution.z - planted.z)).norm() < 1e-3);
  }
}

TEST_CASE("the objective z'Mz/2 + q'z of a symmetric problem never grows from sweep to sweep")
{
  Random random(3);
  const families::Planted planted =
      families::plant(families::positive_definite(30, random), 0.0, random);
  const LcpProblem& problem = planted.problem;
  LcpSolution solution;
  double last = infinity;
  for (int sweep = 0; sweep < 20; ++sweep) {
    solve_pgs(problem, solution, {.max_sweeps = 1});
    const double objective = solution.z.dot(0.5 * (problem.M * solution.z) + problem.q);
    CHECK(objective <= last + 1e-14);
    last = objective;
  }
}

TEST_CASE("sweeps run out at the limit, and diverging ones are stopped")
{
  Random random(2);
  LcpProblem problem =
      families::plant(families::positive_definite(30, random), 0.0, random).problem;
  LcpSolution solution;
  SolveReport report = solve_pgs(problem, solution, {.max_sweeps = 3});
  CHECK(report.status == SolveStatus::iteration_limit);
  CHECK(report.iterations == 3);

  problem = {MatrixXd(2, 2), VectorXd::Constant(2, -1.0), {}, {}};
  problem.M << 1, -3,  //
      -3, 1;
  LcpSolution diverging;
  report = solve_pgs(problem, diverging);
  CHECK(report.status == SolveStatus::stalled);
  CHECK(report.iterations < 1000);
}

}  // namespace tact
