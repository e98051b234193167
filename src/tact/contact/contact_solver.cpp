#include <tact/contact/contact_solver.hpp>

#include <algorithm>

namespace tact {

AuditReport& AuditReport::operator+=(const AuditReport& other)
{
  regions += other.regions;
  unsolved += other.unsolved;
  ambiguous += other.ambiguous;
  difference = std::max(difference, other.difference);
  residual = std::max(residual, other.residual);
  spread = std::max(spread, other.spread);
  return *this;
}

SolveReport solve_once(ContactSolver& solver, const ContactProblem& problem,
                       ContactSolution& solution)
{
  ContactProblem changed = problem;
  solver.begin(changed);
  const ContactReport solved = solver.solve(changed, solution);
  if (solved.status == SolveStatus::unsupported) return unsupported(solved.note);
  SolveReport report;
  report.status = solved.status;
  report.residual = solved.residuals.worst();
  report.iterations = solved.iterations;
  report.note = solved.note;
  return report;
}

}  // namespace tact
