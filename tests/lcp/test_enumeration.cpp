#include <doctest/doctest.h>

#include <tact/lcp/enumeration.hpp>

#include "families.hpp"
#include "solver_contract.hpp"

namespace tact {

using families::Bounds;

TEST_CASE("enumeration keeps the contract of solvers")
{
  check_solver_contract("enumeration");
}

TEST_CASE("the number of bases is 2 a one-sided variable, 3 a box, 1 a free or fixed variable")
{
  LcpProblem problem{MatrixXd::Identity(5, 5), VectorXd::Zero(5), VectorXd(5), VectorXd(5)};
  problem.lower << 0.0, -infinity, -infinity, -1.0, 2.0;
  problem.upper << infinity, 0.0, infinity, 1.0, 2.0;
  CHECK(count_bases(problem) == 2.0 * 2.0 * 1.0 * 3.0 * 1.0);
  CHECK(count_bases({}) == 1.0);
}

TEST_CASE("any solvable problem is solved, whatever its matrix, singular and degenerate ones too")
{
  constexpr Bounds kinds[] = {Bounds::plain, Bounds::plain, Bounds::free};
  for (int seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 1 + random.below(6);
    MatrixXd M(n, n);
    std::vector<Bounds> bounds;
    for (int i = 0; i < n; ++i) {
      bounds.push_back(kinds[random.below(3)]);
      for (int j = 0; j < n; ++j) M(i, j) = random.below(5) - 2;
    }
    const families::Planted planted = families::plant(M, bounds, 0.3, random);
    LcpSolution solution;
    CHECK(solve_enumeration(planted.problem, solution).ok());
    CHECK(residual(planted.problem, solution.z) <= 1e-9);
  }
}

TEST_CASE("a solution that only a singular basis holds is found")
{
  // w_1 = -2 z_1 - z_2 - 1, and z_2 is free with the equation 0 = 0: every z_2 <= -1 will do.
  LcpProblem problem{MatrixXd::Zero(2, 2), VectorXd(2), VectorXd(2), VectorXd(2)};
  problem.M << -2, -1,  //
      0, 0;
  problem.q << -1, 0;
  problem.lower << 0.0, -infinity;
  problem.upper.setConstant(infinity);
  LcpSolution solution;
  CHECK(solve_enumeration(problem, solution).ok());
}

TEST_CASE("after all bases it is certain that there is no solution")
{
  // Feasible, but w_2 = 1 forces z_2 = 0 and then w_1 = -1.
  LcpProblem problem{MatrixXd::Zero(2, 2), VectorXd(2), {}, {}};
  problem.M(0, 1) = 1.0;
  problem.q << -1, 1;
  LcpSolution solution;
  const SolveReport report = solve_enumeration(problem, solution);
  CHECK(report.status == SolveStatus::no_solution);
  CHECK(report.iterations == 4);
}

TEST_CASE("more bases than the limit are refused with their number")
{
  const LcpProblem problem = families::murty(20);
  LcpSolution solution;
  const SolveReport report = solve_enumeration(problem, solution);
  CHECK(report.status == SolveStatus::unsupported);
  CHECK(report.note.find("1.04858e+06 complementary bases") != std::string::npos);
  CHECK(report.residual == residual(problem, solution.z));
}

}  // namespace tact
