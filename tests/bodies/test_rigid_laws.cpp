// Laws of free rigid motion. Tolerances at h = 1 ms; see docs/bodies.md.
#include <numbers>

#include <doctest/doctest.h>

#include <tact/bodies/rigid_body.hpp>
#include <tact/geometry/shapes.hpp>

#include "one_body.hpp"

using namespace tact;

namespace {

// A body with these principal moments (kg m^2), 1 kg, at the origin.
RigidOptions top(const Vector3d& moments, const Vector3d& angular_velocity)
{
  RigidOptions options;
  options.surface = make_box({0.1, 0.1, 0.1});
  options.mass = {1.0, Vector3d::Zero(), moments.asDiagonal()};
  options.angular_velocity = angular_velocity;
  return options;
}

Eigen::Quaterniond orientation_of(const BodyState& state)
{
  return Eigen::Quaterniond(Eigen::Vector4d(state.q.tail<4>()));
}

Vector3d spin_in_body(const BodyState& state)
{
  return orientation_of(state).conjugate() * Vector3d(state.v.tail<3>());
}

}  // namespace

TEST_CASE("free fall: v = n h g and x = h^2 g n (n + 1) / 2, as backward Euler has it")
{
  RigidOptions options = top({1.0, 2.0, 3.0}, {1.0, 2.0, 3.0});
  options.velocity = {2.0, 5.0, 0.0};
  options.force = {0.5, 0.0, -0.25};
  const OneBody one(make_rigid_body("top", options));
  const double h = 1.0 / 128.0;
  const int n = 256;
  const Vector3d a(0.5, -9.75, -0.25);  // 1 kg
  BodyState state = one.start();
  for (int k = 0; k < n; ++k) state = one.step({.dt = h, .gravity = {0.0, -9.75, 0.0}}, state);
  const Vector3d v = options.velocity + n * h * a;
  const Vector3d x = n * h * options.velocity + h * h * n * (n + 1) / 2.0 * a;
  // Only the dense solver rounds: once a step.
  CHECK((state.v.head<3>() - v).norm() <= n * 1e-15 * v.norm());
  CHECK((state.q.head<3>() - x).norm() <= n * 1e-15 * x.norm());
}

TEST_CASE("a body that spins about a principal axis turns by n h w")
{
  const double w = 20.0, h = 0.05;  // 1 rad a step
  const OneBody one(make_rigid_body("top", top({1.0, 2.0, 3.0}, {0.0, 0.0, w})));
  BodyState state = one.start();
  for (int k = 0; k < 1000; ++k) state = one.step({.dt = h}, state);
  const double angle = std::remainder(1000 * h * w, 2.0 * std::numbers::pi);
  const Vector3d x = orientation_of(state) * Vector3d::UnitX();
  CHECK((x - Vector3d(std::cos(angle), std::sin(angle), 0.0)).norm() < 1e-11);  // 1,000 roundings
}

TEST_CASE("the axis of a symmetric top goes round its angular momentum at |L| / I, to order h^2")
{
  const double I = 2.0, I_3 = 3.0, seconds = 2.0;
  const Vector3d w(1.0, 0.0, 8.0);
  const Vector3d L(I * w.x(), 0.0, I_3 * w.z());
  const Vector3d axis_expected =
      Eigen::AngleAxisd(seconds * L.norm() / I, L.normalized()) * Vector3d::UnitZ();
  std::vector<double> errors;
  for (const int n : {500, 1000, 2000}) {
    const OneBody one(make_rigid_body("top", top({I, I, I_3}, w)));
    BodyState state = one.start();
    for (int k = 0; k < n; ++k) state = one.step({.dt = seconds / n}, state);
    errors.push_back((orientation_of(state) * Vector3d::UnitZ() - axis_expected).norm());
  }
  CHECK(errors[2] < 1e-4);  // h = 1 ms
  CHECK(std::log2(errors[0] / errors[1]) == doctest::Approx(2.0).epsilon(0.01));
  CHECK(std::log2(errors[1] / errors[2]) == doctest::Approx(2.0).epsilon(0.01));
}

TEST_CASE("a wing nut flips ten times and keeps momentum to 1e-12 and energy to 1e-5")
{
  const OneBody one(make_rigid_body("nut", top({1.0, 2.0, 3.0}, {0.01, 10.0, 0.0})));
  const Body& body = one.body();
  BodyState state = one.start();
  const double energy = body.kinetic_energy(state.q, state.v);
  const Vector3d L = body.momentum(state.q, state.v).angular;
  double energy_error = 0.0, momentum_error = 0.0, side = 1.0;
  int flips = 0;
  for (int step = 0; flips < 10 && step < 100000; ++step) {
    state = one.step({.dt = 1e-3}, state);
    const double w_2 = spin_in_body(state).y();
    if (std::abs(w_2) > 5.0 && w_2 * side < 0.0) {
      side = -side;
      ++flips;
    }
    energy_error = std::max(energy_error, std::abs(body.kinetic_energy(state.q, state.v) - energy));
    momentum_error = std::max(momentum_error, (body.momentum(state.q, state.v).angular - L).norm());
  }
  CHECK(flips == 10);
  CHECK(momentum_error <= 1e-12 * L.norm());
  CHECK(energy_error <= 1e-11 * energy);  // rounding of some 10,000 steps
}

TEST_CASE("the energy of a free body is kept to rounding over 20,000 steps")
{
  for (const Vector3d& w : {Vector3d(3.0, 2.0, 1.0), Vector3d(0.5, 6.0, 0.5)}) {
    const OneBody one(make_rigid_body("body", top({1.0, 2.0, 3.0}, w)));
    const Body& body = one.body();
    BodyState state = one.start();
    const double energy = body.kinetic_energy(state.q, state.v);
    double error = 0.0;
    for (int k = 0; k < 20000; ++k) {
      state = one.step({.dt = 0.02}, state);
      error = std::max(error, std::abs(body.kinetic_energy(state.q, state.v) - energy));
    }
    CHECK(error <= 1e-11 * energy);
  }
}
