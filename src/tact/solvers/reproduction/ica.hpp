// Iterative constraint anticipation as printed, [Otaduy09] Sec. 5: the sweeps of a pass see what
// the contacts do to a Jacobi step, eq. (9), and a Gauss-Seidel pass on A x = J' lambda follows,
// eq. (12). Nothing else helps: solvers/nested is what became of it. docs/ica.md
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/nested/nested_island.hpp>
#include <tact/solvers/reproduction/node_regions.hpp>

namespace tact {

struct IcaOptions {
  int max_passes = 8000;    // from no impulses residuals rise at first, for hundreds of passes
  int min_passes = 0;       // as NestedOptions::min_passes
  double tolerance = 3e-3;  // m/s, on Residuals::natural and Residuals::momentum
  FrictionLaw law = FrictionLaw::disc;
  // Regions by nodes inside a pass: one whose impulses changed in a sweep by less than this share
  // of the tolerance, as velocities, has had enough of the pass. 0: only where nothing changed at
  // all, to the same bits as without regions. Negative: sweeps over all contacts.
  double settled = 0.0;
  // Sweeps of a pass end when the residual of the contacts changes by less than this share between
  // two of them, the paper's 0.05, or after 100; over all contacts at once. 0: always eight.
  double inner_change = 0.0;
  bool keep_history = false;
};

// Keeps its memory between solves, as NestedSolver.
class IcaSolver {
 public:
  explicit IcaSolver(const IcaOptions& options = {});
  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors = {});
  NestedReport solve(const ContactProblem& problem, ContactSolution& solution);

  // In all solves so far: how many passes made how many sweeps. Where inner_change is given.
  [[nodiscard]] std::vector<long> inner_loops() const;

 private:
  IcaOptions options_;
  NestedIslands islands_;
  NodeRegions by_nodes_;
  std::vector<std::vector<ContactRange>> regions_;  // of each island
  std::vector<std::vector<long>> inner_loops_;      // of each island
};

}  // namespace tact
