// Stored problems by the solvers of the exact Coulomb cone (tact/solvers/cone), whatever form they have.
#pragma once

#include <string_view>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_problem.hpp>
#include <tact/contact/friction_residuals.hpp>
#include <tact/contact/global_problem.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>

namespace tact {

struct SolvedFriction {
  SolveReport report;  // its residual is rel_q
  FrictionSolution solution;
  FrictionResiduals residuals;
};

SolvedFriction solve_stored(const FrictionProblem& problem, std::string_view solver,
                            const FrictionOptions& options);

// The time reported includes that of making W.
SolvedFriction solve_stored(const GlobalFrictionProblem& problem, std::string_view solver,
                            const FrictionOptions& options);

// A contact problem with its velocities eliminated, from the warm start in `solution` where its
// size fits. The residual reported is that of all contact problems, Residuals::worst() in m/s, and
// so is the tolerance. `unsupported` where W would take more than a gigabyte.
SolveReport solve_condensed(const ContactProblem& problem, ContactSolution& solution,
                            std::string_view solver, double tolerance, int max_iterations);

}  // namespace tact
