#include <tact/bodies/midpoint_spin.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
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

// The vector of a rotation, of those that differ by whole turns the one nearest to `expected`.
Vector3d turn_near(const Eigen::Quaterniond& rotation, const Vector3d& expected)
{
  const Eigen::AngleAxisd turn(rotation);
  const double whole = 2.0 * std::numbers::pi;
  const double turns = std::round((expected.dot(turn.axis()) - turn.angle()) / whole);
  return (turn.angle() + whole * turns) * turn.axis();
}

// Whether y says enough of the momentum for an inertia half-way that is far from singular.
bool is_usable(const MidpointSpin& spin, const Vector3d& y)
{
  constexpr double least = 0.2;  // of twice the energy
  return y.dot(spin.l) >= least * spin.l.dot(spin.K.inverse() * spin.l);
}

// By how much the body can turn in the step: its spin is at most sqrt(2 T / K_min).
double largest_turn(const MidpointSpin& spin)
{
  const Eigen::SelfAdjointEigenSolver<Matrix3d> moments(spin.K, Eigen::EigenvaluesOnly);
  const double twice_energy = spin.l.dot(spin.K.inverse() * spin.l);
  return spin.dt * std::sqrt(twice_energy / moments.eigenvalues()[0]);
}

// The way of a free body in a step, in parts of half a radian.
struct FreeTurn {
  int parts = 0;
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vector3d way = Vector3d::Zero();  // rad: the sum of its parts
};

std::optional<FreeTurn> free_turn(const MidpointSpin& spin)
{
  constexpr double largest_part = 0.5;  // rad
  constexpr double most_parts = 1000.0;
  const double parts = std::max(1.0, std::ceil(largest_turn(spin) / largest_part));
  if (!(parts <= most_parts)) return std::nullopt;
  FreeTurn turn{.parts = static_cast<int>(parts)};
  MidpointSpin part = spin;
  part.dt = spin.dt / parts;
  for (int k = 0; k < turn.parts; ++k) {
    part.l = turn.rotation.conjugate() * spin.l;
    const std::optional<Vector3d> y = newton_keeping_energy(part);
    if (!y) return std::nullopt;
    turn.way += part.dt * (turn.rotation * *y);
    turn.rotation = (turn.rotation * exp_rotation(part.dt * *y)).normalized();
  }
  return turn;
}

// The one spin that leads where all parts lead. Near whole turns their one rotation may have any
// axis; then the body turns a little further about its momentum, which changes neither that nor the
// energy.
std::optional<Vector3d> one_spin(const MidpointSpin& spin, const FreeTurn& turn)
{
  if (turn.parts == 1) return Vector3d(turn.way / spin.dt);
  for (const double further : {0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5}) {  // rad
    const Vector3d more = further * spin.l.normalized();
    const Vector3d y = turn_near(exp_rotation(more) * turn.rotation, turn.way + more) / spin.dt;
    if (is_usable(spin, y)) return y;
  }
  return std::nullopt;
}

}  // namespace

KeepingSpin solve_keeping_energy(const MidpointSpin& spin)
{
  constexpr double nothing = 1e-12;  // rad: its square is below rounding
  if (largest_turn(spin) < nothing) return {spin.K.inverse() * spin.l, spin.K};
  const std::optional<FreeTurn> turn = free_turn(spin);
  const std::optional<Vector3d> y = turn ? one_spin(spin, *turn) : std::nullopt;
  if (!y || !is_usable(spin, *y)) return {solve(spin), spin.K};
  const Vector3d m = exp_rotation((-0.5 * spin.dt) * *y) * spin.l;
  const Vector3d Ky = spin.K * *y;
  const Matrix3d update = m * m.transpose() / y->dot(m) - Ky * Ky.transpose() / y->dot(Ky);
  return {*y, spin.K + update};
}

Eigen::Quaterniond turn_freely(const MidpointSpin& spin)
{
  const std::optional<FreeTurn> turn = free_turn(spin);
  return turn ? turn->rotation : exp_rotation(spin.dt * solve(spin));
}

Vector3d solve(const MidpointSpin& spin)
{
  const Vector3d start = spin.K.inverse() * (spin.l + spin.sigma.cross(spin.u));
  for (const int pieces : {1, 4, 16, 64})
    if (const std::optional<Vector3d> y = follow(spin, start, pieces)) return *y;
  return start;
}

}  // namespace tact
