// Coulomb's law of a contact as an equation F = 0 that has one-sided derivatives (Alart, Curnier):
//
//   x = lambda_n - rho_n u_n,       F_n = lambda_n - max(0, x)
//   y = lambda_T - rho_T u_T,       b = mu max(0, x)
//   F_T = rho_T u_T where |y| < b (stick), else lambda_T - b y / |y| (slip, or open)
//
// and dF = A dlambda + B du. Of the D equations dF = -F some concern the contact's impulse alone:
//
//   open    dlambda = -F
//   slip    t . dlambda_T - mu dlambda_n = mu F_n - t . F_T,  t = y / |y|: row t less mu row n,
//           whose terms in du cancel
//
// A bilateral row has F_n = lambda_n - clamp(x), F_T = lambda_T: between its limits it has one
// unknown, at one of them none.
//
// They are used beforehand, so that an open contact has no unknown in a system of all contacts, a
// sliding one D - 1, and only a sticking one D.
#pragma once

#include <vector>

#include <tact/solvers/cone/block_problem.hpp>

namespace tact {

template <int D>
struct AlartCurnier {
  double rho_n, rho_T;
  ImpulseSet set;

  // w: the contact's own block of W. alpha: what a proximal term adds to its diagonal.
  AlartCurnier(const ContactMatrix<D>& w, const ImpulseSet& of_contact, double alpha = 0.0);

  ContactVector<D> value(const ContactVector<D>& lambda, const ContactVector<D>& u) const;

  struct Derivative {
    ContactMatrix<D> A, B;
    bool open;           // or a row at its limit: A = I, B = 0
    TangentVector<D> t;  // the direction against which it slips; zero where it does not
  };
  Derivative derivative(const ContactVector<D>& lambda, const ContactVector<D>& u) const;
};

// dF = -F of one contact with its own equations used:
//   dlambda = C xi + d,   R (A dlambda + B du) = -R F
template <int D>
struct ReducedContact {
  int rows = 0;  // of R that are left, and entries of xi: columns of C. The others are zero
  ContactMatrix<D> C, R;
  ContactVector<D> d;
  ContactMatrix<D> RA, RB;
  ContactVector<D> right;  // -R F

  ReducedContact() = default;
  ReducedContact(const AlartCurnier<D>& law, const ContactVector<D>& lambda,
                 const ContactVector<D>& u);
};

template <int D>
std::vector<AlartCurnier<D>> alart_curnier(const BlockProblem<D>& problem, double alpha = 0.0);

extern template struct AlartCurnier<2>;
extern template struct AlartCurnier<3>;
extern template struct ReducedContact<2>;
extern template struct ReducedContact<3>;

}  // namespace tact
