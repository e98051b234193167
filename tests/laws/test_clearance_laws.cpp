// Rings on pins, polygons both, without friction: what turns in a clearance goes on turning at any
// angle a step, whatever the contact distance is and however the two lie in space.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/law_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

constexpr double pin_size = 0.02, ring_spin = 10.0;  // m, rad/s

struct RingCase {
  int gons = 64;
  double clearance = 0.01;  // of the radius of the pin
  double share = 1.0;       // contact distance over clearance
  double turn = 0.4;        // rad a step
  bool free_pin = false;    // a body that turns the other way; else an obstacle
  unsigned seed = 0;        // of how they lie in space
  double drift = 0.0;       // of the ring, clearances a second
};

struct RingRun {
  double spin_lost = 0.0;                           // |w - w0| / |w0|, of both
  double momentum_lost = 0.0, energy_gained = 0.0;  // the most in a step, relative
  int halvings = 0, cut_steps = 0, unconverged = 0, passes = 0;
};

Contour polygon_of_ring(double radius, int sides)
{
  Contour corners;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2.0 * std::numbers::pi * (k + 0.5) / sides;
    corners.push_back(radius * Vector2d(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

// Corners of the pin pass the middles of the ring's sides.
bool ring_can_turn(const RingCase& ring)
{
  return (1.0 + ring.clearance) * std::cos(std::numbers::pi / ring.gons) > 1.0;
}

World ring_on_pin(const RingCase& asked, const Eigen::Quaterniond& lie, const Vector3d& place)
{
  const double hole = (1.0 + asked.clearance) * pin_size;
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law.mu = 0.0;
  const auto add = [&](const char* name, TriMesh surface, double spin, const Vector3d& velocity) {
    RigidOptions options;
    options.mass = mass_properties(surface, 1000.0);
    options.surface = std::move(surface);
    options.orientation = lie;
    options.position = place;
    options.velocity = lie * velocity;
    options.angular_velocity = lie * Vector3d(0.0, 0.0, spin);
    builder.add(make_rigid_body(name, std::move(options)));
  };
  add("ring",
      make_extrusion(std::array{polygon_of_ring(3.0 * pin_size, asked.gons),
                                polygon_of_ring(hole, asked.gons)},
                     pin_size),
      ring_spin, asked.drift * asked.clearance * pin_size * Vector3d(0.8, 0.6, 0.0));
  TriMesh pin = make_extrusion(std::array{polygon_of_ring(pin_size, asked.gons)}, 5.0 * pin_size);
  if (asked.free_pin) {
    add("pin", std::move(pin), -0.5 * ring_spin, Vector3d::Zero());
  } else {
    ObstacleOptions options;
    for (Vector3d& x : pin.positions) x = place + lie * x;
    options.surface = std::move(pin);
    builder.add(make_obstacle("pin", std::move(options)));
  }
  return builder.build();
}

RingRun turn_ring(const RingCase& asked, int steps)
{
  std::mt19937 random(asked.seed);
  std::normal_distribution<double> number;
  Eigen::Quaterniond lie(number(random), number(random), number(random), number(random));
  lie.normalize();
  const Vector3d place(number(random), number(random), number(random));
  const World world = ring_on_pin(asked, lie, place);
  State state = world.start();
  StepOptions options = by_default();
  options.contact.delta = asked.share * asked.clearance * pin_size;
  Stepper stepper(world, options);
  const State start = state;
  const double dt = asked.turn / (asked.free_pin ? 1.5 * ring_spin : ring_spin);
  RingRun run;
  const double energy = kinetic_energy(world, state);
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = stepper.step(state, dt).report;
    run.momentum_lost = std::max(run.momentum_lost, report.momentum_loss);
    run.energy_gained = std::max(run.energy_gained, report.energy_gain / energy);
    run.halvings += report.halvings;
    run.cut_steps += report.cut_steps;
    run.unconverged += report.unconverged;
    run.passes = std::max(run.passes, report.passes);
  }
  for (int i = 0; i < (asked.free_pin ? 2 : 1); ++i) {
    const Vector3d before = angular_velocity(world, start, i);
    const Vector3d change = angular_velocity(world, state, i) - before;
    run.spin_lost = std::max(run.spin_lost, change.norm() / before.norm());
  }
  return run;
}

void check_centred_ring(const RingCase& asked, int steps)
{
  CAPTURE(asked.gons);
  CAPTURE(asked.clearance);
  CAPTURE(asked.share);
  CAPTURE(asked.turn);
  CAPTURE(asked.free_pin);
  CAPTURE(asked.seed);
  const RingRun run = turn_ring(asked, steps);
  CHECK(run.spin_lost < 1e-9);
  CHECK(run.momentum_lost < 1e-9);
  CHECK(run.energy_gained < 1e-9);
  CHECK(run.halvings == 0);
  CHECK(run.cut_steps == 0);
  CHECK(run.unconverged == 0);
  CHECK(run.passes <= 2);
}

}  // namespace

TEST_CASE("a ring that is centred on a pin keeps its spin at any angle a step")
{
  for (const int gons : {24, 64})
    for (const double turn : {0.2, 0.4, 0.5})
      for (const double share : {0.1, 2.0})
        check_centred_ring({.gons = gons, .share = share, .turn = turn, .seed = 1}, 6);
  check_centred_ring({.free_pin = true, .seed = 2}, 6);
}

TEST_SUITE("slow")
{
  TEST_CASE("a ring that is centred on a pin keeps its spin, over clearances and distances")
  {
    unsigned seed = 3;
    for (const int gons : {16, 24, 32, 64})
      for (const double clearance : {0.002, 0.01, 0.03})
        for (const double turn : {0.1, 0.2, 0.3, 0.4, 0.5})
          for (const double share : {0.1, 0.5, 1.0, 2.0, 10.0}) {
            const RingCase asked{.gons = gons,
                                 .clearance = clearance,
                                 .share = share,
                                 .turn = turn,
                                 .free_pin = seed % 2 == 0,
                                 .seed = seed};
            ++seed;
            if (ring_can_turn(asked)) check_centred_ring(asked, 12);
          }
  }
}
