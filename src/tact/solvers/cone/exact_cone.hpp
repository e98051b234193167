// Contact problems by the solvers of the exact Coulomb cone (tact/solvers/cone), with the
// velocities eliminated.
#pragma once

#include <string_view>

#include <tact/contact/contact_solver.hpp>

namespace tact {

// What it may cost.
struct ConeWork {
  double most_entries = 6e7;  // of W: 12 bytes each, twice while it is being scaled
  int most_factorisations = 4000;
};

// By a solver of friction_solvers(), from the warm start in `solution` where its size
// fits; the law of friction is the disc. The residual reported is that of all contact problems.
// `unsupported` where W would have too many entries, with groups of sides, and for the pyramid.
SolveReport solve_exact_cone(const ContactProblem& problem, ContactSolution& solution,
                             std::string_view solver, const ContactOptions& options,
                             const ConeWork& work = {});

}  // namespace tact
