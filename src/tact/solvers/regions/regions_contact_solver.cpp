#include <tact/solvers/regions/regions_contact_solver.hpp>

namespace tact {
namespace {

ProjectedOptions asked_for(ProjectedMethod method, const ContactOptions& options)
{
  ProjectedOptions projected;
  projected.method = method;
  projected.tolerance = options.tolerance;
  projected.law = options.law;
  projected.min_sweeps = options.min_sweeps;
  projected.audit = options.audit;
  projected.keep_history = options.keep_history;
  if (options.max_iterations > 0) projected.max_cg = projected.max_sweeps = options.max_iterations;
  return projected;
}

}  // namespace

RegionsContactSolver::RegionsContactSolver(ProjectedMethod method, const ContactOptions& options)
    : solver_(asked_for(method, options))
{
}

void RegionsContactSolver::begin(const ContactProblem& problem,
                                 std::span<const BlockCholesky* const> factors)
{
  solver_.begin(problem, factors);
}

ContactReport RegionsContactSolver::solve(ContactProblem& problem, ContactSolution& solution)
{
  const ProjectedReport solved = solver_.solve(problem, solution);
  ContactReport report;
  report.status = solved.status;
  report.residuals = solved.residuals;
  report.iterations = solved.cg_iterations + solved.sweeps;
  report.note = solved.note;
  report.history = solved.history;
  report.audit = solved.audit;
  return report;
}

SolveReport solve_by_proportioning(const ContactProblem& problem, ContactSolution& solution,
                                   const ContactOptions& options)
{
  ProjectedSolver solver(asked_for(ProjectedMethod::mprgp, options));
  solver.begin(problem);
  const ProjectedReport solved = solver.solve(problem, solution);
  if (solved.status == SolveStatus::unsupported) return unsupported(solved.note);
  SolveReport report;
  report.status = solved.status;
  report.iterations = solved.cg_iterations + solved.sweeps;
  report.note = solved.note;
  return report;
}

}  // namespace tact
