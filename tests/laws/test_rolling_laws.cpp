// Rolling, with Coulomb's disc. Two things part a rolling mesh from a rolling ball.
//
// Facets: a mesh rolls from edge to edge, each a small inelastic impact. A ball of 1,280 triangles
// or more, or a wheel of 500 sides, is round enough for 0.2 %.
// The step: rows are taken at its start. A rim that turns by w h in a step presses on a point that
// far ahead of the lowest, which resists like rolling friction of coefficient w h: an error of
// first order in h, seen where spin is fast and mu small. The tests show the order.
#include <algorithm>

#include <doctest/doctest.h>

#include <laws/law_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

constexpr double ball_radius = 0.5;  // m

// I / (m R^2)
constexpr double solid_sphere = 0.4, hollow_sphere = 2.0 / 3.0, solid_cylinder = 0.5, hoop = 1.0;

// A wheel of many sides about z, with the inertia that is asked for: what rolls straight ahead
// meets the ground with its rim only.
RigidOptions wheel(int sides, double inertia_ratio)
{
  RigidOptions options;
  options.surface = make_cylinder(ball_radius, 0.2, sides);
  for (Vector3d& x : options.surface.positions) x = {x.x(), x.z(), -x.y()};
  double lowest = 0.0;
  for (const Vector3d& x : options.surface.positions) lowest = std::min(lowest, x.y());
  options.mass.mass = 1.0;
  options.mass.inertia = inertia_ratio * ball_radius * ball_radius * Matrix3d::Identity();
  options.position = {-15.0, -lowest + delta, 5.0};
  return options;
}

RigidOptions icosphere(int subdivisions)
{
  RigidOptions options;
  options.surface = make_icosphere(ball_radius, subdivisions);
  double lowest = 0.0;
  for (const Vector3d& x : options.surface.positions) lowest = std::min(lowest, x.y());
  options.mass.mass = 1.0;
  options.mass.inertia = solid_sphere * ball_radius * ball_radius * Matrix3d::Identity();
  options.position = {-15.0, -lowest + delta, 5.0};
  return options;
}

struct Rolling {
  RigidOptions body;
  double angle = 0.0;  // rad, of the slope
  double mu = 0.5;
  double seconds = 0.4;
  double dt = 1e-3;
};

struct Rolled {
  double way, speed;  // m, m/s
  double spin;        // rad/s, as it rolls forwards
};

Rolled roll(const Rolling& rolling)
{
  WorldBuilder builder;
  builder.gravity = tilted_gravity(rolling.angle);
  builder.law.mu = rolling.mu;
  const double start = rolling.body.position.x();
  builder.add(make_rigid_body("body", rolling.body));
  builder.add(flat_ground());
  const World world = builder.build();
  const State state = state_after(world, rolling.seconds, rolling.dt, solved_to(1e-8));
  return {place_of(world, state, 0).x() - start, linear_velocity(world, state, 0).x(),
          -angular_velocity(world, state, 0).z()};
}

constexpr double rolling_slope = 20.0;  // degrees

double rolling_error(const RigidOptions& body, double inertia_ratio, double dt)
{
  const double seconds = 0.4, a = g * std::sin(radians(rolling_slope)) / (1.0 + inertia_ratio);
  const Rolled end =
      roll({.body = body, .angle = radians(rolling_slope), .seconds = seconds, .dt = dt});
  CHECK(std::abs(end.speed - ball_radius * end.spin) <
        2e-3 * end.speed);  // no slip, but for facets
  return end.speed / (a * seconds) - 1.0;
}

}  // namespace

TEST_CASE("a ball rolls down 20 degrees at 5/7 g sin, to 0.5 %, h = 1 ms, mesh of 5120 triangles")
{
  const double error = rolling_error(icosphere(4), solid_sphere, 1e-3);
  CHECK(std::abs(error) < 5e-3);
}

TEST_CASE("rolling: a = g sin / (1 + I / m R^2) for sphere, shell, cylinder and hoop, to 0.5 %")
{
  for (const double ratio : {solid_sphere, hollow_sphere, solid_cylinder, hoop}) {
    CAPTURE(ratio);
    CHECK(std::abs(rolling_error(wheel(500, ratio), ratio, 1e-3)) < 5e-3);
  }
}

TEST_CASE("rolling: the error falls with the step")
{
  const double long_steps = rolling_error(wheel(1000, solid_sphere), solid_sphere, 0.004);
  const double short_steps = rolling_error(wheel(1000, solid_sphere), solid_sphere, 0.001);
  CHECK(relative_error(short_steps / long_steps, 0.25) < 0.15);
}

TEST_CASE("a ball that rolls does not slip: less than 1e-6 m/s at the rim, h = 1 ms")
{
  const Rolled end = roll({.body = wheel(1000, solid_sphere), .angle = radians(rolling_slope)});
  CHECK(std::abs(end.speed - ball_radius * end.spin) < 1e-6);
}

TEST_CASE("rolling with too little friction: a = g (sin - mu cos), alpha R = 5/2 mu g cos")
{
  const double angle = radians(30.0), mu = 0.1, seconds = 0.4;
  const Rolled end = roll({.body = wheel(2000, solid_sphere),
                           .angle = angle,
                           .mu = mu,
                           .seconds = seconds,
                           .dt = 2.5e-4});  // 0.84 % in alpha with 1,000 sides and 1 ms
  const double a = g * (std::sin(angle) - mu * std::cos(angle));  // 4.05543 m/s^2
  const double alpha_r = 2.5 * mu * g * std::cos(angle);          // 2.12393 m/s^2
  CHECK(relative_error(end.speed, a * seconds) < 5e-3);
  CHECK(relative_error(ball_radius * end.spin, alpha_r * seconds) < 5e-3);
}

TEST_CASE("a ball thrown without spin rolls at 5/7 of its speed after 2 v / (7 mu g)")
{
  const double speed = 7.0, mu = 0.2, time = 2.0 * speed / (7.0 * mu * g);  // 1.01937 s
  RigidOptions body = wheel(500, solid_sphere);
  body.velocity = {speed, 0.0, 0.0};
  const Rolled end = roll({.body = body, .mu = mu, .seconds = time});
  CHECK(relative_error(end.speed, 5.0) < 5e-3);
  CHECK(relative_error(end.way, 12.0 * speed * speed / (49.0 * mu * g)) < 5e-3);
}

TEST_SUITE("slow")
{
  TEST_CASE("a ball put down spinning rolls at 2/7 of its rim's speed after 2 R w / (7 mu g)")
  {
    const double spin = 14.0, mu = 0.2,
                 time = 2.0 * ball_radius * spin / (7.0 * mu * g);  // 1.01937 s
    const auto speed = [&](int sides, double dt) {
      RigidOptions body = wheel(sides, solid_sphere);
      body.angular_velocity = {0.0, 0.0, -spin};
      return roll({.body = body, .mu = mu, .seconds = time, .dt = dt}).speed;
    };
    // The rim presses up to w h + pi / n ahead of the lowest point, against a mu of 0.2: errors of
    // first order in both, 1.7 % and 0.9 % here, which extrapolation takes away.
    const double coarse = speed(500, 4e-4), fine = speed(1000, 2e-4);
    CHECK(relative_error(fine, 2.0) < 0.01);
    CHECK(relative_error(2.0 * fine - coarse, 2.0) < 5e-3);
  }
}
