#include <tact/contact/law.hpp>

#include <limits>

namespace tact {
namespace {

constexpr double round_off = 1e-15;

// The slipping branch as a function of its direction t.
struct SlipState {
  double cross;   // t x u_T: to be zero
  double slope;   // its derivative by the angle of t
  double along;   // t . u_T: to be >= 0
  double normal;  // lambda_n: to be >= 0
};

SlipState slip_state(const Matrix3d& w, const Vector3d& q, double mu, const Vector2d& t)
{
  const Vector2d turned(-t[1], t[0]);  // dt / dangle
  const Vector2d w_nt = w.block<1, 2>(0, 1).transpose();
  const double denominator = w(0, 0) - mu * w_nt.dot(t);
  const double n = -q[0] / denominator;
  const double dn = n * mu * w_nt.dot(turned) / denominator;
  const auto w_TT = w.block<2, 2>(1, 1);
  const Vector2d response = w.block<2, 1>(1, 0) - mu * (w_TT * t);
  const Vector2d u_T = n * response + q.tail<2>();
  const Vector2d du_T = dn * response - n * mu * (w_TT * turned);
  const double along = t.dot(u_T);
  return {turned.dot(u_T), -along + turned.dot(du_T), along, n};
}

Vector3d slipping_impulse(double normal, double mu, const Vector2d& t)
{
  return {normal, -mu * normal * t[0], -mu * normal * t[1]};
}

Vector2d direction_at(double angle)
{
  return {std::cos(angle), std::sin(angle)};
}

// The root between two angles where `cross` changes its sign.
double bisect(const Matrix3d& w, const Vector3d& q, double mu, double low, double high)
{
  const bool low_is_positive = slip_state(w, q, mu, direction_at(low)).cross > 0.0;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = 0.5 * (low + high);
    const bool positive = slip_state(w, q, mu, direction_at(middle)).cross > 0.0;
    (positive == low_is_positive ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Of all roots found on the circle the one that slides fastest; zero where there is none.
Vector3d slip_by_scan(const Matrix3d& w, const Vector3d& q, double mu)
{
  constexpr int angles = 32;
  constexpr double step = 2.0 * M_PI / angles;
  Vector3d best = Vector3d::Zero();
  double fastest = -std::numeric_limits<double>::infinity();
  SlipState last = slip_state(w, q, mu, direction_at(0.0));
  for (int k = 1; k <= angles; ++k) {
    const SlipState next = slip_state(w, q, mu, direction_at(k * step));
    if (last.cross * next.cross <= 0.0 && last.normal > 0.0 && next.normal > 0.0) {
      const Vector2d t = direction_at(bisect(w, q, mu, (k - 1) * step, k * step));
      const SlipState found = slip_state(w, q, mu, t);
      if (found.along > fastest && found.normal > 0.0) {
        fastest = found.along;
        best = slipping_impulse(found.normal, mu, t);
      }
    }
    last = next;
  }
  return best;
}

Vector2d slip(const Eigen::Matrix2d& w, double mu, const Vector2d& q, const Vector2d&)
{
  Vector2d best = Vector2d::Zero();
  double fastest = -std::numeric_limits<double>::infinity();
  for (const double t : {-1.0, 1.0}) {
    const double denominator = w(0, 0) - mu * t * w(0, 1);
    if (denominator <= 0.0) continue;
    const double n = -q[0] / denominator;
    const double along = t * (n * (w(1, 0) - mu * t * w(1, 1)) + q[1]);
    if (along <= fastest) continue;
    fastest = along;
    best = {n, -mu * t * n};
  }
  return best;
}

// A step of Newton's method turns t by atan(step): no sine or cosine, and as fast near the root.
Vector3d slip(const Matrix3d& w, double mu, const Vector3d& q, const Vector3d& guess)
{
  constexpr int max_steps = 20;
  constexpr double longest_step = 0.84;  // tan of 0.7 rad
  Vector2d t = -guess.tail<2>();
  if (t.squaredNorm() == 0.0) t = q.tail<2>();
  if (t.squaredNorm() == 0.0) t = Vector2d::UnitX();
  t.normalize();
  const double small = round_off * q.norm();
  for (int k = 0; k < max_steps; ++k) {
    const SlipState state = slip_state(w, q, mu, t);
    const double step = -state.cross / state.slope;
    if (std::abs(state.cross) <= small || std::abs(step) < round_off) {
      if (state.along >= -10.0 * small && state.normal >= 0.0)
        return slipping_impulse(state.normal, mu, t);
      break;
    }
    if (!std::isfinite(step)) break;
    const double turn = std::clamp(step, -longest_step, longest_step);
    t = Vector2d(t[0] - turn * t[1], t[1] + turn * t[0]).normalized();
  }
  return slip_by_scan(w, q, mu);
}

// Given its height n, the nearest point clamps the tangents to [-mu n, mu n]. What is left is to
// minimise over n a piecewise quadratic function, whose pieces are told by the number of clamped
// tangents.
Vector3d project_on_square_cone(const Vector3d& z, double mu)
{
  const double longer = std::max(std::abs(z[1]), std::abs(z[2]));
  const double shorter = std::min(std::abs(z[1]), std::abs(z[2]));
  double n = z[0];
  if (longer > mu * n) n = (z[0] + mu * longer) / (1.0 + mu * mu);
  if (shorter > mu * n) n = (z[0] + mu * (longer + shorter)) / (1.0 + 2.0 * mu * mu);
  return clamp_to_cone({n, z[1], z[2]}, mu, FrictionLaw::pyramid);
}

// Inlined: natural maps are most of what a look at many contacts costs.
template <int D>
[[gnu::always_inline]] inline ContactVector<D> project_on_round_cone(const ContactVector<D>& z,
                                                                     double mu)
{
  ContactVector<D> nearest = ContactVector<D>::Zero();
  const double s = z.template tail<D - 1>().norm();
  if (s <= mu * z[0]) return z;
  if (z[0] <= -mu * s) return nearest;
  const double n = (z[0] + mu * s) / (1.0 + mu * mu);
  nearest[0] = n;
  nearest.template tail<D - 1>() = (mu * n / s) * z.template tail<D - 1>();
  return nearest;
}

template <int D>
[[gnu::always_inline]] inline ContactVector<D> nearest(const ContactVector<D>& z, double mu,
                                                       FrictionLaw law)
{
  if (mu == 0.0) return std::max(0.0, z[0]) * ContactVector<D>::UnitX();
  if constexpr (D == 3) {
    if (law == FrictionLaw::pyramid) return project_on_square_cone(z, mu);
  }
  return project_on_round_cone<D>(z, mu);
}

}  // namespace

template <int D>
ContactVector<D> project_on_cone(const ContactVector<D>& z, double mu, FrictionLaw law)
{
  return nearest<D>(z, mu, law);
}

template <int D>
ContactVector<D> natural_map(const ContactVector<D>& u, const ContactVector<D>& lambda, double mu,
                             double w, FrictionLaw law)
{
  // Entry by entry: what is written as one number and read with its neighbours has to wait.
  const auto u_T = u.template tail<D - 1>();
  const auto lambda_T = lambda.template tail<D - 1>();
  ContactVector<D> z;
  z[0] = w * lambda[0] - (u[0] + de_saxce_shift<D>(u, mu, law));
  z.template tail<D - 1>() = w * lambda_T - u_T;
  return w * lambda - nearest<D>(z, mu, law);
}

Matrix3d clamp_derivative(const Vector3d& y, double bound, double slope, FrictionLaw law)
{
  Matrix3d derivative = Matrix3d::Zero();
  if (law == FrictionLaw::disc) derivative = clamp_branch<3>(y, bound, slope).C;
  derivative(0, 0) = y[0] > 0.0 ? 1.0 : 0.0;
  if (law == FrictionLaw::disc) return derivative;
  for (int k = 1; k < 3; ++k) {
    const bool sticks = bound > 0.0 && std::abs(y[k]) <= bound;
    derivative(k, sticks ? k : 0) = sticks ? 1.0 : std::copysign(slope, y[k]);
  }
  return derivative;
}

double clamp_potential(const Vector3d& y, double bound, FrictionLaw law)
{
  const auto cut = [&](double length) {  // Huber's function
    return length <= bound ? 0.5 * length * length : bound * (length - 0.5 * bound);
  };
  const double n = std::max(0.0, y[0]);
  const double tangential = law == FrictionLaw::disc ? cut(std::sqrt(y[1] * y[1] + y[2] * y[2]))
                                                     : cut(std::abs(y[1])) + cut(std::abs(y[2]));
  return 0.5 * n * n + tangential;
}

LocalDerivative differentiate_locally(const Vector3d& u, const Matrix3d& w, const Vector3d& steps,
                                      const Vector3d& lambda, double mu, FrictionLaw law)
{
  const Vector3d y = lambda - steps.cwiseProduct(u);
  LocalDerivative local;
  if (y[0] <= 0.0) return local;
  if (mu == 0.0) {
    local.H(0, 0) = 1.0 / w(0, 0);
    local.misfit[0] = -local.H(0, 0) * u[0];
    return local;
  }
  const Matrix3d C = clamp_derivative(y, mu, law);
  const Matrix3d stepped = C * steps.asDiagonal();
  const Matrix3d inverse = (Matrix3d::Identity() - C + stepped * w).inverse();
  local.H = inverse * stepped;
  local.misfit = inverse * (clamp_to_cone(y, mu, law) - lambda);
  return local;
}

template <int D>
LocalContact<D>::LocalContact(const ContactMatrix<D>& w, const ImpulseSet& set)
    : w_(w), inverse_(ContactMatrix<D>::Zero()), set_(set)
{
  constexpr double singular = 1e-14;  // of the product of the diagonal
  const double determinant = w.determinant();
  regular_ = determinant > singular * w.diagonal().prod() && w.diagonal().minCoeff() > 0.0;
  if (regular_) inverse_ = w.inverse();
}

template <int D>
ContactVector<D> LocalContact<D>::solve(const ContactVector<D>& q,
                                        const ContactVector<D>& guess) const
{
  if (set_.is_row) {
    const double beta = w_(0, 0) > 0.0 ? set_.clamped(-q[0] / w_(0, 0)) : guess[0];
    return beta * ContactVector<D>::Unit(0);
  }
  if (q[0] >= 0.0) return ContactVector<D>::Zero();
  if (regular_) {
    const ContactVector<D> stick = -(inverse_ * q);
    if (stick[0] >= 0.0 && stick.template tail<D - 1>().norm() <= set_.mu * stick[0]) return stick;
  }
  if (set_.mu == 0.0) {
    ContactVector<D> normal = ContactVector<D>::Zero();
    if (w_(0, 0) > 0.0) normal[0] = -q[0] / w_(0, 0);
    return normal;
  }
  return slip(w_, set_.mu, q, guess);
}

template ContactVector<2> project_on_cone<2>(const ContactVector<2>&, double, FrictionLaw);
template ContactVector<3> project_on_cone<3>(const ContactVector<3>&, double, FrictionLaw);
template ContactVector<2> natural_map<2>(const ContactVector<2>&, const ContactVector<2>&, double,
                                         double, FrictionLaw);
template ContactVector<3> natural_map<3>(const ContactVector<3>&, const ContactVector<3>&, double,
                                         double, FrictionLaw);
template class LocalContact<2>;
template class LocalContact<3>;

}  // namespace tact
