// What a rigid body promises step by step; its long-term laws are in test_rigid_laws.cpp.
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/bodies/rigid_body.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>

#include "body_contract.hpp"
#include "one_body.hpp"

using namespace tact;

namespace {

// A brick of three different sides whose axes do not start in its centre.
RigidOptions brick()
{
  RigidOptions options;
  options.surface = make_box({0.2, 0.5, 0.3}, 2);
  for (Vector3d& x : options.surface.positions) x += Vector3d(0.4, -0.1, 0.25);
  options.mass = mass_properties(options.surface, 700.0);
  options.position = {1.0, 2.0, -0.5};
  options.orientation = Eigen::Quaterniond(0.5, 0.1, -0.7, 0.3).normalized();
  return options;
}

// A brick whose mass is not where its surface is: the wind turns it.
RigidOptions weather_vane(double drag)
{
  RigidOptions options = brick();
  options.mass.centre += Vector3d(0.05, 0.2, -0.03);
  options.drag = drag;
  options.velocity = {0.5, -1.0, 2.0};
  options.angular_velocity = {3.0, -2.0, 5.0};
  return options;
}

Matrix3d rotation_of(const VectorXd& q)
{
  return Eigen::Quaterniond(q[6], q[3], q[4], q[5]).toRotationMatrix();
}

Matrix3d turn(const Vector3d& w)
{
  return w.norm() == 0.0 ? Matrix3d::Identity()
                         : Eigen::AngleAxisd(w.norm(), w.normalized()).toRotationMatrix();
}

// R I R' about the centre of mass, of the body and of its drag over a step.
Matrix3d angular_block(const RigidOptions& options, double dt, const Matrix3d& R)
{
  // int (r'r - r r') dA by the three-point rule, exact for quadratics.
  Matrix3d Q = Matrix3d::Zero();
  for (int t = 0; t < options.surface.triangle_count(); ++t) {
    const auto corners = options.surface.corners(t);
    const double area = 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).norm();
    for (int k = 0; k < 3; ++k) {
      const Vector3d r = 0.5 * (corners[k] + corners[(k + 1) % 3]) - options.mass.centre;
      Q += area / 3.0 * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
    }
  }
  return R * (options.mass.inertia + dt * options.drag * Q) * R.transpose();
}

