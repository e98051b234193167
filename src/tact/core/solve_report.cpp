#include <tact/core/solve_report.hpp>

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

}  // namespace tact
