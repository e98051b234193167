#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/sim/stepper.hpp>

#include "worlds.hpp"

using namespace tact;
using namespace tact::test;

namespace {

void settle(const World& world, State& state, int steps, double dt)
{
  Stepper stepper(world, {});
  for (int k = 0; k < steps; ++k) stepper.step(state, dt);
}

// A block of 1 kg on a spring whose upper end is the origin.
World hanging_block(double stiffness, double damping, double rest_length, double gravity)
{
  WorldBuilder builder;
  builder.gravity = {0.0, -gravity, 0.0};
  const int block = builder.add(box("block", {0.0, -rest_length, 0.0}));
  builder.add(Spring{.a = {.body = block},
                     .b = {},
                     .stiffness = stiffness,
                     .damping = damping,
                     .rest_length = rest_length});
  return builder.build();
}

}  // namespace

TEST_CASE("a hanging spring stretches by m g / k")
{
  const double k = 250.0, g = 9.81, rest = 0.3;
  const World world = hanging_block(k, 40.0, rest, g);
  State state = world.start();
  settle(world, state, 4000, 0.005);
  // 20 s against a decay time of 2 m / c = 0.05 s: what is left is round-off.
  CHECK(world.q(state, 0)[1] == doctest::Approx(-rest - 1.0 * g / k).epsilon(1e-12));
}

TEST_CASE("a damped oscillator's logarithmic decrement converges to 2 pi zeta / sqrt(1 - zeta^2)")
{
  const double k = 100.0, m = 1.0, zeta = 0.05;
  const double c = 2.0 * zeta * std::sqrt(k * m);
  const double period = 2.0 * std::numbers::pi / std::sqrt(k / m * (1.0 - zeta * zeta));
  const double expected = 2.0 * std::numbers::pi * zeta / std::sqrt(1.0 - zeta * zeta);
  // Stretched throughout, so that the spring is linear: 0.05 m of swing about a stretch of g m / k.
  const auto decrement = [&](int steps_a_period) {
    const World world = hanging_block(k, c, 1.0, 9.81);
    State state = world.start();
    const double rest = -1.0 - 9.81 * m / k;
    state.q[1] = rest - 0.05;
    const double first = state.q[1] - rest;
    settle(world, state, steps_a_period, period / steps_a_period);
    return std::log(first / (world.q(state, 0)[1] - rest));
  };
  // Backward Euler adds a damping proportional to dt: half the step, half the error.
  const double coarse = decrement(2000) - expected;
  const double middle = decrement(4000) - expected;
  const double fine = decrement(8000) - expected;
  CHECK(coarse / middle == doctest::Approx(2.0).epsilon(0.03));
  CHECK(middle / fine == doctest::Approx(2.0).epsilon(0.03));
  CHECK(std::abs(2.0 * fine - middle) < 1e-4);  // extrapolated
}

TEST_CASE("a spring between two free bodies keeps their momentum")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  const int a = builder.add(box("a", {0.0, 0.0, 0.0}));
  const int b = builder.add(box("b", {0.5, 0.1, 0.0}, 3000.0));
  builder.add(Spring{.a = {.body = a, .point = {.local = {0.05, 0.05, 0.0}}},
                     .b = {.body = b, .point = {.vertex = 3}},
                     .stiffness = 500.0,
                     .damping = 1.0,
                     .rest_length = 0.3});
  const World world = builder.build();
  State state = world.start();
  settle(world, state, 200, 0.005);
  const Momentum total = momentum(world, state);
  CHECK(kinetic_energy(world, state) > 1e-3);  // it does move
  CHECK(total.linear.norm() < 1e-12);          // exact but for rounding
  // Angular momentum is kept by the forces, but the lever arms turn during a step: first order.
  CHECK(total.angular.norm() < 2e-2);
}

