// The pivoting solvers of problems between rigid bodies, and the one door to them. What they are
// for is told by the table of solvers/solvers.hpp.
#pragma once

#include <string_view>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/core/solve_report.hpp>

namespace tact {

struct RigidContactOptions {
  double tolerance = 1e-9;  // on measure(problem, solution, pyramid) of contact/judge.hpp, relative
  int max_iterations = 0;   // 0: each solver chooses from the size of the problem
  int directions = 8;       // sides of the friction pyramid; 4 to 64, even
};

struct RigidContactSolver {
  std::string_view name;
  SolveReport (*solve)(const ContactProblem&, ContactSolution&, const RigidContactOptions&);
  bool takes_limits = false;  // of bilateral rows
};

// All solvers but `auto`, in the order in which `--solver all` runs them.
const std::vector<RigidContactSolver>& rigid_contact_solvers();

// Solves by a named solver or by "auto". Measures the residual and the time; `converged` in the
// report means that the shared residual is within the tolerance, whatever the solver thinks.
// `unsupported` where not all bodies are rigid, or a bilateral row has limits that the solver does
// not take. Groups are left out of account. Throws Error for an unknown name.
SolveReport solve_rigid_contact(const ContactProblem& problem, ContactSolution& solution,
                                std::string_view solver, const RigidContactOptions& options = {});

}  // namespace tact
