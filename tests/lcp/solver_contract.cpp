#include "solver_contract.hpp"

#include <cmath>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/lcp/solvers.hpp>

#include "families.hpp"

namespace tact {
namespace {

using families::Bounds;

constexpr double tolerance = 1e-10;  // asked of every solver here

// From residual to error: |z - z*| <= (1 + |M|) / (least eigenvalue) residual for positive definite
// M. The families have |M| < 4 and eigenvalues >= 0.1, so 50; scaling by up to 4 on either side
// adds 16.
constexpr double z_tolerance = 1000 * tolerance;

SolveReport solve_and_check(const LcpProblem& problem, LcpSolution& solution,
                            std::string_view solver)
{
  const SolveReport report = solve_lcp(problem, solution, solver, {.tolerance = tolerance});
  CHECK(report.status == SolveStatus::converged);
  CHECK(residual(problem, solution.z) <= tolerance);
  CHECK(report.residual == residual(problem, solution.z));
  const VectorXd w = problem.M * solution.z + problem.q;
  CHECK((solution.w - w).norm() <= 1e-13 * (1.0 + w.norm()));  // order of summation
  CHECK(report.seconds >= 0.0);
  return report;
}

double distance(const VectorXd& a, const VectorXd& b)
{
  return (a - b).lpNorm<Eigen::Infinity>();
}

// Up to ten variables, so that enumeration can take part (three sides a box).
families::Planted boxed_problem(int n, Random& random)
{
  constexpr Bounds kinds[] = {Bounds::plain, Bounds::upper_only, Bounds::box, Bounds::free,
                              Bounds::fixed};
  std::vector<Bounds> bounds;
  for (int i = 0; i < n; ++i) bounds.push_back(kinds[random.below(5)]);
  return families::plant(families::positive_definite(n, random), bounds, 0.2, random);
}

void check_known_answers(std::string_view solver)
{
  for (const int n : {1, 2, 5, 8}) {
    CAPTURE(n);
    LcpSolution solution;
    solve_and_check(families::murty(n), solution, solver);
    CHECK(distance(solution.z, VectorXd::Unit(n, n - 1)) <= z_tolerance);
  }
  LcpSolution solution;
  solve_and_check(families::fathi(4), solution, solver);
  CHECK(distance(solution.z, VectorXd::Unit(4, 0)) <= z_tolerance);

  LcpSolution nothing;
  solve_and_check(LcpProblem{}, nothing, solver);
  CHECK(nothing.z.size() == 0);
}

void check_planted(std::string_view solver)
{
  for (int seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 1 + random.below(10);
    const double degenerate = seed % 2 ? 0.5 : 0.0;
    const families::Planted plain =
        families::plant(families::positive_definite(n, random), degenerate, random);
    LcpSolution solution;
    solve_and_check(plain.problem, solution, solver);
    CHECK(distance(solution.z, plain.z) <= z_tolerance);

    const families::Planted boxed = boxed_problem(n, random);
    LcpSolution in_box;
    solve_and_check(boxed.problem, in_box, solver);
    CHECK(distance(in_box.z, boxed.z) <= z_tolerance);
  }
}

void check_order_and_units(std::string_view solver)
{
  for (int seed = 0; seed < 10; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(100 + seed));
    const int n = 2 + random.below(9);
    const families::Planted planted = boxed_problem(n, random);

    const std::vector<int> order = families::random_order(n, random);
    LcpSolution reordered;
    solve_and_check(families::permuted(planted.problem, order), reordered, solver);
    CHECK(distance(reordered.z, planted.z(order)) <= z_tolerance);

    VectorXd row(n), column(n);
    for (int i = 0; i < n; ++i) {
      row[i] = std::exp2(random.below(5) - 2);
      column[i] = row[i];  // keeps M symmetric, as pgs needs it
    }
    LcpSolution rescaled;
    solve_and_check(families::scaled(planted.problem, row, column), rescaled, solver);
    CHECK(distance(rescaled.z.cwiseProduct(column), planted.z) <= z_tolerance);
  }
}

void check_repetition(std::string_view solver)
{
  Random random(7);
  const LcpProblem problem = boxed_problem(8, random).problem;
  LcpSolution first, second;
  solve_and_check(problem, first, solver);
  solve_and_check(problem, second, solver);
  CHECK(first.z == second.z);

  LcpSolution from_itself = first;
  solve_and_check(problem, from_itself, solver);
  CHECK(distance(from_itself.z, first.z) <= z_tolerance);
}

void check_limits(std::string_view solver)
{
  Random random(3);
  const LcpProblem problem =
      families::plant(families::positive_definite(12, random), 0.0, random).problem;
  LcpSolution solution;
  const SolveReport report =
      solve_lcp(problem, solution, solver, {.tolerance = tolerance, .max_iterations = 1});
  CHECK(report.iterations <= 1);
  CHECK_FALSE(report.ok());
  CHECK(report.residual == residual(problem, solution.z));
}

void check_refusals(std::string_view solver)
{
  LcpSolution solution;
  LcpProblem problem{MatrixXd::Identity(2, 2), VectorXd::Zero(3), {}, {}};
  CHECK_THROWS_AS(solve_lcp(problem, solution, solver), Error);
  problem.q = VectorXd::Constant(2, std::nan(""));
  CHECK_THROWS_AS(solve_lcp(problem, solution, solver), Error);
}

}  // namespace

void check_solver_contract(std::string_view solver)
{
  CAPTURE(solver);
  check_known_answers(solver);
  check_planted(solver);
  check_order_and_units(solver);
  check_repetition(solver);
  check_limits(solver);
  check_refusals(solver);
}

}  // namespace tact
