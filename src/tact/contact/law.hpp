// The contact law, one contact at a time. No other place says it.
//
//   0 <= u_n  perp  lambda_n >= 0
//   lambda_T in lambda_n mu S, and u_T . (s - lambda_T) >= 0 for all s in it  (maximal dissipation)
//
// where S is the unit disc (Coulomb; in the plane, D = 2, an interval), or the square [-1, 1]^2
// along the two tangents: the 4-sided pyramid of [Otaduy09] Sec. 3.4 with both signs allowed. The
// pyramid of d sides that pivoting methods ask for is in friction_pyramid.hpp; several contacts at
// a time, one a SIMD lane, in law_lanes.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include <tact/core/types.hpp>

namespace tact {

enum class FrictionLaw { disc, pyramid };

template <int D>
using ContactVector = Eigen::Matrix<double, D, 1>;  // normal first
template <int D>
using ContactMatrix = Eigen::Matrix<double, D, D>;
template <int D>
using TangentVector = Eigen::Matrix<double, D - 1, 1>;

// The entries of one contact in a vector of all.
template <int D>
inline auto part(VectorXd& all, int contact)
{
  return all.segment<D>(D * contact);
}
template <int D>
inline auto part(const VectorXd& all, int contact)
{
  return all.segment<D>(D * contact);
}

// ---- The cone K = { lambda_T in lambda_n mu S }

// The tangents cut to a bound.
inline Vector3d clamp_tangents(const Vector3d& z, double bound, FrictionLaw law)
{
  if (law == FrictionLaw::pyramid) {
    return {z[0], std::clamp(z[1], -bound, bound), std::clamp(z[2], -bound, bound)};
  }
  const double squared = z[1] * z[1] + z[2] * z[2];
  const double scale = squared > bound * bound ? bound / std::sqrt(squared) : 1.0;
  return {z[0], scale * z[1], scale * z[2]};
}

// lambda_n stays where it is >= 0, and lambda_T is cut to what it allows: not the nearest point of
// K, but what a step of Gauss-Seidel wants.
inline Vector3d clamp_to_cone(const Vector3d& z, double mu, FrictionLaw law)
{
  const double n = std::max(0.0, z[0]);
  return clamp_tangents({n, z[1], z[2]}, mu * n, law);
}

// The derivative by y of (y_n, y_T cut to a bound), of the branch that y is in: sticking or
// sliding. `slope`: what the bound gains with y_n, mu; or 0, where it is held: then this is
// symmetric, the second derivative of clamp_potential() where y_n > 0. `t`: y_T / |y_T| where it
// slides, else 0.
template <int D>
struct ClampDerivative {
  ContactMatrix<D> C;
  TangentVector<D> t;
};
template <int D>
ClampDerivative<D> clamp_branch(const ContactVector<D>& y, double bound, double slope)
{
  const auto y_T = y.template tail<D - 1>();
  const double length = y_T.norm();
  ClampDerivative<D> at{ContactMatrix<D>::Identity(), TangentVector<D>::Zero()};
  if (bound > 0.0 && length <= bound) return at;
  auto C_TT = at.C.template block<D - 1, D - 1>(1, 1);
  C_TT.setZero();
  if (length == 0.0) return at;
  at.t = y_T / length;
  at.C.template block<D - 1, 1>(1, 0) = slope * at.t;
  C_TT =
      bound / length * (Eigen::Matrix<double, D - 1, D - 1>::Identity() - at.t * at.t.transpose());
  return at;
}
Matrix3d clamp_derivative(const Vector3d& y, double bound, double slope, FrictionLaw law);

// d clamp_to_cone(y) / d y where y_n > 0.
inline Matrix3d clamp_derivative(const Vector3d& y, double mu, FrictionLaw law)
{
  return clamp_derivative(y, mu * y[0], mu, law);
}

// A convex function whose gradient is y with a normal part >= 0 and tangents cut to `bound`.
double clamp_potential(const Vector3d& y, double bound, FrictionLaw law);

// The point of K nearest to z.
template <int D>
ContactVector<D> project_on_cone(const ContactVector<D>& z, double mu,
                                 FrictionLaw law = FrictionLaw::disc);

// How far lambda lies outside of K: the largest of -lambda_n and |lambda_T| - mu lambda_n, N s.
template <int D>
inline double cone_violation(const ContactVector<D>& lambda, double mu,
                             FrictionLaw law = FrictionLaw::disc)
{
  const auto t = lambda.template tail<D - 1>();
  const double tangent = law == FrictionLaw::disc ? t.norm() : t.cwiseAbs().maxCoeff();
  return std::max({0.0, -lambda[0], tangent - mu * lambda[0]});
}

// ---- The law as a complementarity of cones: K* contains u^, u^ . lambda = 0, lambda in K

// mu |u_T| in the norm dual to S: De Saxce's shift, what is added to u_n.
template <int D>
inline double de_saxce_shift(const ContactVector<D>& u, double mu,
                             FrictionLaw law = FrictionLaw::disc)
{
  if (mu == 0.0) return 0.0;
  const auto t = u.template tail<D - 1>();
  return mu * (law == FrictionLaw::disc ? t.norm() : t.cwiseAbs().sum());
}

// u^ = u + (mu |u_T|, 0).
template <int D>
inline ContactVector<D> shifted(const ContactVector<D>& u, double mu,
                                FrictionLaw law = FrictionLaw::disc)
{
  ContactVector<D> moved = u;
  moved[0] += de_saxce_shift<D>(u, mu, law);
  return moved;
}

// w lambda - P_K(w lambda - u^), m/s: zero exactly where the law holds. w >= 0 is the contact's
// response to its own impulse, 1/kg. K is a cone, so this is w (lambda - P_K(lambda - u^ / w)), and
// a contact without response needs no case.
template <int D>
ContactVector<D> natural_map(const ContactVector<D>& u, const ContactVector<D>& lambda, double mu,
                             double w, FrictionLaw law = FrictionLaw::disc);

// ---- Blocks of rows: contacts, and bilateral rows with their limits

// w beta - clamp(w beta - velocity, w lower, w upper) of a bilateral row, m/s: zero exactly where
// it holds. w >= 0 is its response, 1/kg.
inline double row_natural_map(double velocity, double beta, double lower, double upper, double w)
{
  if (!std::isfinite(lower) && !std::isfinite(upper)) return velocity;
  const auto times_w = [w](double limit) { return std::isfinite(limit) ? w * limit : limit; };
  return w * beta - std::clamp(w * beta - velocity, times_w(lower), times_w(upper));
}

// Where the impulse of a block lies: in a friction cone; or, of a bilateral row, which is the first
// row of its block, between limits, with the other entries zero.
struct ImpulseSet {
  double mu = 0.0;
  bool is_row = false;
  double lower = 0.0, upper = 0.0;  // N s or N m s, of a row

