#include <cmath>

#include <doctest/doctest.h>

#include <tact/lcp/lemke.hpp>

#include "families.hpp"
#include "solver_contract.hpp"

namespace tact {
namespace {

using families::Bounds;

// Every row of N is orthogonal to (1, ..., 1), so the w of M = N'N add up to the sum of q.
LcpProblem infeasible(int n, Random& random)
{
  MatrixXd N = families::random_matrix(n / 2 + 1, n, random);
  N.colwise() -= N.rowwise().mean().eval();
  LcpProblem problem{N.transpose() * N, VectorXd(n), {}, {}};
  for (int i = 0; i < n; ++i) problem.q[i] = random.uniform(-1.0, 0.5);
  problem.q[0] -= std::max(0.0, problem.q.sum()) + 0.1;
  return problem;
}

SolveReport solve_and_check(const LcpProblem& problem, const LemkeOptions& options = {})
{
  LcpSolution solution;
  const SolveReport report = solve_lemke(problem, solution, options);
  CHECK(report.status == SolveStatus::converged);
  CHECK(residual(problem, solution.z) <= options.tolerance);
  return report;
}

}  // namespace

TEST_CASE("lemke keeps the contract of solvers")
{
  check_solver_contract("lemke");
}

TEST_CASE("a positive semidefinite problem with a solution is solved at the first attempt")
{
  for (int seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 2 + random.below(60);
    const int rank = 1 + random.below(n);
    const double degenerate = seed % 2 ? 0.7 : 0.0;
    const families::Planted planted =
        families::plant(families::semidefinite(n, rank, random), degenerate, random);
    CHECK(solve_and_check(planted.problem).restarts == 0);
  }
}

TEST_CASE("a positive semidefinite problem without a solution ends on a ray")
{
  for (int seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    LcpSolution solution;
    const LcpProblem problem = infeasible(2 + random.below(30), random);
    const SolveReport report = solve_lemke(problem, solution);
    CHECK(report.status == SolveStatus::no_solution);
    CHECK(report.residual == residual(problem, solution.z));
    CHECK_FALSE(report.note.empty());
  }
}

TEST_CASE("frictional contact of a rigid body, redundant and degenerate, is solved without restart")
{
  for (int contacts = 1; contacts <= 16; ++contacts)
    for (int seed = 0; seed < 5; ++seed) {
      CAPTURE(contacts);
      CAPTURE(seed);
      Random random(static_cast<std::uint64_t>(seed));
      const double mu = seed == 0 ? 0.0 : random.uniform(0.1, 1.0);
      CHECK(solve_and_check(families::frictional_body(contacts, mu, random)).restarts == 0);
    }
}

TEST_CASE("mixed and boxed problems of every monotone kind are solved")
{
  constexpr Bounds kinds[] = {Bounds::plain, Bounds::box, Bounds::free};
  for (int seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 3 + random.below(30);
    std::vector<Bounds> bounds;
    for (int i = 0; i < n; ++i) bounds.push_back(kinds[random.below(3)]);
    for (const MatrixXd& M :
         {families::unsymmetric(n, random), families::semidefinite(n, n / 2 + 1, random),
          families::saddle(n, n / 3, random)}) {
      const families::Planted planted = families::plant(M, bounds, 0.2, random);
      solve_and_check(planted.problem);
    }
  }
}

TEST_CASE("entries from 1e-12 to 1e4 do not matter")
{
  for (int seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 2 + random.below(40);
    const families::Planted planted =
        families::plant(families::unsymmetric(n, random), 0.2, random);
    const VectorXd row = families::wild_factors(n, -6.0, 2.0, random);
    const VectorXd column = families::wild_factors(n, -6.0, 2.0, random);
    LcpSolution solution;
    CHECK(solve_lemke(families::scaled(planted.problem, row, column), solution).restarts == 0);
    // The residual says little in such units; the planted solution says it all.
    const VectorXd z = solution.z.cwiseProduct(column);
    CHECK((z - planted.z).lpNorm<Eigen::Infinity>() < 1e-11);
  }
}

TEST_CASE("Kostreva's problem, on which simple principal pivoting cycles, is solved")
{
  LcpProblem problem{MatrixXd(3, 3), VectorXd::Constant(3, -1.0), {}, {}};
  problem.M << 1, 2, 0,  //
      0, 1, 2,           //
      2, 0, 1;
  LcpSolution solution;
  CHECK(solve_lemke(problem, solution).ok());
  CHECK((solution.z - VectorXd::Constant(3, 1.0 / 3.0)).norm() < 1e-15);
}

TEST_CASE("ties everywhere: equal rows, equal q and the all-one covering vector")
{
  for (const int n : {1, 2, 5, 20, 60}) {
    CAPTURE(n);
    const LemkeOptions options{.cover = LemkeOptions::Cover::ones};
    solve_and_check({MatrixXd::Ones(n, n), VectorXd::Constant(n, -1.0), {}, {}}, options);
    solve_and_check({MatrixXd::Identity(n, n), VectorXd::Constant(n, -1.0), {}, {}}, options);
    solve_and_check(families::fathi(n), {.tolerance = 1e-9, .cover = LemkeOptions::Cover::ones});
  }
}

TEST_CASE("a ray from z = 0 is not the end: another basis finds the solution of a non-P0 problem")
{
  // z = 1 solves w = -z + 1 only if z > 0 is reached from the other side: q > 0 gives z = 0, so
  // take the two-row form w_1 = -z_1 + 2 z_2 - 1, w_2 = 2 z_1 - z_2 - 1 with the solution (1, 1).
  LcpProblem problem{MatrixXd(2, 2), VectorXd::Constant(2, -1.0), {}, {}};
  problem.M << -1, 2,  //
      2, -1;
  LcpSolution solution;
  CHECK(solve_lemke(problem, solution).ok());
  CHECK((solution.z - VectorXd::Ones(2)).norm() < 1e-15);
}

TEST_CASE("pivots are limited over all attempts together")
{
  Random random(11);
  const LcpProblem problem =
      families::plant(families::positive_definite(30, random), 0.0, random).problem;
  LcpSolution solution;
  const SolveReport report = solve_lemke(problem, solution, {.max_pivots = 5});
  CHECK(report.status == SolveStatus::iteration_limit);
  CHECK(report.iterations == 5);
  CHECK(report.residual == residual(problem, solution.z));
}

TEST_CASE("restarts stay within the limit of pivots too")
{
  // No z >= 0 has -z - 1 >= 0, so every attempt ends on a ray and the next begins.
  const int n = 20;
  const LcpProblem problem{-MatrixXd::Identity(n, n), VectorXd::Constant(n, -1.0), {}, {}};
  LcpSolution solution;
  const SolveReport report = solve_lemke(problem, solution, {.max_pivots = 15});
  CHECK_FALSE(report.ok());
  CHECK(report.iterations <= 15);
}

TEST_CASE("a tolerance that round-off cannot meet is told, not chased")
{
  Random random(12);
  LcpProblem problem =
      families::plant(families::positive_definite(30, random), 0.0, random).problem;
  problem.q *= 1e6;
  LcpSolution solution;
  const SolveReport report = solve_lemke(problem, solution, {.tolerance = 1e-30});
  CHECK(report.status == SolveStatus::stalled);
  CHECK(report.restarts <= 1);
  CHECK(report.residual < 1e-8);
}

TEST_CASE("a solver object gives the bits of a fresh one, whatever it solved before")
{
  LemkeSolver kept;
  for (const int n : {20, 5, 33, 20}) {
    CAPTURE(n);
    Random random(static_cast<std::uint64_t>(n));
    const LcpProblem problem =
        families::plant(families::unsymmetric(n, random), 0.2, random).problem;
    LcpSolution by_kept, by_fresh;
    const SolveReport report = kept.solve(problem, by_kept);
    CHECK(report.iterations == LemkeSolver().solve(problem, by_fresh).iterations);
    CHECK(by_kept.z == by_fresh.z);
    CHECK(by_kept.w == by_fresh.w);
  }
}

TEST_CASE("three hundred and twenty positive definite rows: solved to round-off")
{
  Random random(320);
  const families::Planted planted =
      families::plant(families::positive_definite(320, random), 0.0, random);
  LcpSolution solution;
  const SolveReport report = solve_lemke(planted.problem, solution);
  CHECK(report.ok());
  CHECK(report.restarts == 0);
  CHECK((solution.z - planted.z).lpNorm<Eigen::Infinity>() < 1e-13);  // condition about 20
}

}  // namespace tact
