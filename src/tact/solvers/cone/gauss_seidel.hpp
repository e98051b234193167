// Nonsmooth Gauss-Seidel with exact local solves (contact/law.hpp), sped up by nonlinear conjugate
// gradients on its fixed-point residual (NNCG):
//
//   lambda+ = sweep(lambda),  r = lambda+ - lambda,  b = |r|^2 / |r_old|^2
//   b > 1: p = r               else: lambda = P_K(lambda+ + b p),  p = b p + r
//
// The cheapest method for loosely coupled or regular problems; on redundant piles its tail is slow.
// A sweep costs 2 D^2 operations a block of W. Nothing is factored.
#pragma once

#include <limits>

#include <tact/solvers/cone/search.hpp>

namespace tact {

struct GaussSeidelOptions {
  int max_sweeps = 20000;
  // Operations: left when the work to the tolerance, as told by the last checks, exceeds this at
  // two checks in a row.
  double patience = std::numeric_limits<double>::infinity();
};

// From `start`, in scaled numbers. `growth`, where given, is how impulses changed in the last
// sweep: where there is no answer they grow along it without bound (infeasibility.hpp).
template <int D>
SolveStatus gauss_seidel(Search<D>& search, const VectorXd& start,
                         const GaussSeidelOptions& options, VectorXd* growth = nullptr);

extern template SolveStatus gauss_seidel(Search<2>&, const VectorXd&, const GaussSeidelOptions&,
                                         VectorXd*);
extern template SolveStatus gauss_seidel(Search<3>&, const VectorXd&, const GaussSeidelOptions&,
                                         VectorXd*);

// Operations of one sweep.
template <int D>
double sweep_work(const BlockProblem<D>& problem)
{
  constexpr double local_solve_work = 400.0;  // a slip solve of a few Newton steps
  return 2.0 * D * D * problem.block_count() + local_solve_work * problem.contacts();
}

}  // namespace tact
