#include <atomic>
#include <cmath>
#include <string>

#include <doctest/doctest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <tact/core/stop.hpp>
#include <tact/sim/step_error.hpp>
#include <tact/sim/stepper.hpp>

#include "worlds.hpp"

using namespace tact;
using namespace tact::test;

namespace {

// Everything there is, joined and not.
World mixed_world()
{
  WorldBuilder builder;
  const int cloth = builder.add(sheet("cloth", 20, 1.0));
  const int block = builder.add(box("block", {0.0, 3.0, 0.0}));
  builder.add(turntable("table", 1.0));
  const int jelly_body = builder.add(jelly("jelly", {2.0, 0.0, 0.0}, 1e5));
  builder.add(jelly("free jelly", {4.0, 0.0, 0.0}, 1e5, 3));
  builder.add(Pin{.a = {.body = cloth, .point = {.vertex = 0}}, .b = {.place = {-0.5, 1.0, -0.5}}});
  builder.add(Spring{.a = {.body = block, .point = {.local = {0.05, 0.0, 0.05}}},
                     .b = {.body = jelly_body, .point = {.vertex = 0}},
                     .stiffness = 100.0,
                     .damping = 0.1,
                     .rest_length = 1.0});
  return builder.build();
}

std::string hash_after(const World& world, int steps, int threads, const StepOptions& options)
{
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 8);
  tbb::task_arena arena(threads);
  return arena.execute([&] {
    State state = world.start();
    Stepper stepper(world, options);
    for (int k = 0; k < steps; ++k) stepper.step(state, 0.01);
    return state_hash(state);
  });
}

}  // namespace

TEST_CASE("free fall of every kind of body is exact for backward Euler")
{
  WorldBuilder builder;
  builder.add(box("block", {0.0, 0.0, 0.0}));
  builder.add(sheet("cloth", 6, 1.0));
  builder.add(jelly("jelly", {1.0, 0.0, 0.0}, 1e6));
  const World world = builder.build();
  State state = world.start();
  const State start = state;
  Stepper stepper(world, {});
  const double dt = 0.01;
  const int n = 50;
  for (int k = 0; k < n; ++k) stepper.step(state, dt);
  for (int i = 0; i < world.body_count(); ++i) {
    CAPTURE(world.body(i).name());
    const Vector3d fallen = world.body(i).centre_of_mass(world.q(state, i)) -
                            world.body(i).centre_of_mass(world.q(start, i));
    // v_k = k dt g, so the sum is dt^2 g n (n + 1) / 2.
    CHECK(fallen.y() == doctest::Approx(-9.81 * dt * dt * n * (n + 1) / 2.0).epsilon(1e-12));
    CHECK(std::abs(fallen.x()) + std::abs(fallen.z()) < 1e-12);
  }
  CHECK(state.t == doctest::Approx(n * dt));
  CHECK(state.step == n);
}

TEST_CASE("the same bits for 1, 2 and 8 threads, by Cholesky and by conjugate gradients")
{
  const World world = mixed_world();
  for (const int limit : {1000, 10}) {
    CAPTURE(limit);
    const StepOptions options{.dynamics = {.max_factored_nodes = limit}};
    const std::string one = hash_after(world, 20, 1, options);
    CHECK(hash_after(world, 20, 2, options) == one);
    CHECK(hash_after(world, 20, 8, options) == one);
  }
}

TEST_CASE("Cholesky and conjugate gradients give the same motion")
{
  const World world = mixed_world();
  State exact = world.start();
  State iterative = world.start();
  Stepper by_factor(world, {.dynamics = {.max_factored_nodes = 1000000}});
  Stepper by_pcg(world, {.dynamics = {.max_factored_nodes = 10, .pcg = {.tolerance = 1e-13}}});
  int iterations = 0;
  for (int k = 0; k < 10; ++k) {
    CHECK(by_factor.step(exact, 0.01).report.pcg_iterations == 0);
    iterations += by_pcg.step(iterative, 0.01).report.pcg_iterations;
  }
  CHECK(iterations > 0);
  CHECK((exact.q - iterative.q).norm() < 1e-9);
}

TEST_CASE("soft sheets are iterated, stiff ones factored, and small ones always")
{
  const auto iterations = [](int n, double stretch) {
    WorldBuilder builder;
    builder.add(sheet("sheet", n, 1.0, {.stretch = stretch, .shear = stretch, .bend = 0.0}));
    const World world = builder.build();
    State state = world.start();
    for (Eigen::Index i = 0; i < state.v.size(); ++i) state.v[i] = i % 7 < 3 ? 0.01 : -0.01;
    return Stepper(world, {}).step(state, 0.005).report.pcg_iterations;
  };
  CHECK(iterations(40, 10.0) > 0);
  CHECK(iterations(40, 1e6) == 0);
  CHECK(iterations(20, 10.0) == 0);
}

