// The iterative solver of contact problems: one loop, and for every component of A a choice of what
// stands in for A^-1 in it. docs/contact-problem.md gives the derivation.
//
//   x = v - v*,  A x = J' lambda + rest,  u = q + J x,  q = J v* + bias, contact law (u, lambda)
//
// `rest` may be of components that are `nodal`.
// A pass takes P = A where a component is `exact`, P = om D (D the diagonal blocks of A) where it
// is `nodal`, and solves by projected Gauss-Seidel over the contacts
//   x+ = y + P^-1 (J' lambda - A y),   u = q + J x+,   contact law (u, lambda)
// The fixed point does not depend on P. With P = A throughout one pass is all: exact constraint
// anticipation. With P = D, y = x and a Gauss-Seidel pass on A x = J' lambda it is the ICA of
// [Otaduy09], which reproduction/ica.hpp has as printed.
//
// Contacts that share a component form an island. Islands are independent, and run as tasks; the
// bits of the answer do not depend on the number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/judge.hpp>
#include <tact/contact/law.hpp>
#include <tact/core/solve_report.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/solvers/nested/island_plan.hpp>

namespace tact {

enum class NestedScheme {
  accelerated,   // P = om D, om >= rho(D^-1 A), Nesterov's y: few products with A on stiff meshes
  gauss_seidel,  // sweeps on the current x, then a Gauss-Seidel pass on A x = J' lambda
};

struct NestedOptions {
  PlanOf plan = plain_plan;
  NestedScheme scheme = NestedScheme::accelerated;  // that passes begin with
  // Components of up to so many nodes are treated exactly: factored, with the responses of all
  // their contacts to each other in a dense matrix. Lone rigid bodies and lone nodes always are.
  int max_exact_nodes = 200;
  int max_passes = 1000;  // products with A, in islands that have nodal components
  int max_sweeps = 4000;  // in islands that have none
  // Work that is done even where the warm start is within the tolerance: see ContactStepOptions.
  int min_passes = 0;
  int min_sweeps = 0;
  double tolerance = 3e-3;  // m/s, on Residuals::natural and Residuals::momentum
  FrictionLaw law = FrictionLaw::disc;
  // The collective correction after the sweeps of every pass, on islands in which many contacts
  // push a rigid body and no component is exact: docs/coupling.md.
  bool correct_bodies = true;
  bool keep_history = false;
};

// Two ways in which the loop is known. `auto` has a third, in solvers/automatic.hpp.
[[nodiscard]] NestedOptions anticipation_options();  // everything exact: anticipation.md
[[nodiscard]] NestedOptions accelerated_options();   // everything nodal: contact-problem.md

struct NestedReport {
  SolveStatus status = SolveStatus::iteration_limit;
  int islands = 0;
  int passes = 0;               // most in an island
  int sweeps = 0;               // most in an island
  int factors = 0;              // of Newton's method, most in an island
  int inexact = 0;              // islands that missed Goal::exact, where their plan aims at it
  Residuals residuals;          // measured on what is returned
  std::vector<double> history;  // worst residual (m/s) of the largest island, by pass or sweep
  bool ok() const { return status == SolveStatus::converged; }
};

struct NestedIslands;

// Keeps its memory, the factors and the responses between solves.
class NestedSolver {
 public:
  explicit NestedSolver(const NestedOptions& options = {});
  ~NestedSolver();
  NestedSolver(NestedSolver&&) noexcept;
  NestedSolver& operator=(NestedSolver&&) noexcept;

  // To be called when A has changed. Ready factors may be handed in, one a component, null where
  // there is none; they must outlive the solves. Missing ones are made when a contact needs them.
  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors = {});

  // Since begin() contacts may only have been appended: what is known of the others is kept, and
  // the responses of new ones are added. Biases, mu and v* may change. The solution is the warm
  // start.
  NestedReport solve(const ContactProblem& problem, ContactSolution& solution);

 private:
  std::unique_ptr<NestedIslands> islands_;
};

}  // namespace tact
