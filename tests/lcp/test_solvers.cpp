#include <set>
#include <string>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/lcp/solvers.hpp>

#include "families.hpp"
#include "solver_contract.hpp"

namespace tact {
namespace {

SolveReport solve_auto(const LcpProblem& problem, LcpSolution& solution)
{
  return solve_lcp(problem, solution, "auto");
}

LcpProblem two_by_two(double a, double b, double c, double d, double p, double q)
{
  LcpProblem problem{MatrixXd(2, 2), VectorXd(2), {}, {}};
  problem.M << a, b, c, d;
  problem.q << p, q;
  return problem;
}

}  // namespace

TEST_CASE("auto keeps the contract of solvers")
{
  check_solver_contract("auto");
}

TEST_CASE("solvers have different names and say what they are for")
{
  std::set<std::string_view> names;
  for (const LcpSolver& solver : lcp_solvers()) {
    CHECK(names.insert(solver.name).second);
    CHECK_FALSE(solver.guide.summary.empty());
    CHECK(solver.guide.summary.size() <= 80);
  }
  CHECK(names.count("auto") == 0);
}

TEST_CASE("an unknown solver is refused with the nearest name")
{
  LcpSolution solution;
  const auto complaint = [&](std::string_view name) -> std::string {
    try {
      solve_lcp(families::murty(2), solution, name);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(complaint("lemk") == "solve_lcp: no solver \"lemk\"; did you mean \"lemke\"?");
  CHECK(complaint("atuo") == "solve_lcp: no solver \"atuo\"; did you mean \"auto\"?");
  CHECK(complaint("simplex") == "solve_lcp: no solver \"simplex\"");
}

TEST_CASE("the judge alone decides: an answer above the tolerance is never called converged")
{
  Random random(4);
  const LcpProblem problem =
      families::plant(families::positive_definite(10, random), 0.0, random).problem;
  for (const LcpSolver& solver : lcp_solvers()) {
    CAPTURE(solver.name);
    LcpSolution solution;
    const SolveReport report =
        solve_lcp(problem, solution, solver.name, {.tolerance = 1e-300, .max_iterations = 2000});
    CHECK(report.ok() == (residual(problem, solution.z) <= 1e-300));
  }
}

TEST_CASE("auto takes block pivoting for large symmetric positive definite problems, else lemke")
{
  Random random(1);
  LcpSolution solution;
  const LcpProblem definite =
      families::plant(families::positive_definite(100, random), 0.0, random).problem;
  CHECK(solve_auto(definite, solution).note == "block-pivoting: converged");
  const LcpProblem unsymmetric =
      families::plant(families::unsymmetric(100, random), 0.0, random).problem;
  CHECK(solve_auto(unsymmetric, solution).note == "lemke: converged");
  const LcpProblem redundant =
      families::plant(families::semidefinite(100, 6, random), 0.0, random).problem;
  CHECK(solve_auto(redundant, solution).note == "lemke: converged");
}

TEST_CASE("where no path leads to a solution, auto goes through the bases")
{
  int by_enumeration = 0;
  for (int seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 6 + random.below(8);
    const LcpProblem problem =
        families::plant(families::random_matrix(n, n, random), 0.2, random).problem;
    LcpSolution solution;
    const SolveReport report = solve_auto(problem, solution);
    CHECK(report.ok());
    if (report.note.find("enumeration: converged") != std::string::npos) ++by_enumeration;
  }
  CHECK(by_enumeration > 0);
}

TEST_CASE("auto says no_solution for problems that have none")
{
  LcpSolution solution;
  // Infeasible: w_2 = -z_1 - 1. Feasible without solution: w_2 = 1 forces z_2 = 0, then w_1 = -1.
  // Inconsistent: the sum of w is -1. Not P0: z w = -z^2 - z = 0 only at z = 0, where w = -1.
  CHECK(solve_auto(two_by_two(1, 0, -1, 0, 0, -1), solution).status == SolveStatus::no_solution);
  CHECK(solve_auto(two_by_two(0, 1, 0, 0, -1, 1), solution).status == SolveStatus::no_solution);
  CHECK(solve_auto(two_by_two(1, -1, -1, 1, -1, 0), solution).status == SolveStatus::no_solution);
  CHECK(solve_auto(two_by_two(-1, 0, 0, 1, -1, 0), solution).status == SolveStatus::no_solution);

  // Two equations in one free unknown each that contradict one another, at a size without
  // enumeration.
  const int n = 60;
  LcpProblem equations{MatrixXd::Identity(n, n), VectorXd::Zero(n), VectorXd::Zero(n),
                       VectorXd::Constant(n, infinity)};
  equations.lower.head(2).setConstant(-infinity);
  equations.M.topLeftCorner(2, 2).setOnes();
  equations.q[0] = 1.0;
  const SolveReport report = solve_auto(equations, solution);
  CHECK(report.status == SolveStatus::no_solution);
  CHECK(solution.z.size() == n);
}

}  // namespace tact
