#include <tact/bodies/midpoint_spin.hpp>

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

}  // namespace

Vector3d solve(const MidpointSpin& spin)
{
  const Vector3d start = spin.K.inverse() * (spin.l + spin.sigma.cross(spin.u));
  for (const int pieces : {1, 4, 16, 64})
    if (const std::optional<Vector3d> y = follow(spin, start, pieces)) return *y;
  return start;
}

}  // namespace tact
