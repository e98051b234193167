// Explicit steps: what they compute without contact, when they are stable, and what they promise.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <tact/core/error.hpp>
#include <tact/sim/stability.hpp>
#include <tact/sim/stepper.hpp>

#include "worlds.hpp"

using namespace tact;
using namespace tact::test;

namespace {

StepOptions explicit_options(double delta = 1e-3)
{
  StepOptions options;
  options.integrator = IntegratorKind::semi_implicit_euler;
  options.contact.delta = delta;
  return options;
}

// A block on a spring along y, from a place in the world above it.
World block_on_spring(double stiffness, double damping = 0.0)
{
  WorldBuilder builder;
  builder.gravity.setZero();
  const int block = builder.add(box("block", {0.0, 0.1, 0.0}));
  builder.add(Spring{.a = {.body = block, .point = {.local = Vector3d::Zero()}},
                     .b = {.place = {0.0, 1.0, 0.0}},
                     .stiffness = stiffness,
                     .damping = damping,
                     .rest_length = 1.0});
  return builder.build();
}

// A soft block and a sheet that fall on a turning table, and a rigid block on top.
World pile()
{
  WorldBuilder builder;
  builder.add(turntable("ground", 0.5));
  builder.add(jelly("jelly", {0.0, 0.12, 0.0}, 2e4));
  builder.add(box("block", {0.02, 0.24, 0.01}, 300.0));
  builder.add(sheet("cloth", 10, 0.32, {.stretch = 20.0, .shear = 10.0, .bend = 0.1}));
  return builder.build();
}

double energy(const World& world, const State& state)
{
  return kinetic_energy(world, state) + potential_energy(world, state);
}

}  // namespace

TEST_CASE("what nodes of a mesh do to each other is no loss of momentum in explicit steps")
{
  WorldBuilder builder;
  builder.add(turntable("ground", 0.0));
  builder.add(jelly("left", {-0.2, 0.105, 0.0}, 2e4));
  builder.add(jelly("right", {0.2, 0.105, 0.0}, 2e4));
  const World world = builder.build();
  Stepper stepper(world, explicit_options());
  State state = world.start();
  StepReport report;
  for (int k = 0; k < 100; ++k) {
    report = stepper.step(state, 1e-3).report;
    CHECK(report.momentum_loss < 1e-9);
  }
  CHECK(report.contacts >= 8);  // they have fallen 5 mm
  CHECK(report.islands == 2);   // bodies that touch, however many regions of nodes there are
}

TEST_CASE("a mass on a spring keeps the invariant of semi-implicit Euler to round-off")
{
  const double k = 200.0, m = 1.0;  // 0.1 m of water
  const World world = block_on_spring(k);
  State state = world.start();
  Stepper stepper(world, explicit_options());
  const double h = 0.01;
  // With x' = v: m v^2 + k x^2 - h k x v is kept exactly, whatever h.
  const auto invariant = [&] {
    const double x = state.q[1], v = state.v[1];
    return m * v * v + k * x * x - h * k * x * v;
  };
  const double start = invariant();
  for (int step = 0; step < 1000; ++step) {
    const StepReport report = stepper.step(state, h).report;
    REQUIRE(report.substeps == 1);
    REQUIRE(std::abs(invariant() - start) < 1e-9 * start);
  }
}

TEST_CASE("the stability estimate of a mass on a damped spring is the closed form")
{
  const double k = 200.0, m = 1.0;
  for (const double c : {0.0, 3.0, 100.0}) {
    CAPTURE(c);
    const StiffestMode mode = stiffest_mode(block_on_spring(k, c));
    // Up to the margin of 6 %, on the safe side. The pull across the spring is 0 at rest length.
    CHECK(mode.frequency_squared > k / m * 0.999);
    CHECK(mode.frequency_squared < k / m * 1.07);
    CHECK(mode.damping >= c / m * 0.999);
    CHECK(mode.damping <= c / m * 1.07);
    const double h = mode.longest_step();
    CHECK(h * h * mode.frequency_squared + 2.0 * h * mode.damping == doctest::Approx(4.0));
  }
  WorldBuilder builder;
  builder.add(box("block", {0.0, 0.0, 0.0}));
  CHECK(stiffest_mode(builder.build()).longest_step() == std::numeric_limits<double>::infinity());
}

TEST_CASE("a soft body is stable at the estimated step and not at 1.2 times of it")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.add(jelly("jelly", {0.0, 0.0, 0.0}, 1e6, 3));
  const World world = builder.build();
  const double longest = stiffest_mode(world).longest_step();
  const auto energy_after = [&](double share) {
    StepOptions options = explicit_options();
    options.explicit_steps.share = share;  // a step of this length is not cut
    State state = world.start();
    for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] = i % 7 < 3 ? 1e-3 : -1e-3;
    const double start = energy(world, state);
    Stepper stepper(world, options);
    for (int k = 0; k < 400; ++k) {
      if (stepper.step(state, share * longest).report.substeps != 1) return -1.0;
      if (energy(world, state) > 1e6 * start) break;
    }
    return energy(world, state) / start;
  };
  CHECK(energy_after(0.9) > 0.0);
  CHECK(energy_after(0.9) < 4.0);
  CHECK(energy_after(1.2) > 1e3);
}

