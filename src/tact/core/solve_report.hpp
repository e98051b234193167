// How a solve ended: the same words for every solver of the project.
#pragma once

#include <string>
#include <string_view>

namespace tact {

enum class SolveStatus {
  converged,        // the shared residual is within the tolerance
  iteration_limit,  // pivots or sweeps ran out first
  stalled,          // ended, but the shared residual is above the tolerance
  no_solution,      // pivoting ended on a ray: nothing there to be found by this method
  unsupported,      // the solver does not take problems of this kind
};

std::string_view name(SolveStatus status);

struct SolveReport {
  SolveStatus status = SolveStatus::iteration_limit;
  double residual = 0.0;  // the shared measure, taken from the problem and the answer alone
  int iterations = 0;     // pivots, block exchanges or sweeps, restarts included
  int restarts = 0;  // times the method began anew with another covering vector or with all rows
  double seconds = 0.0;  // wall time of the solver alone, without the measuring of the residual
  std::string note;      // one sentence where there is more to say; empty otherwise

  bool ok() const { return status == SolveStatus::converged; }
};

// Of a solver that does not take the problem: its residual is infinite, its note says why.
[[nodiscard]] SolveReport unsupported(std::string note);

}  // namespace tact
