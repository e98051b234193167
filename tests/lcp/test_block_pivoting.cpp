#include <doctest/doctest.h>

#include <tact/lcp/block_pivoting.hpp>

#include "families.hpp"
#include "solver_contract.hpp"

namespace tact {

TEST_CASE("block-pivoting keeps the contract of solvers")
{
  check_solver_contract("block-pivoting");
}

TEST_CASE("positive definite problems take a handful of exchanges at any size")
{
  for (const int n : {10, 50, 200, 400}) {
    CAPTURE(n);
    Random random(static_cast<std::uint64_t>(n));
    const families::Planted planted =
        families::plant(families::positive_definite(n, random), 0.0, random);
    LcpSolution solution;
    const SolveReport report = solve_block_pivoting(planted.problem, solution);
    CHECK(report.ok());
    CHECK(report.iterations <= 8);
    CHECK((solution.z - planted.z).lpNorm<Eigen::Infinity>() < 1e-12);  // condition about 20
  }
}

TEST_CASE("redundant contacts: of N'N with 32 columns of rank 6 the velocity N z comes out unique")
{
  for (int seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const MatrixXd N = families::random_matrix(6, 32, random);
    const double degenerate = seed % 2 ? 0.5 : 0.0;
    const families::Planted planted = families::plant(N.transpose() * N, degenerate, random);
    LcpSolution solution;
    const SolveReport report = solve_block_pivoting(planted.problem, solution);
    CHECK(report.ok());
    CHECK((N * (solution.z - planted.z)).norm() < 1e-10);
  }
}

TEST_CASE("full exchanges that go round in a circle give way to single ones")
{
  // Ben Gharbia and Gilbert 2012: a P-matrix on which exchanging all of H visits {1}, {2}, {3},
  // {1}...
  LcpProblem problem{MatrixXd(3, 3), VectorXd::Ones(3), {}, {}};
  problem.M << 1, 0, 2,  //
      2, 1, 0,           //
      0, 2, 1;
  LcpSolution solution;
  solution.z = VectorXd::Unit(3, 0);
  const SolveReport report = solve_block_pivoting(problem, solution);
  CHECK(report.ok());
  CHECK(report.iterations > 10);  // the circle was walked until patience ran out
  CHECK(solution.z == VectorXd::Zero(3));
}

TEST_CASE("from the solution of a nearby problem few exchanges are needed, from its own none")
{
  Random random(6);
  families::Planted planted =
      families::plant(families::positive_definite(100, random), 0.0, random);
  LcpSolution solution;
  const int cold = solve_block_pivoting(planted.problem, solution).iterations;
  CHECK(solve_block_pivoting(planted.problem, solution).iterations == 0);
  for (int i = 0; i < 100; ++i) planted.problem.q[i] += 1e-3 * random.uniform(-1.0, 1.0);
  // Every planted z and w is 0 or above 0.1, so no variable changes sides.
  const SolveReport warm = solve_block_pivoting(planted.problem, solution);
  CHECK(warm.ok());
  CHECK(warm.iterations == 1);
  CHECK(cold > 1);
}

TEST_CASE("velocities free, multipliers bounded: saddle points are solved, redundant ones too")
{
  for (int seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 9 + random.below(30);
    const int multipliers = n / 3;
    MatrixXd M = families::saddle(n, multipliers, random);
    if (seed % 2) {  // the last two contacts are the same
      M.row(n - 1) = M.row(n - 2);
      M.col(n - 1) = M.col(n - 2);
    }
    std::vector<families::Bounds> bounds(n, families::Bounds::free);
    for (int i = n - multipliers; i < n; ++i)
      bounds[i] = i % 2 ? families::Bounds::plain : families::Bounds::box;
    const families::Planted planted = families::plant(M, bounds, 0.0, random);
    LcpSolution solution;
    CHECK(solve_block_pivoting(planted.problem, solution).ok());
    const int velocities = n - multipliers;
    CHECK((solution.z - planted.z).head(velocities).lpNorm<Eigen::Infinity>() < 1e-9);
  }
}

TEST_CASE("a problem without a solution ends in finite time without a wrong success")
{
  LcpProblem problem{MatrixXd(2, 2), VectorXd(2), {}, {}};
  problem.M << 1, -1,  //
      -1, 1;
  problem.q << -1, -1;
  LcpSolution solution;
  const SolveReport report = solve_block_pivoting(problem, solution);
  CHECK_FALSE(report.ok());
  CHECK(solution.z.allFinite());
  CHECK(report.residual == residual(problem, solution.z));
}

}  // namespace tact
