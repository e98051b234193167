// Coulomb friction of rigid blocks. The law is the disc (an exact cone); h is the step.
#include <algorithm>
#include <numbers>

#include <doctest/doctest.h>

#include <laws/law_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

const Vector3d flat_block(0.2, 0.05, 0.2);  // m: slides before it tips
constexpr double flat_rest = 0.025 + delta;

struct SlopeCase {
  double angle = 0.0;  // rad
  double mu = 0.3;
  Vector3d size = flat_block;
  Vector3d velocity = Vector3d::Zero();
};

World block_on_slope(const SlopeCase& slope)
{
  WorldBuilder builder;
  builder.gravity = tilted_gravity(slope.angle);
  builder.law.mu = slope.mu;
  RigidOptions block = rigid_block(slope.size, {beside, 0.5 * slope.size.y() + delta, 0.0});
  block.velocity = slope.velocity;
  builder.add(make_rigid_body("block", std::move(block)));
  builder.add(flat_ground());
  return builder.build();
}

constexpr double friction_coefficients[] = {0.1, 0.2, 0.3, 0.5, 0.7, 1.0};

}  // namespace

TEST_CASE("critical angle: to 1e-3 of atan(mu) with the default solver, h = 5 ms")
{
  for (const double mu : friction_coefficients) {
    CAPTURE(mu);
    const double critical = std::atan(mu), dt = 0.005;
    const State held = state_after(block_on_slope({critical - 1e-3, mu}), 5.0, dt, by_default());
    CHECK(std::abs(held.q[0] - beside) < 1e-4);  // m, in 5 s
    const double angle = critical + 1e-3;
    const World world = block_on_slope({angle, mu});
    State state = world.start();
    Stepper stepper(world, by_default());
    const double acceleration = g * (std::sin(angle) - mu * std::cos(angle));
    for (int second = 1; second <= 3; ++second) {
      run(state, stepper, 1.0, dt, [](const StepReport&) {});
      // The default tolerance is 3e-5 m/s for so small a problem: in each of 200 steps, at most.
      CHECK(relative_error(state.v[0], acceleration * second) < 0.05);
    }
  }
}

TEST_CASE("critical angle: to 1e-6 of atan(mu) at tolerance 1e-10, h = 5 ms")
{
  const StepOptions tight = solved_to(1e-10);
  for (const double mu : friction_coefficients)
    for (const double off : {-1e-6, 1e-6}) {
      CAPTURE(mu);
      CAPTURE(off);
      const double angle = std::atan(mu) + off;
      const State state = state_after(block_on_slope({angle, mu}), 1.0, 0.005, tight);
      const double expected = std::max(0.0, g * (std::sin(angle) - mu * std::cos(angle)));
      // 1e-5 m/s is reached where it slides; 200 solves to a hundredth of 1e-10 m/s.
      CHECK(std::abs(state.v[0] - expected) < 1e-8);
    }
}

TEST_CASE("sliding down a slope: v = g (sin - mu cos) t without error, x with one of h v / 2")
{
  const double angle = radians(30.0), mu = 0.3;
  const double acceleration = g * (std::sin(angle) - mu * std::cos(angle));  // 2.3563 m/s^2
  for (const double dt : {0.004, 0.002, 0.001}) {
    CAPTURE(dt);
    const World world = block_on_slope({angle, mu});
    const State state = state_after(world, 1.0, dt, solved_to(1e-10));
    CHECK(relative_error(state.v[0], acceleration) < 1e-8);
    // Backward Euler: x = h sum of a k h = a t (t + h) / 2.
    CHECK(relative_error(state.q[0] - beside, 0.5 * acceleration * (1.0 + dt)) < 1e-8);
  }
}

TEST_CASE("a thrown block stops after v^2 / (2 mu g), loses mu m g d, and then never moves")
{
  const double speed = 2.0, mu = 0.3;
  for (const double dt : {0.004, 0.002, 0.001}) {
    CAPTURE(dt);
    const World world = block_on_slope({.mu = mu, .velocity = {speed, 0.0, 0.0}});
    State state = world.start();
    Stepper stepper(world, solved_to(1e-10));
    const double energy = kinetic_energy(world, state);
    double stopped = 0.0;
    run(state, stepper, 0.75, dt, [&](const StepReport&) {
      if (stopped == 0.0 && state.v.norm() < 1e-10) stopped = state.t;
    });
    const double way = state.q[0] - beside;
    CHECK(std::abs(way - speed * speed / (2.0 * mu * g)) < speed * dt);  // 0.67958 m
    CHECK(std::abs(stopped - speed / (mu * g)) < 2.0 * dt);              // 0.67958 s
    const double work = mu * world.body(0).mass() * g * way;
    CHECK(relative_error(work, energy) < 1.5 * dt / stopped);  // 1 % at most
    double fastest = 0.0;
    run(state, stepper, 5.0, dt,
        [&](const StepReport&) { fastest = std::max(fastest, state.v.norm()); });
    CHECK(fastest < 1e-10);
  }
}

TEST_CASE("tipping: a box on a slope tips at tan(angle) = base / height, to 0.1 degrees")
{
  for (const double slenderness : {0.5, 0.2}) {  // base over height: 26.565 and 11.310 degrees
    CAPTURE(slenderness);
    const Vector3d size(0.2 * slenderness, 0.2, 0.2 * slenderness);
    const double critical = std::atan(slenderness);
    for (const double off : {-0.2, -0.1, 0.1}) {  // degrees
      CAPTURE(off);
      const World world =
          block_on_slope({.angle = critical + radians(off), .mu = 1.0, .size = size});
      const State state = state_after(world, off < -0.15 ? 5.0 : 1.5, 0.002, solved_to(1e-10));
      const double tilt = std::acos(std::min(1.0, upright(world, state, 0).y()));
      if (off < 0.0)
        CHECK(tilt < 1e-6);
      else
        CHECK(tilt > 0.1);
    }
  }
}

