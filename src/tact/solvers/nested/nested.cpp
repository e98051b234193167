#include <tact/solvers/nested/nested.hpp>

#include <algorithm>
#include <limits>

#include <tact/contact/chunks.hpp>
#include <tact/contact/largest_first.hpp>
#include <tact/solvers/nested/nested_island.hpp>

namespace tact {

NestedOptions automatic_options()
{
  return {};
}

NestedOptions anticipation_options()
{
  return {
      .max_exact_nodes = std::numeric_limits<int>::max(), .rigid_tolerance = 0.0, .newton = false};
}

NestedOptions accelerated_options()
{
  return {.max_exact_nodes = 0, .max_passes = 4000, .rigid_tolerance = 0.0, .newton = false};
}

// From no impulses residuals rise at first, for hundreds of passes on fine meshes.
NestedOptions ica_options()
{
  return {.scheme = NestedScheme::ica,
          .max_exact_nodes = 0,
          .max_passes = 8000,
          .sweeps_per_pass = 8,
          .visits_per_contact = 3,
          .rigid_tolerance = 0.0,
          .newton = false};
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

namespace {

NestedReport summary(std::span<const NestedIsland> islands)
{
  NestedReport summary;
  summary.status = SolveStatus::converged;
  summary.islands = static_cast<int>(islands.size());
  for (const NestedIsland& island : islands) {
    const IslandReport& report = island.report;
    summary.passes = std::max(summary.passes, report.passes);
    summary.sweeps = std::max(summary.sweeps, report.sweeps);
    summary.factors = std::max(summary.factors, report.factors);
    if (!report.exact) ++summary.inexact;
    if (report.status != SolveStatus::converged) summary.status = report.status;
  }
  if (!islands.empty()) summary.history = islands.front().report.history;
  return summary;
}

}  // namespace

NestedReport NestedSolver::solve(const ContactProblem& problem, ContactSolution& solution)
{
  const std::span<NestedIsland> islands = islands_->lay_out(problem);
  const WarmStart start(problem, solution);
  run_largest_first(static_cast<int>(islands.size()), [&](int k) {
    islands[k].load(problem, start);
    islands[k].relax();
  });
  const Residuals residuals = islands_->write(problem, solution);
  NestedReport report = summary(islands);
  report.residuals = residuals;
  const bool missed = !(residuals.worst() <= islands_->options.tolerance);
  if (report.ok() && missed) report.status = SolveStatus::stalled;
  return report;
}

void NestedIslands::begin(const ContactProblem& problem,
                          std::span<const BlockCholesky* const> factors)
{
  all.begin(problem, options.max_exact_nodes, factors);
}

std::span<NestedIsland> NestedIslands::lay_out(const ContactProblem& problem)
{
  all.append(problem);
  const bool in_regions = options.scheme == NestedScheme::ica && options.settled >= 0.0;
  if (in_regions) by_nodes.find(all);
  const std::vector<Island>& found = all.islands.islands;
  if (islands_.size() < found.size()) islands_.resize(found.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    islands_[k].lay_out(all, found[k], options, in_regions ? &by_nodes : nullptr);
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

}  // namespace tact
