// What passes another body at a distance of delta or more does not feel it, and what slides over
// an edge slides on: the plane of a contact ends with its features.
#include <cmath>
#include <memory>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/law_worlds.hpp>
#include <tact/core/random.hpp>

using namespace tact;
using namespace tact::test;

namespace {

using Eigen::Quaterniond;

Quaterniond random_turn(Random& random)
{
  const auto number = [&] { return random.uniform(-1.0, 1.0); };
  return Quaterniond(number(), number(), number(), number() + 1e-3).normalized();
}

std::unique_ptr<Body> box_obstacle(const std::string& name, const Vector3d& size,
                                   const Vector3d& at, const Quaterniond& turn)
{
  ObstacleOptions options;
  options.surface = make_box(size);
  for (Vector3d& x : options.surface.positions) x = turn * (x + at);
  return make_obstacle(name, std::move(options));
}

// Checks body 0 against how it moves if it is alone.
void check_unhindered(const World& world, const State& end, const Vector3d& velocity,
                      const Vector3d& spin, double most)
{
  CHECK((linear_velocity(world, end, 0) - velocity).norm() < most);
  CHECK((angular_velocity(world, end, 0) - spin).norm() < most);
}

// A cube that flies over a box, `gap` above its top, without gravity.
void check_flies_over(double gap, double step, double yaw, bool held, double restitution,
                      Random& random)
{
  CAPTURE(gap / delta);
  CAPTURE(step / delta);
  CAPTURE(yaw);
  CAPTURE(held);
  const Quaterniond turn = random_turn(random);
  const double speed = 1.0;  // m/s
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law = {.mu = 0.5, .restitution = restitution};
  RigidOptions flying = rigid_block(cube, turn * Vector3d(-0.3 - step * random.uniform(), 0.1 + gap,
                                                          random.uniform(-0.08, 0.08)));
  flying.orientation = turn * Eigen::AngleAxisd(yaw, Vector3d::UnitY());
  flying.velocity = turn * Vector3d(speed, 0.0, 0.0);
  const Vector3d velocity = flying.velocity, box(0.2, 0.1, 0.2);
  builder.add(make_rigid_body("flying", std::move(flying)));
  if (held) {
    builder.add(box_obstacle("box", box, Vector3d::Zero(), turn));
  } else {
    RigidOptions resting = rigid_block(box, Vector3d::Zero());
    resting.orientation = turn;
    builder.add(make_rigid_body("box", std::move(resting)));
  }
  const World world = builder.build();
  const State end = state_after(world, 0.6, step / speed, by_default());
  check_unhindered(world, end, velocity, Vector3d::Zero(), 1e-9);
}

// Two bars that spin about parallel axes, in planes `gap` apart.
void check_spin_past(double gap, double turn_a_step, double ratio, Random& random)
{
  CAPTURE(gap / delta);
  CAPTURE(turn_a_step);
  CAPTURE(ratio);
  const Quaterniond turn = random_turn(random);
  const double spin = 10.0, thick = 0.05;  // rad/s, m
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law.mu = 0.5;
  Vector3d spins[2];
  for (int i = 0; i < 2; ++i) {
    const Vector3d at(i * random.uniform(0.0, 0.2), 0.0, i * (thick + gap));
    RigidOptions bar = rigid_block({1.0, thick, thick}, turn * at);
    bar.orientation = turn * Eigen::AngleAxisd(i * random.uniform(0.0, 3.0), Vector3d::UnitZ());
    spins[i] = bar.angular_velocity = (i == 0 ? spin : ratio * spin) * (turn * Vector3d::UnitZ());
    builder.add(make_rigid_body("bar" + std::to_string(i), std::move(bar)));
  }
  const World world = builder.build();
  const double dt = turn_a_step / spin;
  const State end = state_after(world, 60.0 * dt, dt, by_default());
  check_unhindered(world, end, Vector3d::Zero(), spins[0], 1e-8);
  CHECK((angular_velocity(world, end, 1) - spins[1]).norm() < 1e-8);
}

}  // namespace

TEST_CASE("a cube that flies over a box at delta or more flies on, whatever the step: 1e-9 m/s")
{
  Random random(17);
  for (const double gap : {1.0, 1.1, 1.25, 1.45})
    for (const double step : {0.5, 2.0, 5.0, 20.0})
      for (const double yaw : {0.0, 0.3, 0.785})
        for (const bool held : {true, false})
          check_flies_over(gap * delta, step * delta, yaw, held, 0.0, random);
}

TEST_CASE("a cube that bounces off what it hits flies over what it does not: 1e-9 m/s")
{
  Random random(18);
  for (const double gap : {1.0, 1.25})
    for (const double step : {2.0, 10.0})
      for (const double yaw : {0.0, 0.3, 0.785})
        check_flies_over(gap * delta, step * delta, yaw, yaw > 0.0, 0.8, random);
}

TEST_CASE("bars that spin past each other at delta or more spin on, by up to 0.5 rad a step")
{
  Random random(19);
  for (const double gap : {1.0, 1.2, 2.5})
    for (const double turn_a_step : {0.05, 0.1, 0.2, 0.5})
      for (const double ratio : {-1.0, -0.6, 0.5, 0.9})
        check_spin_past(gap * delta, turn_a_step, ratio, random);
}

TEST_CASE("a block slides over the gap between two slabs as if there were none: 1e-6 m/s")
{
  Random random(20);
  for (const double gap : {0.0, 1e-4, 1e-3, 1e-2})
    for (const double speed : {0.3, 1.0, 3.0})
      for (const double dt : {0.002, 0.01}) {
        CAPTURE(gap);
        CAPTURE(speed);
        CAPTURE(dt);
        const Quaterniond turn = random_turn(random);
        const double yaw = random.uniform(0.0, 1.5), skew = random.uniform(0.0, 0.4);
        WorldBuilder builder;
        builder.gravity = turn * Vector3d(0.0, -g, 0.0);
        builder.law.mu = 0.0;
        RigidOptions block =
            rigid_block({0.2, 0.1, 0.2}, turn * Vector3d(-0.4, 0.05 + delta, 0.013));
        block.orientation = turn * Eigen::AngleAxisd(yaw, Vector3d::UnitY());
        block.velocity = turn * Vector3d(speed, 0.0, 0.0);
        const Vector3d velocity = block.velocity;
        builder.add(make_rigid_body("block", std::move(block)));
        for (const double side : {-1.0, 1.0})
          builder.add(box_obstacle(side < 0.0 ? "left" : "right", {2.0, 0.2, 4.0},
                                   {side * (1.0 + 0.5 * gap), -0.1, 0.0},
                                   turn * Eigen::AngleAxisd(skew, Vector3d::UnitY())));
        const World world = builder.build();
        const State end = state_after(world, 0.8 / speed, dt, by_default());
        check_unhindered(world, end, velocity, Vector3d::Zero(), 1e-6);
      }
}
