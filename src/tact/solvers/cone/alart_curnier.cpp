#include <tact/solvers/cone/alart_curnier.hpp>

#include <algorithm>

namespace tact {
namespace {

double inverse_or_one(double w)
{
  constexpr double zero = 1e-12;  // W is scaled to a mean diagonal of one
  return w > zero ? 1.0 / w : 1.0;
}

}  // namespace

template <int D>
AlartCurnier<D>::AlartCurnier(const ContactMatrix<D>& w, const ImpulseSet& of_contact, double alpha)
    : rho_n(inverse_or_one(w(0, 0) + alpha)),
      rho_T(inverse_or_one(w.diagonal().template tail<D - 1>().maxCoeff() + alpha)),
      set(of_contact)
{
}

template <int D>
ContactVector<D> AlartCurnier<D>::value(const ContactVector<D>& lambda,
                                        const ContactVector<D>& u) const
{
  if (set.is_row) {
    ContactVector<D> F = lambda;
    F[0] -= set.clamped(lambda[0] - rho_n * u[0]);
    return F;
  }
  const double x = std::max(0.0, lambda[0] - rho_n * u[0]);
  const double bound = set.mu * x;
  const TangentVector<D> y = lambda.template tail<D - 1>() - rho_T * u.template tail<D - 1>();
  const double length = y.norm();
  ContactVector<D> F;
  F[0] = lambda[0] - x;
  if (length < bound)
    F.template tail<D - 1>() = rho_T * u.template tail<D - 1>();
  else
    F.template tail<D - 1>() =
        lambda.template tail<D - 1>() - (length > 0.0 ? bound / length : 0.0) * y;
  return F;
}

template <int D>
typename AlartCurnier<D>::Derivative AlartCurnier<D>::derivative(const ContactVector<D>& lambda,
                                                                 const ContactVector<D>& u) const
{
  const double x = lambda[0] - rho_n * u[0];
  const bool held = set.is_row ? x <= set.lower || x >= set.upper : x <= 0.0;
  if (held)
    return {ContactMatrix<D>::Identity(), ContactMatrix<D>::Zero(), true, TangentVector<D>::Zero()};
  ContactVector<D> y = lambda - rho_T * u;
  y[0] = x;
  const ClampDerivative<D> clamp = clamp_branch<D>(y, set.mu * x, set.mu);
  Derivative at{ContactMatrix<D>::Identity() - clamp.C, rho_T * clamp.C, false, clamp.t};
  at.B.col(0) = rho_n * clamp.C.col(0);
  return at;
}

template <int D>
ReducedContact<D>::ReducedContact(const AlartCurnier<D>& law, const ContactVector<D>& lambda,
                                  const ContactVector<D>& u)
{
  const ContactVector<D> F = law.value(lambda, u);
  const typename AlartCurnier<D>::Derivative at = law.derivative(lambda, u);
  C.setZero();
  R.setZero();
  d.setZero();
  if (at.open) {
    d = -F;
  } else if (law.set.mu == 0.0) {  // A_T = I, B_T = 0
    rows = 1;
    C(0, 0) = R(0, 0) = 1.0;
    d.template tail<D - 1>() = -F.template tail<D - 1>();
  } else if (at.t.isZero(0.0)) {
    rows = D;
    C.setIdentity();
    R.setIdentity();
  } else {
    rows = D - 1;
    C(0, 0) = R(0, 0) = 1.0;
    C.template block<D - 1, 1>(1, 0) = law.set.mu * at.t;
    d.template tail<D - 1>() = (law.set.mu * F[0] - at.t.dot(F.template tail<D - 1>())) * at.t;
    if constexpr (D == 3) {  // across the slip
      const Vector2d s(-at.t[1], at.t[0]);
      C.template block<2, 1>(1, 1) = s;
      R.template block<1, 2>(1, 1) = s.transpose();
    }
  }
  RA = R * at.A;
  RB = R * at.B;
  right = -R * F;
}

template <int D>
std::vector<AlartCurnier<D>> alart_curnier(const BlockProblem<D>& problem, double alpha)
{
  std::vector<AlartCurnier<D>> contacts;
  contacts.reserve(problem.sets.size());
  for (int c = 0; c < problem.contacts(); ++c)
    contacts.emplace_back(problem.own(c), problem.sets[c], alpha);
  return contacts;
}

template struct AlartCurnier<2>;
template struct AlartCurnier<3>;
template struct ReducedContact<2>;
template struct ReducedContact<3>;
template std::vector<AlartCurnier<2>> alart_curnier(const BlockProblem<2>&, double);
template std::vector<AlartCurnier<3>> alart_curnier(const BlockProblem<3>&, double);

}  // namespace tact
