// Coulomb's law of one contact alone, solved exactly: u = w lambda + q with w the contact's own
// block of W.
//
//   take-off   q_n >= 0: lambda = 0
//   stick      lambda = -w^-1 q lies in K
//   slip       u_n = 0, lambda_T = -mu lambda_n t, t = u_T / |u_T|:
//              lambda_n = -q_n / (w_nn - mu w_nT t),  u_T = lambda_n (w_Tn - mu w_TT t) + q_T
//              2D: t = +1 or -1.  3D: t on the circle with t x u_T = 0, t . u_T >= 0, by Newton's
//              method from the last direction; where that fails, by bisection of all sign changes.
#pragma once

#include <vector>

#include <tact/solvers/cone/block_problem.hpp>

namespace tact {

// The block of one contact with what repeated solves want at hand.
template <int D>
class LocalContact {
 public:
  LocalContact(const ContactMatrix<D>& w, double mu);

  // `guess`: an impulse whose tangential direction is near the answer's, or zero.
  ContactVector<D> solve(const ContactVector<D>& q, const ContactVector<D>& guess) const;

 private:
  ContactMatrix<D> w_;
  ContactMatrix<D> inverse_;
  double mu_;
  bool regular_;  // whether inverse_ is of use
};

template <int D>
std::vector<LocalContact<D>> local_contacts(const BlockProblem<D>& problem);

extern template class LocalContact<2>;
extern template class LocalContact<3>;

}  // namespace tact
