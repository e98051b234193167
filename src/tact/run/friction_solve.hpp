// Stored problems by the solvers of the exact Coulomb cone (tact/solvers/cone), whatever form they
// have.
#pragma once

#include <string_view>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_problem.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>

namespace tact {

struct SolvedFriction {
  SolveReport report;  // its residual is rel_q
  FrictionSolution solution;
  Residuals residuals;
};

SolvedFriction solve_stored(const FrictionProblem& problem, std::string_view solver,
                            const FrictionOptions& options);

// Of the global form. The time reported includes that of making W. Bilateral rows count in the
// residuals as contacts do.
SolvedFriction solve_stored(const ContactProblem& problem, std::string_view solver,
                            const FrictionOptions& options);

}  // namespace tact
