#include <tact/solvers/nested/nested_contact_solver.hpp>

#include <algorithm>

#include <fmt/core.h>

namespace tact {
namespace {

NestedOptions asked_for(NestedOptions nested, const ContactOptions& options)
{
  nested.tolerance = options.tolerance;
  nested.law = options.law;
  nested.min_passes = options.min_passes;
  nested.min_sweeps = options.min_sweeps;
  nested.keep_history = options.keep_history;
  if (options.max_iterations > 0) nested.max_passes = nested.max_sweeps = options.max_iterations;
  return nested;
}

}  // namespace

NestedContactSolver::NestedContactSolver(NestedOptions way, const ContactOptions& options)
    : solver_(asked_for(way, options))
{
}

void NestedContactSolver::begin(const ContactProblem& problem,
                                std::span<const BlockCholesky* const> factors)
{
  solver_.begin(problem, factors);
}

ContactReport NestedContactSolver::solve(ContactProblem& problem, ContactSolution& solution)
{
  const NestedReport solved = solver_.solve(problem, solution);
  ContactReport report;
  report.status = solved.status;
  report.residuals = solved.residuals;
  report.iterations = std::max(solved.passes, solved.sweeps);
  report.inexact = solved.inexact;
  report.note = fmt::format("{} passes, {} sweeps, {} factorisations, {} islands", solved.passes,
                            solved.sweeps, solved.factors, solved.islands);
  report.history = solved.history;
  return report;
}

}  // namespace tact
