// The table of contact solvers, and the one door to them for the command, tests and benches. Code
// that solves step after step keeps a NestedSolver instead (nested.hpp), with its memory.
#pragma once

#include <string_view>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_law.hpp>
#include <tact/core/solve_report.hpp>

namespace tact {

struct ContactOptions {
  double tolerance = 3e-3;  // m/s, on Residuals::worst(). Below 1e-12 round-off decides
  int max_iterations = 0;   // 0: each solver has its own limit
  FrictionLaw law = FrictionLaw::disc;
};

// Problems with groups of sides (ContactProblem::groups).
enum class Unions { refused, needed, either };

struct ContactSolver {
  std::string_view name;
  std::string_view summary;
  SolveReport (*solve)(const ContactProblem&, ContactSolution&, const ContactOptions&);
  Unions unions = Unions::refused;
};

// All solvers but `auto`, in the order in which `--solver all` runs them.
const std::vector<ContactSolver>& contact_solvers();

// Solves by a named solver or by "auto", from the warm start in `solution` where its sizes fit.
// Measures the residual and the time; `converged` means that the shared residual is within the
// tolerance, whatever the solver thinks. Throws Error for an unknown name.
SolveReport solve_contact(const ContactProblem& problem, ContactSolution& solution,
                          std::string_view solver, const ContactOptions& options = {});

}  // namespace tact
