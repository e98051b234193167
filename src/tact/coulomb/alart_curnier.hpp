// Coulomb's law of a contact as an equation F = 0 that has one-sided derivatives (Alart, Curnier):
//
//   x = lambda_n - rho_n u_n,       F_n = lambda_n - max(0, x)
//   y = lambda_T - rho_T u_T,       b = mu max(0, x)
//   F_T = rho_T u_T where |y| < b (stick), else lambda_T - b y / |y| (slip, or open)
//
// and dF = A dlambda + B du.
#pragma once

#include <vector>

#include <tact/coulomb/block_problem.hpp>

namespace tact {

template <int D>
struct AlartCurnier {
  double rho_n, rho_T, mu;

  AlartCurnier(const ContactMatrix<D>& w, double mu_of_contact);

  ContactVector<D> value(const ContactVector<D>& lambda, const ContactVector<D>& u) const;

  struct Derivative {
    ContactMatrix<D> A, B;
    bool open;  // A = I, B = 0: the contact can be eliminated beforehand
  };
  Derivative derivative(const ContactVector<D>& lambda, const ContactVector<D>& u) const;
};

template <int D>
std::vector<AlartCurnier<D>> alart_curnier(const BlockProblem<D>& problem);

extern template struct AlartCurnier<2>;
extern template struct AlartCurnier<3>;

}  // namespace tact