TEST_CASE("a step that is stopped is given up, and made again from its memory has the same bits")
{
  const World world = mixed_world();
  State state = world.start();
  Stepper stepper(world, {});
  for (int k = 0; k < 5; ++k) stepper.step(state, 0.01);
  const StepperMemory memory = stepper.memory();
  const std::string before = state_hash(state);
  {
    const std::atomic<bool> stop{true};
    const StopScope scope(&stop);
    CHECK_THROWS_AS(stepper.step(state, 0.01), Stopped);
  }
  CHECK(state_hash(state) == before);
  State other = state;
  stepper.restore(memory);
  stepper.step(state, 0.01);
  Stepper fresh(world, {});
  fresh.restore(memory);
  fresh.step(other, 0.01);
  CHECK(state_hash(state) == state_hash(other));
}

TEST_CASE("every step reports how well it keeps the balance of momentum")
{
  const World world = mixed_world();
  State state = world.start();
  Stepper stepper(world, {});
  for (int k = 0; k < 10; ++k) {
    const StepReport report = stepper.step(state, 0.01).report;
    CHECK(report.momentum_error < 1e-9);
    CHECK(report.momentum_error > 0.0);
  }
}

TEST_CASE("a stepper restored from its memory goes on with the same bits, in contact too")
{
  WorldBuilder builder;
  builder.add(turntable("ground", 0.5));
  builder.add(box("block", {0.0, 0.11, 0.0}));
  builder.add(sheet("cloth", 12, 0.17));          // small enough to be factored in contact
  builder.add(sheet("large cloth", 33, 0.1719));  // not so: 1,089 nodes
  builder.add(jelly("jelly", {0.3, 0.12, 0.3}, 1e5));
  const World world = builder.build();
  StepOptions options;
  options.contact.delta = 1e-3;
  State state = world.start();
  Stepper stepper(world, options);
  int contacts = 0;
  for (int k = 0; k < 24; ++k) {
    Stepper other(world, options);
    other.restore(stepper.memory());
    State copy = state;
    contacts += stepper.step(state, 0.004).report.contacts;
    other.step(copy, 0.004);
    REQUIRE(state_hash(copy) == state_hash(state));
  }
  CHECK(contacts > 1000);
}

// A sheet that conjugate gradients solve, on a table and beside it.
TEST_CASE("expected motions lead to the velocities that v* before contact leads to")
{
  WorldBuilder builder;
  builder.add(turntable("ground", 0.5));
  builder.add(sheet("cloth", 40, 0.0525));
  builder.add(sheet("falls", 36, 0.5));
  const World world = builder.build();
  StepOptions options;
  options.contact.delta = 2e-3;
  options.contact.solver.tolerance = 1e-5;
  StepOptions in_turn = options;
  in_turn.contact.free_motion_first = true;
  State state = world.start();
  Stepper stepper(world, options), first(world, in_turn);
  int expected = 0;
  for (int k = 0; k < 30; ++k) {
    State copy = state;
    first.restore(stepper.memory());
    first.step(copy, 0.004);
    const StepResult& step = stepper.step(state, 0.004);
    REQUIRE(step.report.unconverged == 0);
    CHECK(step.problem.rest.size() % world.v_size() == 0);
    expected += step.problem.rest.size() > 0;
    // Both answers are within the tolerance of one that all nodes agree on.
    CHECK((copy.v - state.v).norm() < 1e-2 * std::sqrt(static_cast<double>(world.node_count())));
    const auto falls = 3 * world.place(2).node;
    CHECK((copy.v - state.v).tail(copy.v.size() - falls).cwiseAbs().maxCoeff() < 1e-6);
  }
  CHECK(expected > 10);
}

TEST_CASE("a step that cannot be computed leaves the state as it was and names the body")
{
  const World world = mixed_world();
  State state = world.start();
  state.v[3 * world.place(1).node] = 1e300;  // overflows on the way
  const State before = state;
  Stepper stepper(world, {});
  CHECK_THROWS_AS(stepper.step(state, 0.01), StepError);
  CHECK(state_hash(state) == state_hash(before));
}

TEST_CASE("soft bodies that rest on each other under friction have no velocity")
{
  for (const double delta : {1e-3, 4e-3}) {
    CAPTURE(delta);
    WorldBuilder builder;
    builder.gravity = {9.81 * std::sin(0.2), -9.81 * std::cos(0.2), 0.0};
    builder.law.mu = 0.8;
    builder.add(turntable("ground", 0.0));
    for (int i = 0; i < 2; ++i)
      builder.add(
          jelly("jelly-" + std::to_string(i), {0.0, 0.1 + delta + i * (0.1 + delta), 0.0}, 3e5));
    const World world = builder.build();
    State state = world.start();
    StepOptions options;
    options.contact.delta = delta;
    options.contact.solver.tolerance = 1e-7;
    Stepper stepper(world, options);
    for (int k = 0; k < 150; ++k) stepper.step(state, 0.01);
    CHECK(stepper.last().contacts.size() > 10);
    CHECK(state.v.cwiseAbs().maxCoeff() < 1e-5);  // m/s
  }
}
