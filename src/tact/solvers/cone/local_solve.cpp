#include <tact/solvers/cone/local_solve.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

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

}  // namespace

template <int D>
LocalContact<D>::LocalContact(const ContactMatrix<D>& w, double mu)
    : w_(w), inverse_(ContactMatrix<D>::Zero()), mu_(mu)
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
  if (q[0] >= 0.0) return ContactVector<D>::Zero();
  if (regular_) {
    const ContactVector<D> stick = -(inverse_ * q);
    if (stick[0] >= 0.0 && stick.template tail<D - 1>().norm() <= mu_ * stick[0]) return stick;
  }
  if (mu_ == 0.0) {
    ContactVector<D> normal = ContactVector<D>::Zero();
    if (w_(0, 0) > 0.0) normal[0] = -q[0] / w_(0, 0);
    return normal;
  }
  return slip(w_, mu_, q, guess);
}

template <int D>
std::vector<LocalContact<D>> local_contacts(const BlockProblem<D>& problem)
{
  std::vector<LocalContact<D>> contacts;
  contacts.reserve(problem.mu.size());
  for (int c = 0; c < problem.contacts(); ++c) contacts.emplace_back(problem.own(c), problem.mu[c]);
  return contacts;
}

template class LocalContact<2>;
template class LocalContact<3>;
template std::vector<LocalContact<2>> local_contacts(const BlockProblem<2>&);
template std::vector<LocalContact<3>> local_contacts(const BlockProblem<3>&);

}  // namespace tact
