#include <tact/bodies/midpoint_spin.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
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
std::optional<Vector3d> newton_keeping_energy(const MidpointSpin& spin)
{
  constexpr double enough = 1e-12;  // relative
  double error = 0.0;
  Vector3d y = spin.K.inverse() * spin.l;
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

// By how much the body can turn in the step: its spin is at most sqrt(2 T / K_min).
double largest_turn(const MidpointSpin& spin)
{
  const Eigen::SelfAdjointEigenSolver<Matrix3d> moments(spin.K, Eigen::EigenvaluesOnly);
  const double twice_energy = spin.l.dot(spin.K.inverse() * spin.l);
  return spin.dt * std::sqrt(twice_energy / moments.eigenvalues()[0]);
}

}  // namespace

KeepingSpin solve_keeping_energy(const MidpointSpin& spin)
{
  constexpr double nothing = 1e-12;  // rad: its square is below rounding
  constexpr double farthest = 0.1;   // from K, relative
  if (largest_turn(spin) < nothing) return {spin.K.inverse() * spin.l, spin.K};
  const std::optional<Vector3d> y = newton_keeping_energy(spin);
  if (!y || y->dot(spin.l) <= 0.0) return {solve(spin), spin.K};
  const Vector3d m = exp_rotation((-0.5 * spin.dt) * *y) * spin.l;
  const Vector3d Ky = spin.K * *y;
  const Matrix3d update = m * m.transpose() / y->dot(m) - Ky * Ky.transpose() / y->dot(Ky);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix3d> change(update, spin.K,
                                                                  Eigen::EigenvaluesOnly);
  if (change.eigenvalues().cwiseAbs().maxCoeff() > farthest) return {solve(spin), spin.K};
  return {*y, spin.K + update};
}

Eigen::Quaterniond turn_freely(const MidpointSpin& spin)
{
  constexpr double largest_part = 0.5;  // rad
  constexpr double most_parts = 1000.0;
  const double parts = std::clamp(std::ceil(largest_turn(spin) / largest_part), 1.0, most_parts);
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  MidpointSpin part = spin;
  part.dt = spin.dt / parts;
  for (int k = 0; k < static_cast<int>(parts); ++k) {
    part.l = rotation.conjugate() * spin.l;
    const std::optional<Vector3d> y = newton_keeping_energy(part);
    rotation = (rotation * exp_rotation(part.dt * (y ? *y : solve(part)))).normalized();
  }
  return rotation;
}

Vector3d solve(const MidpointSpin& spin)
{
  const Vector3d start = spin.K.inverse() * (spin.l + spin.sigma.cross(spin.u));
  for (const int pieces : {1, 4, 16, 64})
    if (const std::optional<Vector3d> y = follow(spin, start, pieces)) return *y;
  return start;
}

}  // namespace tact
