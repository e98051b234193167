#include <tact/bodies/midpoint_spin.hpp>

#include <cmath>
#include <optional>

#include <Eigen/LU>

#include <tact/bodies/rotation.hpp>

namespace tact {
namespace {

constexpr double tolerance = 1e-14;  // relative; evaluating the equation alone costs some 1e-15
constexpr int max_newton_steps = 15;

// With f(y) = K y - E' l - sigma x (E' u) and d(E' a) = (h/2) [E' a]x T dy:
//   f' = K - (h/2) ([E' l]x + [sigma]x [E' u]x) T
// T is the right tangent of the exponential, exp(a + d) = exp(a) exp(T d) to first order in d.
std::optional<Vector3d> newton(const MidpointSpin& spin, double dt, Vector3d y)
{
  const double scale = spin.l.norm() + spin.sigma.norm() * spin.u.norm();
  for (int step = 0; step < max_newton_steps; ++step) {
    const Vector3d turn = (0.5 * dt) * y;
    const TurnSeries series = turn_series(turn);
    const Matrix3d X = cross_matrix(turn), XX = X * X;
    const Matrix3d back = Matrix3d::Identity() - series.sine * X + series.cosine * XX;  // E'
    const Vector3d l = back * spin.l, u = back * spin.u;
    const Vector3d f = spin.K * y - l - spin.sigma.cross(u);
    if (f.norm() <= tolerance * scale) return y;
    const Matrix3d T = Matrix3d::Identity() - series.cosine * X + series.remainder * XX;
    const Matrix3d turning = cross_matrix(l) + cross_matrix(spin.sigma) * cross_matrix(u);
    y -= (spin.K - (0.5 * dt) * turning * T).inverse() * f;
    if (!y.allFinite()) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Vector3d> follow(const MidpointSpin& spin, Vector3d y, int pieces)
{
  for (int k = 1; k <= pieces; ++k) {
    const std::optional<Vector3d> next = newton(spin, spin.dt * k / pieces, y);
    if (!next) return std::nullopt;
    y = *next;
  }
  return y;
}

// f(y) = K y - (l + exp(-h y) l) / 2, with the same derivative of the exponential as above. Inertia
// of very different moments does not let rounding go below `enough`.
std::optional<Vector3d> newton_keeping_energy(const MidpointSpin& spin, Vector3d y)
{
  constexpr double enough = 1e-12;  // relative
  double error = 0.0;
  for (int step = 0; step < max_newton_steps; ++step) {
    const Vector3d turn = spin.dt * y;
    const TurnSeries series = turn_series(turn);
    const Matrix3d X = cross_matrix(turn), XX = X * X;
    const Matrix3d back = Matrix3d::Identity() - series.sine * X + series.cosine * XX;
    const Vector3d l = back * spin.l;
    const Vector3d f = spin.K * y - 0.5 * (spin.l + l);
    error = f.norm();
    if (error <= tolerance * spin.l.norm()) return y;
    const Matrix3d T = Matrix3d::Identity() - series.cosine * X + series.remainder * XX;
    y -= (spin.K - (0.5 * spin.dt) * cross_matrix(l) * T).inverse() * f;
    if (!y.allFinite()) return std::nullopt;
  }
  return error <= enough * spin.l.norm() ? std::optional(y) : std::nullopt;
}

}  // namespace

KeepingSpin solve_keeping_energy(const MidpointSpin& spin)
{
  constexpr double farthest = 1.0;  // rad, of a: beyond, C is nearly singular
  const Vector3d start = spin.K.inverse() * spin.l;
  const std::optional<Vector3d> y = newton_keeping_energy(spin, start);
  if (!y || 0.5 * spin.dt * y->norm() > farthest) return {solve(spin), spin.K};
  const double speed = y->norm();
  if (speed == 0.0) return {*y, spin.K};
  const double cosine = std::cos(0.5 * spin.dt * speed);
  const Vector3d n = *y / speed;
  const Matrix3d C_inverse =
      Matrix3d::Identity() / cosine + (1.0 - 1.0 / cosine) * n * n.transpose();
  return {*y, C_inverse * spin.K * C_inverse};
}

Vector3d solve(const MidpointSpin& spin)
{
  const Vector3d start = spin.K.inverse() * (spin.l + spin.sigma.cross(spin.u));
  for (const int pieces : {1, 4, 16, 64})
    if (const std::optional<Vector3d> y = follow(spin, start, pieces)) return *y;
  return start;
}

}  // namespace tact
