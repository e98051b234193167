// Motion without friction over surfaces made of triangles: what is flat or smooth must be felt as
// such.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/law_worlds.hpp>
#include <tact/bodies/cloth.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/core/random.hpp>

using namespace tact;
using namespace tact::test;

namespace {

using std::numbers::pi;

// A slab whose top is y = 0, of n x n squares of two triangles.
std::unique_ptr<Body> tessellated_ground(double size, int n)
{
  ObstacleOptions options;
  options.surface = make_box({size, 0.5, size}, n);
  for (Vector3d& x : options.surface.positions) x.y() -= 0.25;
  return make_obstacle("ground", std::move(options));
}

struct Slide {
  Vector3d way, velocity, spin;
};

// A cube pushed with a constant force for a second, from rest at the contact distance.
Slide pushed_over(int divisions, const Vector3d& force_per_mass, double dt)
{
  WorldBuilder builder;
  builder.law.mu = 0.0;
  RigidOptions body = rigid_block(cube, {0.013, 0.05 + delta, 0.027});
  body.force = body.mass.mass * force_per_mass;
  builder.add(make_rigid_body("cube", std::move(body)));
  builder.add(tessellated_ground(4.0, divisions));
  const World world = builder.build();
  const State start = world.start(), end = state_after(world, 1.0, dt, by_default());
  return {place_of(world, end, 0) - place_of(world, start, 0), linear_velocity(world, end, 0),
          angular_velocity(world, end, 0)};
}

// Cubes on each other on the ground, all `delta` apart; ratio: mass of the top one over the
// others'. All of it turned by `turn`.
World frictionless_stack(int count, double ratio,
                         const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity())
{
  WorldBuilder builder;
  builder.law.mu = 0.0;
  builder.gravity = turn * Vector3d(0.0, -g, 0.0);
  for (int i = 0; i < count; ++i) {
    const double y = (i + 0.5) * cube.y() + (i + 1) * delta;
    RigidOptions block = rigid_block(cube, turn * Vector3d(beside, y, 0.2),
                                     i + 1 == count ? 1000.0 * ratio : 1000.0);
    block.orientation = turn;
    builder.add(make_rigid_body("cube" + std::to_string(i), std::move(block)));
  }
  ObstacleOptions ground;
  ground.surface = make_box({40.0, 1.0, 40.0});
  for (Vector3d& x : ground.surface.positions) x = turn * (x - Vector3d(0.0, 0.5, 0.0));
  builder.add(make_obstacle("ground", std::move(ground)));
  return builder.build();
}

// The most that a cube moves along the ground, and the fastest at the end.
void check_stands(const World& world, double seconds, double dt)
{
  const State start = world.start(), end = state_after(world, seconds, dt, by_default());
  double drift = 0.0, speed = 0.0, spin = 0.0;
  for (int i = 0; i + 1 < world.body_count(); ++i) {
    const Vector3d moved = place_of(world, end, i) - place_of(world, start, i);
    const Vector3d up = -world.gravity().normalized();
    drift = std::max(drift, (moved - up.dot(moved) * up).norm());
    speed = std::max(speed, linear_velocity(world, end, i).norm());
    spin = std::max(spin, angular_velocity(world, end, i).norm());
  }
  CHECK(speed < 1e-6);
  CHECK(spin < 1e-6);
  CHECK(drift < 1e-6 * seconds);
}

// ---- A helical chute
// ------------------------------------------------------------------------------

struct Chute {
  double radius = 0.5;  // m, of the outer wall
  double width = 0.2;   // m, of the floor
  double pitch = 0.5;   // m, down in a turn
  double wall = 0.15;   // m, its height
  double turns = 1.5;
  int segments = 720;  // a turn
};

// Floor and outer wall, an open surface, falling as the angle about y grows.
TriMesh chute_surface(const Chute& chute)
{
  TriMesh mesh;
  const int count = static_cast<int>(std::lround(chute.turns * chute.segments));
  for (int k = 0; k <= count; ++k) {
    const double angle = 2.0 * pi * k / chute.segments, y = -chute.pitch * k / chute.segments;
    const Vector3d out(std::cos(angle), 0.0, -std::sin(angle));
    const Vector3d up(0.0, 1.0, 0.0);
    mesh.positions.push_back((chute.radius - chute.width) * out + y * up);
    mesh.positions.push_back(chute.radius * out + y * up);
    mesh.positions.push_back(chute.radius * out + (y + chute.wall) * up);
  }
  for (int k = 0; k < count; ++k)
    for (int side = 0; side < 2; ++side) {
      const int a = 3 * k + side, b = a + 1, c = b + 3, d = a + 3;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

}  // namespace

TEST_CASE(
    "a cube pushed over the seams of a tessellated plane in 16 directions: v = F t / m to 1e-6")
{
  for (int k = 0; k < 16; ++k) {
    const double angle = 2.0 * pi * k / 16.0, dt = k % 2 ? 0.01 : 0.004;
    CAPTURE(k);
    const Vector3d push(std::cos(angle), 0.0, std::sin(angle));
    const Slide fine = pushed_over(40, push, dt), coarse = pushed_over(1, push, dt);
    CHECK((fine.velocity - push).norm() < 1e-6);
    CHECK((fine.way - 0.5 * (1.0 + dt) * push).norm() < 1e-6);
    CHECK(fine.spin.norm() < 1e-6);
    CHECK((fine.way - coarse.way).norm() < 1e-6);
  }
}

TEST_CASE("stacks of cubes without friction do not drift")
{
  for (const int count : {1, 2, 5}) {
    CAPTURE(count);
    for (const double dt : {0.005, 0.01}) check_stands(frictionless_stack(count, 1.0), 3.0, dt);
  }
}

TEST_CASE("stacks of cubes without friction do not drift however they are turned in space")
{
  // Corners lie above corners up to rounding, which pairs of features are near there changes from
  // step to step, and all of them have to be held.
  Random random(3);
  for (int k = 0; k < 12; ++k) {
    CAPTURE(k);
    const Eigen::Vector4d q(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                            random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
    const Eigen::Quaterniond turn(q.normalized());
    check_stands(frictionless_stack(k % 2 ? 5 : 8, 1.0, turn), 1.5, k % 3 ? 0.01 : 0.005);
  }
}

TEST_CASE("a cube under one of a thousand times its mass, without friction, stays where it is")
{
  for (const double ratio : {10.0, 1000.0}) {
    CAPTURE(ratio);
    check_stands(frictionless_stack(2, ratio), 3.0, 0.005);
  }
}

TEST_CASE("a cube half over the edge of another, without friction, stays where it is")
{
  for (const double overhang : {0.03, 0.0499}) {
    CAPTURE(overhang);
    WorldBuilder builder;
    builder.law.mu = 0.0;
    builder.add(make_rigid_body("below", rigid_block(cube, {beside, 0.05 + delta, 0.0}, 1000.0)));
    builder.add(make_rigid_body(
        "above", rigid_block(cube, {beside + overhang, 0.15 + 2.0 * delta, 0.0}, 1000.0)));
    builder.add(flat_ground());
    // The one below is held by the weight that comes down beside its middle, as long as that is
    // above its base.
    check_stands(builder.build(), 2.0, 0.005);
  }
}

TEST_CASE("a box at rest stays for a minute: 0.1 um, 0.1 um/s")
{
  for (const double gap : {delta, 0.3 * delta, 1.2 * delta}) {
    CAPTURE(gap);
    WorldBuilder builder;
    builder.law.mu = 0.5;
    builder.add(make_rigid_body("box", rigid_block(cube, {beside, 0.05 + gap, 0.0})));
    builder.add(flat_ground());
    const World world = builder.build();
    State state = world.start();
    Stepper stepper(world, by_default());
    run(state, stepper, 1.0, 0.01, [](const StepReport&) {});
    const Vector3d settled = place_of(world, state, 0);
    run(state, stepper, 59.0, 0.01, [](const StepReport&) {});
    CHECK((place_of(world, state, 0) - settled).norm() < 1e-7);
    CHECK(state.v.norm() < 1e-7);
  }
}

// Nearer than solves may err by, and nearer than delta: restoring a distance is no motion.
TEST_CASE("soft boxes and sheets nearer than delta stay at rest without gravity: 1e-9 m/s")
{
  for (const double gap : {1e-6, 5e-6, 2e-5, 0.1 * delta, 0.9 * delta})
    for (const double dt : {0.005, 0.01})
      for (const bool cloth : {false, true}) {
        CAPTURE(gap);
        CAPTURE(dt);
        CAPTURE(cloth);
        WorldBuilder builder;
        builder.gravity.setZero();
        if (cloth) {
          ClothOptions sheet;
          sheet.surface = make_cloth(0.2, 0.2, 9, 9);
          for (Vector3d& x : sheet.surface.positions) x += Vector3d(beside, gap, 0.0);
          sheet.springs = grid_springs(sheet.surface, 9, 9, {});
          builder.add(make_cloth_body("sheet", std::move(sheet)));
        } else {
          SoftOptions soft;
          soft.mesh = make_tet_box({0.2, 0.2, 0.2}, {3, 3, 3});
          for (Vector3d& x : soft.mesh.positions) x += Vector3d(beside, 0.1 + gap, 0.0);
          soft.young = 1e5;
          builder.add(make_soft_body("soft", std::move(soft)));
        }
        builder.add(flat_ground());
        const World world = builder.build();
        const State end = state_after(world, 0.3, dt, by_default());
        CHECK(end.v.cwiseAbs().maxCoeff() < 1e-9);
      }
}

namespace {

// The chute and what slides on it without friction: `from_wall` away from the wall and `above` the
// floor where that has turned by 0.05 of a turn, at about that angle.
World chute_world(const Chute& chute, TriMesh surface, double start_angle, double from_wall,
                  double above)
{
  ObstacleOptions obstacle;
  obstacle.surface = chute_surface(chute);
  RigidOptions body;
  body.mass = mass_properties(surface, 1000.0);
  body.surface = std::move(surface);
  const double r = chute.radius - from_wall;
  body.position = {r * std::cos(start_angle), above - 0.05 * chute.pitch,
                   -r * std::sin(start_angle)};
  WorldBuilder builder;
  builder.law.mu = 0.0;
  builder.add(make_rigid_body("body", std::move(body)));
  builder.add(make_obstacle("chute", std::move(obstacle)));
  return builder.build();
}

// A ball on its way down the chute.
void check_chute(int subdivisions, double dt)
{
  CAPTURE(subdivisions);
  CAPTURE(dt);
  const Chute chute;
  const double size = 0.04, start_angle = 2.0 * pi * 0.05;
  const TriMesh ball = make_icosphere(0.5 * size, subdivisions);
  const double mass = mass_properties(ball, 1000.0).mass;
  const World world =
      chute_world(chute, ball, start_angle, 0.5 * size + 2.0 * delta, 0.5 * size + 5.0 * delta);
  State state = world.start();
  const StepOptions options = by_default();
  Stepper stepper(world, options);
  const auto energy = [&] { return kinetic_energy(world, state) + potential_energy(world, state); };
  const auto land = static_cast<int>(0.1 / dt);
  double start = 0.0, start_y = 0.0, start_speed = 0.0;  // when it has landed
  double previous = energy(), gain = 0.0, turned = start_angle, angle = start_angle;
  double worst_radius = 0.0, off_floor = 0.0;
  // At each facet, or in each step where that turns further, the part of the velocity across the
  // wall is lost: v^2 a^2 / 2 for an angle a.
  double bound = 0.0;
  int cut_steps = 0;
  for (int k = 0; state.t < 5.0 && turned < 2.0 * pi * (chute.turns - 0.1); ++k) {
    cut_steps += stepper.step(state, dt).report.cut_steps;
    const Vector3d p = place_of(world, state, 0), v = linear_velocity(world, state, 0);
    const double now = std::atan2(-p.z(), p.x());
    const double turn = std::remainder(now - angle, 2.0 * pi);
    turned += turn;
    angle = now;
    gain = std::max(gain, energy() - previous);
    previous = energy();
    if (k == land) {
      start = energy();
      start_y = p.y();
      start_speed = v.norm();
    }
    if (k <= land) continue;
    const double facet = 2.0 * pi / chute.segments;
    bound += 0.5 * mass * v.squaredNorm() * std::max(turn, facet) * std::abs(turn);
    worst_radius =
        std::max(worst_radius, std::abs(std::hypot(p.x(), p.z()) - (chute.radius - 0.5 * size)));
    const double floor = -chute.pitch * turned / (2.0 * pi);
    off_floor = std::max(off_floor, std::abs(p.y() - floor - 0.5 * size));
  }
  CHECK(turned > 2.0 * pi * (chute.turns - 0.1));
  // What restoring the contact distance lifts.
  CHECK(gain < 1.01 * mass * g * options.contact.push_out * dt);
  const double fallen = start_y - place_of(world, state, 0).y();
  const double lost = start - energy();
  CAPTURE(fallen);
  CHECK(cut_steps == 0);
  CAPTURE(lost / (mass * g * fallen));
  CAPTURE(bound / (mass * g * fallen));
  // The floor has as many folds as the wall, and the ball has facets of its own.
  CHECK(lost < 2.5 * bound);
  CHECK(worst_radius < 0.01);
  CHECK(off_floor < 0.01);
  const double speed = linear_velocity(world, state, 0).norm();
  const double free = std::sqrt(2.0 * g * fallen + start_speed * start_speed);
  CHECK(speed > 0.9 * free);
  CHECK(speed < free + 1e-9);
}

// A box slides along the wall to the end of 1.2 turns, and no step knocks it.
void check_no_knock(double start_angle)
{
  const Chute chute{.radius = 2.0, .width = 0.8, .pitch = 2.0, .wall = 0.6};
  constexpr double size = 0.16, distance = 4e-3, dt = 4e-3, at_the_wall = 0.5;  // m, s
  const World world = chute_world(chute, make_box({size, size, size}), start_angle,
                                  0.8 * size + 2.0 * distance, 0.8 * size + 5.0 * distance);
  State state = world.start();
  StepOptions options = by_default();
  options.contact.delta = distance;
  Stepper stepper(world, options);
  double knock = 0.0;  // m/s
  while (state.t < 4.3) {
    const Vector3d before = linear_velocity(world, state, 0);
    stepper.step(state, dt);
    if (state.t > at_the_wall)
      knock = std::max(knock, (linear_velocity(world, state, 0) - before).norm());
  }
  // A step turns it by 0.013 rad at 6 m/s: by 0.08 m/s, and floor and wall share its corners.
  CHECK(knock < 0.5);
  CHECK(place_of(world, state, 0).y() < -1.1 * chute.pitch);
  CHECK(linear_velocity(world, state, 0).norm() > 6.0);
}

}  // namespace

TEST_SUITE("slow")
{
  TEST_CASE("a box slides along the seams of a wall that curves, and meets none in the air")
  {
    for (int k = 0; k < 8; ++k) {
      CAPTURE(k);
      check_no_knock(2.0 * pi * 0.05 + 1e-3 * k);
    }
  }

  TEST_CASE("a ball slides down a helical chute: follows it, and loses what facets take")
  {
    check_chute(1, 2e-3);
    check_chute(2, 1e-3);
    check_chute(3, 1e-3);
  }
}
