// Proximal point outside, semismooth Newton inside: what decides high accuracy.
//
//   outer step k: lambda_k+1 solves the law with u = W lambda + q + alpha (lambda - lambda_k)
//
// alpha makes every inner problem regular, also where W is singular; it is lowered while the inner
// solves are easy and raised where they fail.
#pragma once

#include <tact/solvers/cone/search.hpp>

namespace tact {

struct ProximalOptions {
  double alpha = 1e-2;         // the first; W is scaled to a unit diagonal
  int max_outer = 200;         // outer steps
  int max_inner = 30;          // Newton steps in each
  int patience = 60;           // outer steps without a gain of 30 % in rel_q
  int max_failures = 1 << 30;  // inner solves that fail in a row
};

template <int D>
SolveStatus proximal_point(Search<D>& search, const VectorXd& start,
                           const ProximalOptions& options);

extern template SolveStatus proximal_point(Search<2>&, const VectorXd&, const ProximalOptions&);
extern template SolveStatus proximal_point(Search<3>&, const VectorXd&, const ProximalOptions&);

}  // namespace tact