TEST_CASE("a pendulum on a pin stays at its pin and swings with the period of its length")
{
  WorldBuilder builder;
  const int bob = builder.add(box("bob", {0.0, 0.0, 0.0}));
  const double length = 0.5;  // pinned at a point of its own axes outside of the block
  builder.add(Pin{.a = {.body = bob, .point = {.local = {0.0, length, 0.0}}},
                  .b = {.place = {0.0, length, 0.0}}});
  const World world = builder.build();
  State state = world.start();
  state.v[0] = 0.05;           // small: 0.1 rad/s
  state.v[5] = 0.05 / length;  // turns about the pin
  const double inertia = 1.0 * 0.1 * 0.1 / 6.0 + 1.0 * length * length;
  const double period = 2.0 * std::numbers::pi * std::sqrt(inertia / (1.0 * 9.81 * length));
  Stepper stepper(world, {});
  const double dt = period / 4000.0;
  int crossings = 0;
  double last = 0.0, time = 0.0;
  while (crossings < 3) {  // right, back, left, back: two half periods after the first return
    last = world.q(state, bob)[0];
    stepper.step(state, dt);
    const Vector3d pin =
        world.body(bob).position(state.t, world.q(state, bob), {.local = {0.0, length, 0.0}});
    REQUIRE((pin - Vector3d(0.0, length, 0.0)).norm() < 1e-6);
    if (last * world.q(state, bob)[0] < 0.0) {
      ++crossings;
      time = state.t;
    }
  }
  CHECK(time == doctest::Approx(1.5 * period).epsilon(2e-3));
}

TEST_CASE("vertices pinned to a turning obstacle go round with it exactly")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  const int cloth = builder.add(sheet("cloth", 4, 0.2));
  const int table = builder.add(turntable("table", 2.0));
  for (const int vertex : {0, 3, 12, 15}) {
    const Vector3d at = make_cloth(1.0, 1.0, 4, 4).positions[vertex] + Vector3d(0.0, 0.2, 0.0);
    builder.add(Pin{.a = {.body = cloth, .point = {.vertex = vertex}},
                    .b = {.body = table, .point = {.local = at}}});
  }
  const World world = builder.build();
  State state = world.start();
  settle(world, state, 100, 0.01);
  for (const PrescribedNode& node : world.prescribed()) {
    const Vector3d apart = position(world, state, node.pin.a) - position(world, state, node.pin.b);
    CHECK(apart.norm() < 1e-14);
  }
}

TEST_CASE("a pull acts on a free body as the world's own spring would and ends when it is let go")
{
  const double k = 250.0, g = 9.81;
  for (const IntegratorKind kind :
       {IntegratorKind::implicit_euler, IntegratorKind::semi_implicit_euler}) {
    WorldBuilder builder;
    builder.gravity = {0.0, -g, 0.0};
    const int block = builder.add(box("block", {0.0, -0.1, 0.0}));
    const World world = builder.build();
    State state = world.start();
    StepOptions options;
    options.integrator = kind;
    Stepper stepper(world, options);
    stepper.pull(Spring{.a = {.body = block}, .b = {}, .stiffness = k, .damping = 40.0});
    for (int n = 0; n < 4000; ++n) stepper.step(state, 0.005);
    CHECK(world.q(state, 0)[1] == doctest::Approx(-1.0 * g / k).epsilon(1e-9));
    stepper.pull(std::nullopt);
    stepper.step(state, 0.005);
    CHECK(state.v[1] == doctest::Approx(-0.005 * g).epsilon(1e-6));
  }
}

TEST_CASE("a pull at nothing that can move is refused")
{
  WorldBuilder builder;
  builder.add(box("block", {0.0, 1.0, 0.0}));
  builder.add(turntable("table", 0.0));
  const World world = builder.build();
  Stepper stepper(world, {});
  for (const int body : {-1, 1, 2})
    CHECK_THROWS_AS(stepper.pull(Spring{.a = {.body = body}, .b = {}, .stiffness = 1.0}), Error);
}
