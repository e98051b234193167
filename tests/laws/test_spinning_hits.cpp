// Hits of bodies that turn, against closed forms. Without friction an impulse j n at a point p
// changes the speed at which two bodies part there by j n.K n, and Newton's law asks for -e times
// the speed of approach:
//
//   j = -(1 + e) v_n / (n.K n),  n.K n = 1/m_a + 1/m_b + (r_a x n).I_a^-1 (r_a x n) + the same of b
#include <algorithm>
#include <array>
#include <cmath>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/law_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

constexpr double near = 1e-4;  // m: contact distance; it is part of no answer

// A bar along x that turns about z is met on its upper side, `offset` from its middle, by a tip
// that comes down along y. When they meet the bar lies level.
struct BarHit {
  double e = 0.0;
  double offset = 0.3;    // m
  double spin = 0.0;      // rad/s, of the bar about z
  double ratio = 1.0;     // mass of the tip's body over the bar's
  double tip_spin = 0.0;  // rad/s, about the axis of the tip: changes nothing
  double speed = 2.0;     // m/s, downwards
  double dt = 1e-4;       // s
};

// An octahedron that meets others with the vertex below its centre.
RigidOptions tip_body(double radius, double mass)
{
  RigidOptions body;
  for (const double s : {-radius, radius})
    for (int k = 0; k < 3; ++k) body.surface.positions.push_back(s * Vector3d::Unit(k));
  body.surface.triangles = {{3, 4, 5}, {0, 5, 4}, {0, 4, 2}, {3, 2, 4},
                            {3, 5, 1}, {0, 1, 5}, {0, 2, 1}, {3, 1, 2}};
  body.mass = mass_properties(body.surface, 1.0);
  const double density = mass / body.mass.mass;
  body.mass.mass *= density;
  body.mass.inertia *= density;
  return body;
}

struct HitOutcome {
  Vector3d bar_velocity, bar_spin, tip_velocity, tip_spin;
};

const Vector3d bar_size(1.0, 0.1, 0.1);  // m

HitOutcome simulated(const BarHit& hit)
{
  const double meets_after = 40.0 * hit.dt, radius = 0.05;
  RigidOptions bar = rigid_block(bar_size, Vector3d::Zero(), 1000.0);
  bar.orientation = Eigen::AngleAxisd(-hit.spin * meets_after, Vector3d::UnitZ());
  bar.angular_velocity = hit.spin * Vector3d::UnitZ();
  RigidOptions tip = tip_body(radius, hit.ratio * bar.mass.mass);
  const double touch = 0.5 * bar_size.y() + near + radius;
  tip.position = {hit.offset, touch + hit.speed * meets_after, 0.0};
  tip.velocity = {0.0, -hit.speed, 0.0};
  tip.angular_velocity = hit.tip_spin * Vector3d::UnitY();
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law = {.mu = 0.0, .restitution = hit.e};
  builder.add(make_rigid_body("bar", std::move(bar)));
  builder.add(make_rigid_body("tip", std::move(tip)));
  const World world = builder.build();
  // A few steps later: the hit is over, what turned further has not met again.
  const State state =
      state_after(world, meets_after + 3.0 * hit.dt, hit.dt, solved_to(1e-11, near));
  return {linear_velocity(world, state, 0), angular_velocity(world, state, 0),
          linear_velocity(world, state, 1), angular_velocity(world, state, 1)};
}

HitOutcome closed_form(const BarHit& hit)
{
  const double m = 1000.0 * bar_size.prod(), m_tip = hit.ratio * m;
  const double inertia = m * (bar_size.x() * bar_size.x() + bar_size.y() * bar_size.y()) / 12.0;
  const double K = 1.0 / m + 1.0 / m_tip + hit.offset * hit.offset / inertia;
  const double j = (1.0 + hit.e) * (hit.speed + hit.spin * hit.offset) / K;
  return {.bar_velocity = {0.0, -j / m, 0.0},
          .bar_spin = {0.0, 0.0, hit.spin - hit.offset * j / inertia},
          .tip_velocity = {0.0, -hit.speed + j / m_tip, 0.0},
          .tip_spin = {0.0, hit.tip_spin, 0.0}};
}

