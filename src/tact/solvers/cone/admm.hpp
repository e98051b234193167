// Alternating directions (ADMM), over-relaxed, on the dual:
//
//   lambda = (W + rho I)^-1 (y + rho z - q - (mu |y_T|, 0))
//   l = 1.5 lambda - 0.5 z,   z+ = P_K(l - y / rho),   y+ = y - rho (l - z+)
//
// At its end y = u^ and z = lambda. One factorisation a value of rho, a solve an iteration: 50 to
// 500 iterations to 1e-4, mostly to 1e-6; the tail beyond is unreliable. W may be singular.
#pragma once

#include <tact/solvers/cone/search.hpp>

namespace tact {

enum class AdmmStart {
  at_point,  // y from the velocities of the point, brought into the dual cone
  at_zero,   // z = y = 0, the point is not looked at
};

struct AdmmOptions {
  int max_iterations = 20000;
  double stop = 0.0;  // rel_q that is enough; the tolerance of the search is enough in any case
  bool leave_when_stalled = true;  // when rel_q has not halved in max(300, a third) iterations
  AdmmStart start = AdmmStart::at_point;
};

// On entry `point` is where to start, on return the best point of this stage; scaled numbers.
// `growth`, where given, is how impulses changed in the last iteration (infeasibility.hpp).
template <int D>
SolveStatus admm(Search<D>& search, VectorXd& point, const AdmmOptions& options,
                 VectorXd* growth = nullptr);

extern template SolveStatus admm(Search<2>&, VectorXd&, const AdmmOptions&, VectorXd*);
extern template SolveStatus admm(Search<3>&, VectorXd&, const AdmmOptions&, VectorXd*);

}  // namespace tact