  double clamped(double beta) const { return std::clamp(beta, lower, upper); }
};

template <int D>
inline ContactVector<D> project(const ContactVector<D>& z, const ImpulseSet& set)
{
  if (!set.is_row) return project_on_cone<D>(z, set.mu);
  return set.clamped(z[0]) * ContactVector<D>::Unit(0);
}

template <int D>
inline ContactVector<D> natural_map(const ContactVector<D>& u, const ContactVector<D>& lambda,
                                    const ImpulseSet& set, double w)
{
  if (!set.is_row) return natural_map<D>(u, lambda, set.mu, w);
  return row_natural_map(u[0], lambda[0], set.lower, set.upper, w) * ContactVector<D>::Unit(0);
}

// How far an impulse lies outside of its set, N s.
template <int D>
inline double violation(const ContactVector<D>& lambda, const ImpulseSet& set)
{
  if (!set.is_row) return cone_violation<D>(lambda, set.mu);
  return std::abs(lambda[0] - set.clamped(lambda[0]));
}

// ---- One contact while the others rest: u = u_0 + w lambda, w its own response, 1/kg

// The largest eigenvalue of w_TT. w is symmetric but for round-off: the product of its entries
// beside the diagonal may be negative where these are all but 0, so their mean is squared instead.
inline double largest_tangent_response(const Matrix3d& w)
{
  const double half_difference = 0.5 * (w(1, 1) - w(2, 2)), across = 0.5 * (w(1, 2) + w(2, 1));
  return 0.5 * (w(1, 1) + w(2, 2)) + std::sqrt(half_difference * half_difference + across * across);
}

struct OwnResponse {
  Matrix3d w;
  double per_normal = 0.0;   // 1 / w_nn
  double per_tangent = 0.0;  // 1 / the largest eigenvalue of w_TT

  OwnResponse() = default;
  // A contact that moves nothing keeps no impulse.
  explicit OwnResponse(const Matrix3d& response) : w(response)
  {
    const double largest = largest_tangent_response(w);
    per_normal = w(0, 0) > 0.0 ? 1.0 / w(0, 0) : 0.0;
    per_tangent = largest > 0.0 ? 1.0 / largest : 0.0;
  }
  Vector3d steps() const { return {per_normal, per_tangent, per_tangent}; }
};

// What relaxation knows of a contact.
struct Friction {
  static constexpr double follows = -1.0;

