// Contact problems of rigid bodies by the pivoting solvers.
#pragma once

#include <string_view>

#include <tact/contact/contact_solver.hpp>

namespace tact {

// By a solver of rigid_contact_solvers(). Of the pyramid with four facets the answer is exact. The
// round cone is solved as a pyramid of 16 sides, which is where Newton's method on the cone then
// starts from. `unsupported` where some component is not a rigid body or some contact has more than
// two of them.
SolveReport solve_by_pivoting(const ContactProblem& problem, ContactSolution& solution,
                              std::string_view solver, const ContactOptions& options);

}  // namespace tact