std::string rigid_complaint(const RigidOptions& options)
{
  try {
    make_rigid_body("brick", options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("a rigid body keeps the contract of bodies")
{
  const BodyState start = OneBody(make_rigid_body("brick", brick())).start();
  check_body_contract(
      {.make = [] { return make_rigid_body("brick", brick()); }, .exact = {start.q}});
}

TEST_CASE("the origin of the body's axes starts where it is put")
{
  const RigidOptions options = brick();
  const OneBody one(make_rigid_body("brick", options));
  const VectorXd q = one.start().q;
  CHECK((one.body().position(0.0, q, {}) - options.position).norm() < 1e-15 * 10.0);
  const Vector3d local(0.3, -0.2, 0.7);
  const Vector3d expected = options.position + options.orientation * local;
  CHECK((one.body().position(0.0, q, {.local = local}) - expected).norm() < 1e-15 * 10.0);
  CHECK((q.head<3>() - (options.position + options.orientation * options.mass.centre)).norm() <
        1e-15 * 10.0);
}

TEST_CASE("a point of the body moves with v + w x r")
{
  const OneBody one(make_rigid_body("brick", brick()));
  const VectorXd q = one.start().q;
  const Vector3d linear(1.0, 2.0, 3.0), angular(-0.5, 0.7, 0.2);
  const BodyPoint point{.local = {0.3, -0.2, 0.7}};
  const PointMap map = one.body().map(q, point);
  const Vector3d r = one.body().position(0.0, q, point) - q.head<3>();
  REQUIRE(map.count == 2);
  const Vector3d velocity = map.block[0] * linear + map.block[1] * angular;
  CHECK((velocity - (linear + angular.cross(r))).norm() < 1e-14);
}

// The rule defines itself: the rotation half-way comes from the velocity, and the velocity from the
// inertia at that rotation.
TEST_CASE("free spin in the air follows the implicit midpoint rule to 1e-13")
{
  for (const double drag : {20.0, 200.0}) {
    for (const double dt : {1e-3, 0.05, 0.3}) {  // up to 2 rad
      CAPTURE(drag);
      CAPTURE(dt);
      const RigidOptions options = weather_vane(drag);
      const OneBody one(make_rigid_body("vane", options));
      const BodyState start = one.start();
      const StepInput input{.dt = dt, .gravity = {0.0, -9.81, 0.0}, .wind = {4.0, 1.0, -3.0}};
      const DenseStep step = one.linearise(input, start);
      const Vector3d w = step.A.ldlt().solve(step.b).tail<3>();
      const Matrix3d R = turn(0.5 * dt * w) * rotation_of(start.q);
      const Matrix3d expected = angular_block(options, dt, R);
      CHECK((step.A.block<3, 3>(3, 3) - expected).norm() <= 1e-13 * expected.norm());
    }
  }
}

TEST_CASE("free spin keeps momentum and energy in a step of up to half a radian")
{
  for (const double dt : {1e-3, 0.01, 0.03, 0.08}) {
    CAPTURE(dt);
    const OneBody one(make_rigid_body("vane", weather_vane(0.0)));
    const BodyState start = one.start();
    const BodyState end = one.step({.dt = dt}, start);
    const Body& body = one.body();
    const double energy = body.kinetic_energy(start.q, start.v);
    CHECK(std::abs(body.kinetic_energy(end.q, end.v) - energy) <= 1e-13 * energy);
    const Vector3d v = start.v.head<3>();
    const Vector3d L = body.momentum(start.q, start.v).angular;
    const Vector3d drift = body.momentum(end.q, end.v).angular - L;
    CHECK(drift.norm() <= 1e-13 * (L.norm() + body.mass() * v.norm()));
  }
}

TEST_CASE("drag stands in A as the derivative of the force")
{
  RigidOptions options = weather_vane(30.0);
  options.velocity = options.angular_velocity = Vector3d::Zero();
  const OneBody one(make_rigid_body("vane", options));
  const BodyState start = one.start();
  const double dt = 0.02;
  const MatrixXd A = one.linearise({.dt = dt}, start).A;
  const MatrixXd M = one.linearise({.dt = 0.0}, start).A;
  MatrixXd derivative(6, 6);
  for (int k = 0; k < 6; ++k) derivative.col(k) = one.forces({}, {start.q, VectorXd::Unit(6, k)});
  CHECK((A - M + dt * derivative).norm() <= 1e-13 * A.norm());
  CHECK(Eigen::SelfAdjointEigenSolver<MatrixXd>(A).eigenvalues()[0] > 0.0);
}

TEST_CASE("in drag a body falls at m g / (drag area) in the end")
{
  RigidOptions options = brick();
  options.drag = 50.0;
  const OneBody one(make_rigid_body("brick", options));
  const StepInput input{.dt = 0.1, .gravity = {0.0, -9.81, 0.0}, .wind = {1.0, 0.0, 0.0}};
  BodyState state = one.start();
  for (int k = 0; k < 400; ++k) state = one.step(input, state);
  const double speed = options.mass.mass * 9.81 / (options.drag * area(options.surface));
  CHECK((state.v.head<3>() - Vector3d(1.0, -speed, 0.0)).norm() < 1e-10);
  CHECK(state.v.tail<3>().norm() < 1e-10);
}

TEST_CASE("impulses change the momentum by what they are, whatever the spin")
{
  RigidOptions options = weather_vane(0.0);
  const OneBody one(make_rigid_body("brick", options));
  const BodyState start = one.start();
  const StepInput input{.dt = 0.05};
  const DenseStep step = one.linearise(input, start);
  VectorXd impulse(6);
  impulse << 1.0, -2.0, 0.5, 0.3, 0.4, -0.6;
  const BodyState end = one.advance(input, start, step.A.ldlt().solve(step.b + impulse));
  const Momentum before = one.body().momentum(start.q, start.v);
  const Momentum after = one.body().momentum(end.q, end.v);
  CHECK((after.linear - before.linear - impulse.head<3>()).norm() < 1e-12);
  const Vector3d spin_before = before.angular - start.q.head<3>().cross(before.linear);
  const Vector3d spin_after = after.angular - Vector3d(end.q.head<3>()).cross(after.linear);
  CHECK((spin_after - spin_before - impulse.tail<3>()).norm() < 1e-12);
}

TEST_CASE("steps of many turns stay finite and keep momentum and unit length")
{
  Random random(7);
  for (int k = 0; k < 300; ++k) {
    RigidOptions options = brick();
    options.angular_velocity =
        random.in_cube(1.0).normalized() * std::pow(10.0, random.uniform(-2.0, 2.0));
    const OneBody one(make_rigid_body("brick", options));
    const StepInput input{.dt = 1.0};  // up to 100 rad
    BodyState state = one.start();
    const Vector3d L = one.body().momentum(state.q, state.v).angular;
    for (int step = 0; step < 5; ++step) state = one.step(input, state);
    REQUIRE(state.v.allFinite());
    CHECK(std::abs(state.q.tail<4>().norm() - 1.0) < 1e-15 * 4.0);
    CHECK((one.body().momentum(state.q, state.v).angular - L).norm() < 1e-12 * L.norm());
  }
}

TEST_CASE("wrong rigid bodies are turned away with a reason")
{
  CHECK(rigid_complaint(brick()) == "none");

  RigidOptions massless = brick();
  massless.mass.mass = 0.0;
  CHECK(rigid_complaint(massless) == "rigid \"brick\": mass is 0 kg, expected a number > 0");

  RigidOptions flat = brick();
  flat.mass.inertia = Vector3d(1.0, 2.0, 0.0).asDiagonal();
  CHECK(rigid_complaint(flat) ==
        "rigid \"brick\": the smallest principal moment is 0 kg m^2, expected a number > 0");

  RigidOptions skew = brick();
  skew.mass.inertia(0, 1) += 0.5 * skew.mass.inertia(0, 0);
  CHECK(rigid_complaint(skew) == "rigid \"brick\": the inertia is not symmetric");

  RigidOptions stretched = brick();
  stretched.orientation = Eigen::Quaterniond(0.0, 2.0, 0.0, 0.0);
  CHECK(rigid_complaint(stretched) ==
        "rigid \"brick\": orientation is a quaternion of length 2, expected 1");

  RigidOptions sucked = brick();
  sucked.drag = -1.0;
  CHECK(rigid_complaint(sucked) == "rigid \"brick\": drag is -1 N s/m^3, expected a number >= 0");

  RigidOptions lost = brick();
  lost.velocity.x() = std::numeric_limits<double>::infinity();
  CHECK(rigid_complaint(lost) ==
        "rigid \"brick\": velocity is (inf, 0, 0) m/s, expected finite numbers");

  RigidOptions empty = brick();
  empty.surface.triangles.clear();
  CHECK(rigid_complaint(empty).starts_with("rigid \"brick\": the surface has 0 triangles"));
}