  double mu = 0.0;
  double bound = follows;  // N s: of friction, where it is held; else mu times the normal impulse

  double allows(double n) const { return bound >= 0.0 && n > 0.0 ? bound : mu * n; }
};

// Some visits in a row, each: normal first, then the tangents with the bound that it gives.
//
//   n  <- max(0, n - u_n / w_nn)
//   t  <- t - u_T / |w_TT|, cut to mu n         disc
//   t_k <- t_k - u_k / w_kk, clamped to mu n    pyramid, one after the other
inline Vector3d relax(const OwnResponse& own, const Friction& friction, FrictionLaw law, Vector3d u,
                      Vector3d lambda, int visits = 1)
{
  const Matrix3d& w = own.w;
  for (int visit = 0; visit < visits; ++visit) {
    const double n = std::max(0.0, lambda[0] - u[0] * own.per_normal);
    u += w.col(0) * (n - lambda[0]);
    lambda[0] = n;
    if (friction.mu == 0.0) continue;
    const double bound = friction.allows(n);
    if (law == FrictionLaw::disc) {
      const Vector3d t = clamp_tangents(
          {n, lambda[1] - u[1] * own.per_tangent, lambda[2] - u[2] * own.per_tangent}, bound, law);
      if (visit + 1 < visits) u += w * (t - lambda);
      lambda = t;
    } else {
      for (int k = 1; k < 3; ++k) {
        const double t = std::clamp(lambda[k] - u[k] / w(k, k), -bound, bound);
        u += w.col(k) * (t - lambda[k]);
        lambda[k] = t;
      }
    }
  }
  return lambda;
}

// lambda with the contact law (u_0 + w lambda, lambda), from a first guess, by relaxation. One
// visit is exact where w is diagonal with equal tangents; otherwise each gains a factor of about
// the squared ratio of its entries off the diagonal. w(0, 0) > 0.
inline Vector3d solve_locally(const Vector3d& u_0, const OwnResponse& own, Vector3d lambda,
                              double mu, FrictionLaw law)
{
  constexpr int most_passes = 30;
  constexpr double accuracy = 1e-13;
  if (mu == 0.0) return {std::max(0.0, -u_0[0] * own.per_normal), 0.0, 0.0};
  for (int pass = 0; pass < most_passes; ++pass) {
    const Vector3d before = lambda;
    lambda = relax(own, {.mu = mu}, law, u_0 + own.w * lambda, lambda);
    if ((lambda - before).squaredNorm() <= accuracy * accuracy * lambda.squaredNorm()) break;
  }
  return lambda;
}

// What a small change of u_0 does: d lambda = misfit - H du_0, by the derivative of the branch that
// y = lambda - steps u is in, for any positive steps. misfit: 0 where the law holds. Both 0 where y
// is open.
struct LocalDerivative {
  Matrix3d H = Matrix3d::Zero();
  Vector3d misfit = Vector3d::Zero();
};
LocalDerivative differentiate_locally(const Vector3d& u, const Matrix3d& w, const Vector3d& steps,
                                      const Vector3d& lambda, double mu, FrictionLaw law);

// The disc's law solved exactly, u = w lambda + q:
//
//   take-off   q_n >= 0: lambda = 0
//   stick      lambda = -w^-1 q lies in K
//   slip       u_n = 0, lambda_T = -mu lambda_n t, t = u_T / |u_T|:
//              lambda_n = -q_n / (w_nn - mu w_nT t),  u_T = lambda_n (w_Tn - mu w_TT t) + q_T
//              2D: t = +1 or -1.  3D: t on the circle with t x u_T = 0, t . u_T >= 0, by Newton's
//              method from the last direction; where that fails, by bisection of all sign changes.
//
// A bilateral row is solved by clamping, lambda_n = -q_n / w_nn between its limits.
template <int D>
class LocalContact {
 public:
  LocalContact(const ContactMatrix<D>& w, const ImpulseSet& set);

  // `guess`: an impulse whose tangential direction is near the answer's, or zero.
  ContactVector<D> solve(const ContactVector<D>& q, const ContactVector<D>& guess) const;

 private:
  ContactMatrix<D> w_;
  ContactMatrix<D> inverse_;
  ImpulseSet set_;
  bool regular_;  // whether inverse_ is of use
};

extern template class LocalContact<2>;
extern template class LocalContact<3>;

}  // namespace tact
