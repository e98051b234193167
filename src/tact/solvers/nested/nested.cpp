#include <tact/solvers/nested/nested.hpp>

#include <algorithm>
#include <limits>

#include <tact/linalg/parallel.hpp>
#include <tact/solvers/nested/nested_island.hpp>

namespace tact {

NestedOptions anticipation_options()
{
  return {.max_exact_nodes = std::numeric_limits<int>::max()};
}

NestedOptions accelerated_options()
{
  return {.max_exact_nodes = 0, .max_passes = 4000};
}

NestedSolver::NestedSolver(const NestedOptions& options)
    : islands_(std::make_unique<NestedIslands>())
{
  islands_->options = options;
}

NestedSolver::~NestedSolver() = default;
NestedSolver::NestedSolver(NestedSolver&&) noexcept = default;
NestedSolver& NestedSolver::operator=(NestedSolver&&) noexcept = default;

void NestedSolver::begin(const ContactProblem& problem,
                         std::span<const BlockCholesky* const> factors)
{
  islands_->begin(problem, factors);
}

NestedReport NestedSolver::solve(const ContactProblem& problem, ContactSolution& solution)
{
  const std::span<NestedIsland> islands = islands_->lay_out(problem);
  const WarmStart start(problem, solution);
  run_largest_first(static_cast<int>(islands.size()), [&](int k) {
    islands[k].load(problem, start);
    islands[k].relax();
  });
  return islands_->report(islands_->write(problem, solution));
}

void NestedIslands::begin(const ContactProblem& problem,
                          std::span<const BlockCholesky* const> factors)
{
  all.begin(problem, options.max_exact_nodes, factors);
}

std::span<NestedIsland> NestedIslands::lay_out(const ContactProblem& problem)
{
  all.append(problem);
  const std::vector<Island>& found = all.islands.islands;
  if (islands_.size() < found.size()) islands_.resize(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) islands_[k].lay_out(all, found[k], options);
  return in_use();
}

Residuals NestedIslands::write(const ContactProblem& problem, ContactSolution& solution)
{
  constexpr int islands_per_chunk = 128;
  solution.v = problem.v_star;
  solution.lambda.setZero(3 * problem.size());
  impulse.resize(problem.v_star.size());
  // Islands have no node in common.
  const std::span<NestedIsland> islands = in_use();
  for_chunks(static_cast<int>(islands.size()), islands_per_chunk, [&](int, int first, int last) {
    for (int k = first; k < last; ++k) islands[k].write(solution, impulse);
  });
  return meter.measure(problem, solution, all.D, options.law);
}

NestedReport NestedIslands::report(const Residuals& residuals)
{
  NestedReport whole;
  whole.status = SolveStatus::converged;
  whole.residuals = residuals;
  whole.islands = static_cast<int>(in_use().size());
  for (const NestedIsland& island : in_use()) {
    const IslandReport& own = island.report;
    whole.passes = std::max(whole.passes, own.passes);
    whole.sweeps = std::max(whole.sweeps, own.sweeps);
    whole.factors = std::max(whole.factors, own.factors);
    if (!own.exact) ++whole.inexact;
    if (own.status != SolveStatus::converged) whole.status = own.status;
  }
  if (whole.islands > 0) whole.history = in_use().front().report.history;
  const bool missed = !(residuals.worst() <= options.tolerance);
  if (whole.ok() && missed) whole.status = SolveStatus::stalled;
  return whole;
}

}  // namespace tact
