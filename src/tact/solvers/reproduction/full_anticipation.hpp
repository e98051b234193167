// Full constraint anticipation, [Otaduy09] Sec. 5.1: W = J A^-1 J' of all contacts as one dense
// matrix, then projected Gauss-Seidel on it. What iterative anticipation is compared with: its time
// grows with the square of the number of contacts, its memory too.
#pragma once

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/law.hpp>
#include <tact/core/solve_report.hpp>

namespace tact {

struct FullAnticipationOptions {
  int max_sweeps = 4000;
  double tolerance = 3e-3;  // m/s, on Residuals::natural
  FrictionLaw law = FrictionLaw::disc;
};

// `unsupported` where there are too many contacts.
[[nodiscard]] SolveReport solve_full_anticipation(const ContactProblem& problem,
                                                  ContactSolution& solution,
                                                  const FullAnticipationOptions& options = {});

}  // namespace tact
