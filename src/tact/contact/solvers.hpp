// The table of contact solvers, and the one door to them for the command, tests and benches.
#pragma once

#include <string_view>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/core/solve_report.hpp>

namespace tact {

struct ContactOptions {
  double tolerance = 1e-9;  // on Residuals::worst() of contact/residuals.hpp, relative
  int max_iterations = 0;   // 0: each solver chooses from the size of the problem
  int directions = 8;       // sides of the friction pyramid; 4 to 64, even
};

struct ContactSolver {
  std::string_view name;
  std::string_view summary;
  SolveReport (*solve)(const ContactProblem&, ContactSolution&, const ContactOptions&);
};

// All solvers but `auto`, in the order in which `--solver all` runs them.
const std::vector<ContactSolver>& contact_solvers();

// Solves by a named solver or by "auto". Measures the residual and the time; `converged` in the
// report means that the shared residual is within the tolerance, whatever the solver thinks.
// Throws Error for an unknown name.
SolveReport solve_contact(const ContactProblem& problem, ContactSolution& solution,
                          std::string_view solver, const ContactOptions& options = {});

}  // namespace tact
