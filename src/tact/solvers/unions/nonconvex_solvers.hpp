// Unions of half-spaces between rigid bodies, by pivoting; of bodies of any kind by UnionSolver
// (union_contact_solver.hpp). docs/nonconvex.md
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_pyramid.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/unions/nonconvex_method.hpp>
#include <tact/solvers/unions/side_selection.hpp>
#include <tact/solvers/unions/union_lcp.hpp>

namespace tact {

struct NonconvexOptions {
  NonconvexMethod method = NonconvexMethod::selection;
  double tolerance = 1e-9;        // on the residual below, relative
  int directions = 8;             // sides of the friction pyramid; 4 to 64, even
  UnionConstants constants = {};  // entries of 0 are chosen from the problem
  int max_enumerated_groups = 6;  // side selection: as in SelectionOptions
  int max_trials = 4096;
};

struct NonconvexReport {
  // `no_solution`: all paths of Lemke ended on rays, which for these matrices proves nothing; or,
  // of side selection, that no choice of sides has an answer. The residual is that of
  // measure_unions().
  SolveReport solve;
  std::vector<int> acting;    // sides that carry an impulse, ascending
  double work = 0.0;          // J: (v - v*)' A (v - v*) / 2
  double forbidden = 0.0;     // m/s: how deep the end state lies in a forbidden region
  UnionConstants constants;   // of the forms: what was used
  double gamma_margin = 0.0;  // m/s: gamma - a_s - max |a|; the paper asks for more than 0
  int constraints = 0;        // rows of the LCP
  int trials = 0;             // side selection: convex problems solved
  bool exhaustive = false;    // side selection: as in SelectionReport
};

// For rigid bodies only, by pivoting and with a friction pyramid. Throws Error for a problem that
// validate() refuses, and for constants that are given but do not fit.
NonconvexReport solve_rigid_unions(const ContactProblem& problem, ContactSolution& solution,
                                   const NonconvexOptions& options = {});

// Sides that carry more than 1e-12 of the largest impulse, ascending. Three entries a contact.
std::vector<int> acting_sides(const SideGroups& groups, const VectorXd& lambda);

// The judge: the residuals of the convex problem in which effective_normal_velocities() stand in
// for u_n of the sides, so that 0 exactly where the law of the form holds.
Residuals measure_unions(const ContactProblem& problem, const ContactSolution& solution,
                         const FrictionPyramid& pyramid, UnionForm form = UnionForm::max,
                         double cap = 0.0);

}  // namespace tact
