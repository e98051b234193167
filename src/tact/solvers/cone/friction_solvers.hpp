// The solvers of the exact Coulomb cone, and the one door to them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tact/contact/friction_problem.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/cone/velocity_system.hpp>

namespace tact {

struct FrictionOptions {
  double tolerance = 1e-8;        // on the measure below; below 1e-14 of rel_q round-off decides
  int max_iterations = 0;         // of all kinds together; 0: each solver has its own limits
  int max_factorisations = 4000;  // the hardest known pile of rocks takes 3,156
  FrictionMeasure measure = FrictionMeasure::rel_q;
  // How W came about, where that is known: systems are solved in the velocities where that is
  // cheaper. Of 3D problems.
  const VelocityForm* form = nullptr;
};

// The names of all solvers, "auto" first. What they are for is told by the table of
// solvers/solvers.hpp.
[[nodiscard]] std::vector<std::string> friction_solvers();

// Solves by a named solver or by "auto", from solution.lambda where its size fits. The residual
// reported is rel_q, or eps_nat where that is asked for, measured on the answer from outside;
// `converged` means that it is within the tolerance. The best point seen is returned, also where it
// is not. `unsupported` for ipm where there are bilateral rows. Throws Error for an unknown
// name and for problems that validate() rejects.
SolveReport solve_friction(const FrictionProblem& problem, FrictionSolution& solution,
                           std::string_view solver, const FrictionOptions& options = {});

}  // namespace tact