// Velocities of the contact point that the answer is off by, over the speed of approach.
double error_of(const BarHit& hit)
{
  const HitOutcome found = simulated(hit), expected = closed_form(hit);
  const double arm = 0.5 * bar_size.x(), radius = 0.05;
  const double error = std::max({(found.bar_velocity - expected.bar_velocity).norm(),
                                 (found.bar_spin - expected.bar_spin).norm() * arm,
                                 (found.tip_velocity - expected.tip_velocity).norm(),
                                 (found.tip_spin - expected.tip_spin).norm() * radius});
  return error / (hit.speed + std::abs(hit.spin * hit.offset));
}

// The bar has turned by up to so many steps when its rows are taken or the last of them pushes.
double allowed(const BarHit& hit)
{
  const double after = closed_form(hit).bar_spin.z();
  return 3.0 * std::max(std::abs(hit.spin), std::abs(after)) * hit.dt + 1e-6;
}

}  // namespace

TEST_CASE("a tip hits a bar at rest: j = (1 + e) v / (n.K n), to what the bar turns in a step")
{
  for (const double e : {0.0, 0.5, 1.0})
    for (const double offset : {0.0, 0.2, -0.45})
      for (const double ratio : {1.0, 0.01, 100.0}) {
        CAPTURE(e);
        CAPTURE(offset);
        CAPTURE(ratio);
        const BarHit hit{.e = e, .offset = offset, .ratio = ratio};
        CHECK(error_of(hit) < (e > 0.0 ? 1e-6 : allowed(hit)));  // a bounce is over in one step
      }
}

TEST_CASE("a tip hits a bar that turns: j = (1 + e) v / (n.K n), to the turn of a step")
{
  for (const double e : {0.0, 0.5, 1.0})
    for (const double offset : {0.2, -0.2, 0.45})
      for (const double spin : {3.0, 20.0, -3.0})
        for (const double ratio : {1.0, 0.05, 20.0}) {
          const BarHit hit{
              .e = e, .offset = offset, .spin = spin, .ratio = ratio, .tip_spin = 30.0};
          if (hit.speed + spin * offset < 0.2) continue;  // the bar flees
          CAPTURE(e);
          CAPTURE(offset);
          CAPTURE(spin);
          CAPTURE(ratio);
          CHECK(error_of(hit) < allowed(hit));
        }
}

TEST_CASE("a tip hits a bar that turns by up to 0.5 rad a step: first order in the turn of a step")
{
  for (const double e : {0.0, 1.0})
    for (const double turn : {0.5, 0.1, 0.02}) {  // rad a step
      const double dt = 1e-3, offset = 0.3;
      const BarHit hit{.e = e, .offset = offset, .spin = turn / dt, .ratio = 1.0, .dt = dt};
      CAPTURE(e);
      CAPTURE(turn);
      const HitOutcome found = simulated(hit);
      // Where in its turn the bar is met depends on the step, and whether before: laws that hold
      // for any hit. The bar is symmetric, so that its free spin is steady.
      const double m = 1000.0 * bar_size.prod();
      const double inertia = m * (bar_size.x() * bar_size.x() + bar_size.y() * bar_size.y()) / 12.0;
      const double tip_energy = 0.5 * m * hit.speed * hit.speed;
      const double before = tip_energy + 0.5 * inertia * hit.spin * hit.spin;
      const double after =
          0.5 * m * (found.bar_velocity.squaredNorm() + found.tip_velocity.squaredNorm()) +
          0.5 * inertia * found.bar_spin.squaredNorm();
      CHECK(after / before - 1.0 < 1e-9);
      CHECK((found.bar_velocity + found.tip_velocity - Vector3d(0.0, -hit.speed, 0.0)).norm() <
            1e-9 * hit.speed);
    }
}