TEST_CASE("steps are cut into substeps of the stable length, and the report says into how many")
{
  WorldBuilder builder;
  builder.add(jelly("jelly", {0.0, 1.0, 0.0}, 1e6, 3));
  const World world = builder.build();
  const double longest = 0.8 * stiffest_mode(world).longest_step();
  State state = world.start();
  Stepper stepper(world, explicit_options());
  CHECK(stepper.step(state, 0.9 * longest).report.substeps == 1);
  CHECK(stepper.step(state, 1.1 * longest).report.substeps == 2);
  CHECK(stepper.step(state, 7.5 * longest).report.substeps == 8);
  CHECK(state.step == 3);
  CHECK(state.t == doctest::Approx(9.5 * longest));
  CHECK(stepper.last().dt == doctest::Approx(7.5 / 8.0 * longest));
}

TEST_CASE("free fall of every kind of body is that of semi-implicit Euler")
{
  WorldBuilder builder;
  builder.add(box("block", {0.0, 0.0, 0.0}));
  builder.add(sheet("cloth", 6, 1.0));
  builder.add(jelly("jelly", {1.0, 0.0, 0.0}, 1e4));
  const World world = builder.build();
  State state = world.start();
  const State start = state;
  Stepper stepper(world, explicit_options());
  const double dt = 1e-3;
  const int n = 50;
  int substeps = 0;
  for (int k = 0; k < n; ++k) substeps = stepper.step(state, dt).report.substeps;
  const double h = dt / substeps, steps = n * substeps;
  for (int i = 0; i < world.body_count(); ++i) {
    CAPTURE(world.body(i).name());
    const Vector3d fallen = world.body(i).centre_of_mass(world.q(state, i)) -
                            world.body(i).centre_of_mass(world.q(start, i));
    CHECK(fallen.y() == doctest::Approx(-9.81 * h * h * steps * (steps + 1) / 2.0).epsilon(1e-10));
  }
}

TEST_CASE(
    "short explicit and implicit steps converge to the same motion of a soft body on a spring")
{
  WorldBuilder builder;
  const int body = builder.add(jelly("jelly", {0.0, 0.0, 0.0}, 1e4, 2));
  builder.add(Spring{.a = {.body = body, .point = {.vertex = 0}},
                     .b = {.place = {-0.05, 0.45, -0.05}},
                     .stiffness = 100.0,
                     .damping = 0.5,
                     .rest_length = 0.4});
  const World world = builder.build();
  const auto difference = [&](double dt) {
    State a = world.start(), b = world.start();
    Stepper by_explicit(world, explicit_options()), by_implicit(world, {});
    for (int k = 0; k < std::lround(0.2 / dt); ++k) {
      by_explicit.step(a, dt);
      by_implicit.step(b, dt);
    }
    return (a.q - b.q).cwiseAbs().maxCoeff();
  };
  const double coarse = difference(2e-4), fine = difference(1e-4);
  CHECK(coarse < 5e-3);
  CHECK(fine / coarse == doctest::Approx(0.5).epsilon(0.1));  // both are of first order
}

TEST_CASE("nothing passes through anything in explicit steps, and every step is certified")
{
  const World world = pile();
  State state = world.start();
  StepOptions options = explicit_options();
  options.contact.measure_clearance = true;
  Stepper stepper(world, options);
  int contacts = 0, cut = 0;
  for (int k = 0; k < 150; ++k) {
    const StepReport report = stepper.step(state, 2e-3).report;
    contacts += report.contacts;
    cut += report.cut_steps;
    REQUIRE(report.clearance > 0.0);
    REQUIRE(report.momentum_error < 1e-9);
  }
  CHECK(contacts > 1000);
  CHECK(cut == 0);
}

TEST_CASE("explicit steps: the same bits for 1 and 4 threads and after a restart from memory")
{
  const World world = pile();
  const auto hash_with = [&](int threads, bool restart) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 8);
    return tbb::task_arena(threads).execute([&] {
      State state = world.start();
      Stepper stepper(world, explicit_options());
      for (int k = 0; k < 80; ++k) stepper.step(state, 2e-3);
      if (restart) {
        Stepper other(world, explicit_options());
        other.restore(stepper.memory());
        for (int k = 0; k < 10; ++k) other.step(state, 2e-3);
      } else {
        for (int k = 0; k < 10; ++k) stepper.step(state, 2e-3);
      }
      return state_hash(state);
    });
  };
  const std::string one = hash_with(1, false);
  CHECK(hash_with(4, false) == one);
  CHECK(hash_with(2, true) == one);
}

TEST_CASE("a vertex that is pinned stays; a pin that only implicit steps hold is refused by name")
{
  WorldBuilder builder;
  const int cloth = builder.add(sheet("cloth", 5, 1.0));
  builder.add(Pin{.a = {.body = cloth, .point = {.vertex = 0}}, .b = {.place = {-0.5, 1.0, -0.5}}});
  const World world = builder.build();
  State state = world.start();
  Stepper stepper(world, explicit_options());
  for (int k = 0; k < 100; ++k) stepper.step(state, 1e-3);
  CHECK((world.q(state, cloth).head<3>() - Vector3d(-0.5, 1.0, -0.5)).norm() < 1e-12);
  CHECK(state.q[3 * 24 + 1] < 0.99);  // the far corner falls

  const int block = builder.add(box("weight", {0.0, 0.0, 0.0}));
  builder.add(Pin{.a = {.body = block, .point = {.local = {0.05, 0.05, 0.05}}},
                  .b = {.place = {0.05, 0.05, 0.05}}});
  const World pinned = builder.build();
  CHECK_THROWS_WITH_AS(Stepper(pinned, explicit_options()), doctest::Contains("\"weight\""), Error);
}
