#include <tact/lcp/enumeration.hpp>

#include <algorithm>

#include <fmt/core.h>

#include <tact/lcp/complementary_basis.hpp>
#include <tact/lcp/lemke.hpp>

namespace tact {
namespace {

// The sides a variable can stand on, in the order in which they are tried.
std::vector<BasisSide> sides(const LcpProblem& problem, int variable)
{
  const double lower = problem.lower_bound(variable);
  const double upper = problem.upper_bound(variable);
  if (lower == upper) return {BasisSide::lower};
  std::vector<BasisSide> possible;
  if (lower != -infinity) possible.push_back(BasisSide::lower);
  if (upper != infinity) possible.push_back(BasisSide::upper);
  possible.push_back(BasisSide::between);
  return possible;
}

// Counts like an odometer whose wheels are the variables. False after the last basis.
bool advance(const std::vector<std::vector<BasisSide>>& choices, std::vector<std::size_t>& wheels,
             Basis& basis)
{
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    wheels[i] = (wheels[i] + 1) % choices[i].size();
    basis[i] = choices[i][wheels[i]];
    if (wheels[i] != 0) return true;
  }
  return false;
}

// A point of a singular basis that keeps to its sides, if there is one. With A the columns of M
// that belong to the variables x between their bounds, and r = q + M z with x = 0, it is the x of
//   [s; w] = [0 -A'; A 0] [x; y] + [0; r],   x within its bounds,   y free, >= 0 or <= 0
// where w_i is to be 0, >= 0 or <= 0: y = 0 solves this for every feasible x, and a solution has no
// other kind of x.
void move_to_feasible_point(const LcpProblem& problem, const Basis& basis, double tolerance,
                            VectorXd& z)
{
  const int n = problem.size();
  std::vector<int> between;
  for (int i = 0; i < n; ++i) {
    z[i] = bound_value(problem, i, basis[i]);
    if (basis[i] == BasisSide::between) between.push_back(i);
  }
  const int k = static_cast<int>(between.size());
  LcpProblem feasibility;
  feasibility.M = MatrixXd::Zero(k + n, k + n);
  feasibility.q = VectorXd::Zero(k + n);
  feasibility.lower = VectorXd::Constant(k + n, -infinity);
  feasibility.upper = VectorXd::Constant(k + n, infinity);
  for (int j = 0; j < k; ++j) {
    const int variable = between[j];
    feasibility.M.col(j).tail(n) = problem.M.col(variable);
    feasibility.M.row(j).tail(n) = -problem.M.col(variable).transpose();
    feasibility.lower[j] = problem.lower_bound(variable);
    feasibility.upper[j] = problem.upper_bound(variable);
  }
  feasibility.q.tail(n) = problem.q + problem.M * z;
  for (int i = 0; i < n; ++i) {
    const BasisSide side = basis[i];
    const bool fixed = problem.lower_bound(i) == problem.upper_bound(i);
    if (fixed || side == BasisSide::lower) feasibility.lower[k + i] = 0.0;
    if (fixed || side == BasisSide::upper) feasibility.upper[k + i] = 0.0;
  }
  LcpSolution point;
  solve_lemke(feasibility, point, {.tolerance = tolerance, .max_restarts = 1});
  z(between) = point.z.head(k);
}

}  // namespace

double count_bases(const LcpProblem& problem)
{
  double count = 1.0;
  for (int i = 0; i < problem.size(); ++i) count *= static_cast<double>(sides(problem, i).size());
  return count;
}

SolveReport solve_enumeration(const LcpProblem& problem, LcpSolution& solution,
                              const EnumerationOptions& options)
{
  validate(problem);
  SolveReport report;
  solution.z = starting_point(problem, {});
  report.residual = residual(problem, solution.z, solution.w);
  if (count_bases(problem) > options.max_bases) {
    report.status = SolveStatus::unsupported;
    report.note = fmt::format("{:.6g} complementary bases; enumeration tries at most {}",
                              count_bases(problem), options.max_bases);
    return report;
  }

  std::vector<std::vector<BasisSide>> choices;
  Basis basis;
  for (int i = 0; i < problem.size(); ++i) {
    choices.push_back(sides(problem, i));
    basis.push_back(choices.back().front());
  }
  std::vector<std::size_t> wheels(choices.size(), 0);
  BasisSolver solver;
  VectorXd z, w;
  bool at_round_off = false;
  do {
    ++report.iterations;
    if (solver.solve(problem, basis, z) == BasisSolver::Outcome::singular)
      move_to_feasible_point(problem, basis, options.tolerance, z);
    const double found = residual(problem, z, w);
    if (found >= report.residual) continue;
    report.residual = found;
    solution = {z, w};
    at_round_off = is_at_round_off(problem, z);
  } while (report.residual > options.tolerance && !at_round_off && advance(choices, wheels, basis));
  report.status = report.residual <= options.tolerance ? SolveStatus::converged
                  : at_round_off                       ? SolveStatus::stalled
                                                       : SolveStatus::no_solution;
  if (report.status == SolveStatus::stalled) report.note = round_off_note(problem, solution.z);
  return report;
}

}  // namespace tact
