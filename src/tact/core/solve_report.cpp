#include <tact/core/solve_report.hpp>

#include <limits>
#include <utility>

namespace tact {

std::string_view name(SolveStatus status)
{
  switch (status) {
    case SolveStatus::converged: return "converged";
    case SolveStatus::iteration_limit: return "iteration_limit";
    case SolveStatus::stalled: return "stalled";
    case SolveStatus::no_solution: return "no_solution";
    case SolveStatus::unsupported: return "unsupported";
  }
  return "unknown";
}

SolveReport unsupported(std::string note)
{
  SolveReport report;
  report.status = SolveStatus::unsupported;
  report.residual = std::numeric_limits<double>::infinity();
  report.note = std::move(note);
  return report;
}

}  // namespace tact
