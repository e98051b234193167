#include <tact/lcp/solvers.hpp>

#include <algorithm>

#include <fmt/core.h>
#include <Eigen/Cholesky>

#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/lcp/block_pivoting.hpp>
#include <tact/lcp/complementary_basis.hpp>
#include <tact/lcp/enumeration.hpp>
#include <tact/lcp/lemke.hpp>
#include <tact/lcp/pgs.hpp>

namespace tact {
namespace {

SolveReport lemke(const LcpProblem& problem, LcpSolution& solution, const LcpOptions& options)
{
  return solve_lemke(problem, solution,
                     {.tolerance = options.tolerance, .max_pivots = options.max_iterations});
}

SolveReport block_pivoting(const LcpProblem& problem, LcpSolution& solution,
                           const LcpOptions& options)
{
  return solve_block_pivoting(
      problem, solution, {.tolerance = options.tolerance, .max_exchanges = options.max_iterations});
}

SolveReport pgs(const LcpProblem& problem, LcpSolution& solution, const LcpOptions& options)
{
  return solve_pgs(problem, solution,
                   {.tolerance = options.tolerance, .max_sweeps = options.max_iterations});
}

SolveReport enumeration(const LcpProblem& problem, LcpSolution& solution, const LcpOptions& options)
{
  EnumerationOptions enumerating{.tolerance = options.tolerance};
  if (options.max_iterations > 0) enumerating.max_bases = options.max_iterations;
  return solve_enumeration(problem, solution, enumerating);
}

const LcpSolver& find(std::string_view name)
{
  const std::vector<LcpSolver>& table = lcp_solvers();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [name](const LcpSolver& solver) { return solver.name == name; });
  if (found != table.end()) return *found;
  std::vector<std::string> known = {"auto"};
  for (const LcpSolver& solver : table) known.emplace_back(solver.name);
  throw Error(fmt::format("solve_lcp: no solver \"{}\"{}", name, did_you_mean(name, known)));
}

bool is_symmetric_positive_definite(const MatrixXd& M)
{
  return M.isApprox(M.transpose(), 1e-14) && Eigen::LLT<MatrixXd>(M).info() == Eigen::Success;
}

// From this size on it pays to find out whether M is symmetric positive definite: block pivoting is
// then twice as fast as Lemke at 40 rows and five times at 640.
constexpr int large = 30;

// In the order in which they are to be tried.
std::vector<std::string_view> choose_solvers(const LcpProblem& problem)
{
  std::vector<std::string_view> order = {"lemke", "block-pivoting"};
  if (problem.size() >= large && is_symmetric_positive_definite(problem.M))
    std::swap(order[0], order[1]);
  if (count_bases(problem) <= EnumerationOptions{}.max_bases) order.push_back("enumeration");
  return order;
}

// The first answer that passes, or else the best. `no_solution` where one of the methods ended with
// that and none contradicted it by an answer. The limit on iterations holds for all together.
SolveReport solve_by_turns(const LcpProblem& problem, LcpSolution& solution,
                           const LcpOptions& options)
{
  SolveReport total;
  total.residual = infinity;
  bool none_found = false;
  solution.z = starting_point(problem, {});
  for (const std::string_view name : choose_solvers(problem)) {
    LcpOptions remaining = options;
    if (options.max_iterations > 0) {
      remaining.max_iterations -= total.iterations;
      if (remaining.max_iterations <= 0) break;
    }
    LcpSolution candidate;
    const SolveReport report = find(name).solve(problem, candidate, remaining);
    total.iterations += report.iterations;
    total.restarts += report.restarts;
    total.note +=
        fmt::format("{}{}: {}", total.note.empty() ? "" : ", ", name, tact::name(report.status));
    none_found = none_found || report.status == SolveStatus::no_solution;
    const double found = residual(problem, candidate.z);
    if (found < total.residual) {
      total.residual = found;
      total.status = report.status;
      solution = candidate;
    }
    if (found <= options.tolerance) return total;
  }
  if (total.residual < infinity && is_at_round_off(problem, solution.z)) {
    total.status = SolveStatus::stalled;  // an answer, as good as rows of such entries allow
    total.note += "; " + round_off_note(problem, solution.z);
    return total;
  }
  if (none_found) total.status = SolveStatus::no_solution;
  return total;
}

}  // namespace

const std::vector<LcpSolver>& lcp_solvers()
{
  static const std::vector<LcpSolver> table = {
      {"lemke",
       {"Lemke's path on a dense tableau; any matrix, free variables, boxes", "exact", "none",
        "any matrix", "n^2 a pivot, about n pivots",
        "up to a thousand unknowns, free variables and boxes"},
       &lemke},
      {"block-pivoting",
       {"block principal pivoting; P-matrices and positive semidefinite ones", "exact", "none",
        "a P-matrix or a semidefinite one",
        "one factorisation of the free part an exchange, mostly 3 to 8",
        "large symmetric positive definite problems"},
       &block_pivoting},
      {"pgs",
       {"projected Gauss-Seidel; positive diagonal, low accuracy or warm starts", "iterative",
        "none", "a positive diagonal", "the entries of M a sweep",
        "low accuracy, or a good warm start"},
       &pgs},
      {"enumeration",
       {"every complementary basis; up to 16 pairs", "exact", "none", "at most 16 pairs",
        "2^n factorisations", "tiny problems where nothing else finds the answer"},
       &enumeration},
  };
  return table;
}

SolveReport solve_lcp(const LcpProblem& problem, LcpSolution& solution, std::string_view solver,
                      const LcpOptions& options)
{
  validate(problem);
  const auto solve = solver == "auto" ? &solve_by_turns : find(solver).solve;
  const Timer timer;
  SolveReport report = solve(problem, solution, options);
  report.seconds = timer.seconds();
  report.residual = residual(problem, solution.z, solution.w);
  if (report.residual <= options.tolerance) {
    report.status = SolveStatus::converged;
  } else if (report.status == SolveStatus::converged) {
    report.status = SolveStatus::stalled;
  }
  return report;
}

}  // namespace tact