TEST_CASE("drilling: four feet at radius r stop a spin after I w / (mu m g r), without drift")
{
  const double r = 0.5, spin = 10.0, mu = 0.4;
  const double side = r * std::numbers::sqrt2;
  RigidOptions block = rigid_block({side, 0.1, side}, {beside, 0.05 + delta, 0.0});
  const double m = block.mass.mass, inertia = 0.5 * m * r * r;
  block.mass.inertia(1, 1) = inertia;
  block.angular_velocity = {0.0, spin, 0.0};
  WorldBuilder builder;
  builder.law.mu = mu;
  builder.add(make_rigid_body("block", std::move(block)));
  builder.add(flat_ground());
  const World world = builder.build();
  const double expected = inertia * spin / (mu * m * g * r);  // 0.63710 s
  for (const double dt : {0.004, 0.002, 0.001}) {
    CAPTURE(dt);
    State state = world.start();
    Stepper stepper(world, solved_to(1e-10));
    double stopped = 0.0;
    run(state, stepper, 0.8, dt, [&](const StepReport&) {
      if (stopped == 0.0 && std::abs(state.v[4]) < 1e-9) stopped = state.t;
    });
    CHECK(std::abs(stopped - expected) < std::max(0.01 * expected, 2.0 * dt));
    CHECK((place_of(world, state, 0) - Vector3d(beside, 0.05 + delta, 0.0)).norm() < 1e-6);
  }
}

TEST_CASE("isotropy: a block thrown across a slope of tan(angle) = mu ends at half its speed")
{
  // |v| + v_down is kept where gravity along the slope and friction are equal; in the end both are
  // v_down. Any cone but the round one gives another end.
  const double mu = 0.3, speed = 1.0;
  double last_error = 0.0;
  for (const double dt : {0.004, 0.002, 0.001}) {
    CAPTURE(dt);
    const World world =
        block_on_slope({.angle = std::atan(mu), .mu = mu, .velocity = {0.0, 0.0, speed}});
    const State state = state_after(world, 3.0, dt, solved_to(1e-10));
    const double error = state.v[0] - 0.5 * speed;
    CHECK(std::abs(error) < 2.0 * g * std::sin(std::atan(mu)) * dt);
    CHECK(std::abs(state.v[2]) < 1e-5);
    CHECK(angular_velocity(world, state, 0).norm() < 1e-6);
    if (last_error != 0.0) CHECK(relative_error(error / last_error, 0.5) < 0.1);
    last_error = error;
  }
}

TEST_CASE("isotropy: the way to rest is the same in all directions to 0.1 %, h = 1 ms")
{
  const double speed = 1.0, mu = 0.3;
  double shortest = 1e9, longest = 0.0;
  for (int k = 0; k <= 12; ++k) {
    const double phi = radians(7.5 * k);
    CAPTURE(phi);
    const World world =
        block_on_slope({.mu = mu, .velocity = speed * Vector3d(std::cos(phi), 0.0, std::sin(phi))});
    const State state = state_after(world, 0.4, 0.001, solved_to(1e-10));
    const Vector3d way = place_of(world, state, 0) - Vector3d(beside, flat_rest, 0.0);
    CHECK(std::abs(std::atan2(way.z(), way.x()) - phi) < radians(0.1));
    shortest = std::min(shortest, way.norm());
    longest = std::max(longest, way.norm());
  }
  CHECK(longest - shortest < 1e-3 * longest);
}

TEST_CASE("two stacked boxes part when the lower one is pulled by more than (mu + mu0) (m + m) g")
{
  const double mu = 0.3, mu0 = 0.1;
  const RigidOptions sample = rigid_block(flat_block, Vector3d::Zero(), 1000.0 / 2.0);  // 1 kg
  const double m = sample.mass.mass, limit = (mu + mu0) * 2.0 * m * g;                  // 7.848 N
  for (const double part : {0.99, 1.01}) {
    CAPTURE(part);
    WorldBuilder builder;
    RigidOptions lower = sample, upper = sample;
    lower.position = {beside, flat_rest, 0.0};
    lower.force = {part * limit, 0.0, 0.0};
    upper.position = {beside, 3.0 * 0.025 + 2.0 * delta, 0.0};
    const int below = builder.add(make_rigid_body("lower", std::move(lower)));
    const int above = builder.add(make_rigid_body("upper", std::move(upper)));
    builder.set_law(below, above, {.mu = mu});
    builder.set_law(below, builder.add(flat_ground()), {.mu = mu0});
    const World world = builder.build();
    const double seconds = 0.25;
    const State state = state_after(world, seconds, 0.005, solved_to(1e-10));
    const double pull = part * limit;
    const bool together = part < 1.0;
    const double a_above = together ? pull / (2.0 * m) - mu0 * g : mu * g;
    const double a_below = together ? a_above : pull / m - 2.0 * mu0 * g - mu * g;
    // One of the 50 solves with slip stalls at 5e-7 m/s; without slip all reach 1e-12.
    const double allowed = together ? 1e-9 : 2e-5;
    CHECK(std::abs(linear_velocity(world, state, above).x() - a_above * seconds) < allowed);
    CHECK(std::abs(linear_velocity(world, state, below).x() - a_below * seconds) < allowed);
  }
}
