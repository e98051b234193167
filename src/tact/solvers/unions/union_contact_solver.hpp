// Contact problems with groups of sides: which sides push is decided here, and the convex problem
// of those sides is solved by what solves all others.
//
// The sides come from, in this order:
//   1. Lemke's algorithm on the max or the summation form, where the method names one of them, all
//      bodies are rigid, and the LCP is small. Its answer counts where no path ended on a ray,
//      only sides push that may, and the convex problem of its sides ends in an allowed state;
//   2. side selection; in time steps by local search, from the sides that push in the warm start;
//   3. the first side of every group. A step puts the one there that is widest at its start,
//      so that there is an answer: to stay.
#pragma once

#include <memory>

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/unions/nonconvex_method.hpp>

namespace tact {

struct UnionContactOptions {
  double tolerance = 3e-3;              // m/s, on Residuals::worst()
  FrictionLaw law = FrictionLaw::disc;  // of the convex problems
  NonconvexMethod method = NonconvexMethod::selection;
  int directions = 4;            // of friction in the LCP; see `law`
  int max_trials = 4096;         // convex problems of side selection, at most
  bool from_warm_start = false;  // local search from the sides that push there: for time steps
};

// Problems without groups go straight to the convex solver.
class UnionSolver : public ContactSolver {
 public:
  UnionSolver(std::unique_ptr<ContactSolver> convex, const UnionContactOptions& options);

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override;
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override;

 private:
  std::unique_ptr<ContactSolver> convex_;
  UnionContactOptions options_;
};

}  // namespace tact
