// Mechanisms with closed forms: pendulums, chains, arms, closed loops. All by hard joints.
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/joint_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

using std::numbers::pi;

// ---- E1

struct Pendulum {
  World world;
  double small_period;  // s
};

// Released at an angle from below, on a hinge at the origin.
Pendulum pendulum(double angle)
{
  WorldBuilder builder;
  const double length = 0.6, width = 0.05;
  const Vector3d direction(std::sin(angle), -std::cos(angle), 0.0);
  const Rod rod = add_rod(builder, "rod", Vector3d::Zero(), direction, length, 1000.0, width);
  builder.add(Joint{.name = "hinge",
                    .kind = JointKind::hinge,
                    .a = in_world(Vector3d::Zero(), Vector3d::UnitZ()),
                    .b = on(rod, Vector3d::Zero())});
  const double inertia = (length * length + width * width) / 12.0 + 0.25 * length * length;
  return {builder.build(), 2.0 * pi * std::sqrt(inertia / (g * 0.5 * length))};
}

double measured_period(const World& world, double dt)
{
  State state = world.start();
  Stepper stepper(world, by_default());
  double last = 0.0, first_zero = 0.0;
  for (int zeros = 0;;) {
    last = world.q(state, 0)[0];
    const StepReport& report = stepper.step(state, dt).report;
    REQUIRE(report.joint_gap < 1e-9);
    REQUIRE(report.joint_turn < 1e-9);
    const double now = world.q(state, 0)[0];
    if (last * now >= 0.0) continue;
    const double zero = state.t - dt * now / (now - last);
    if (++zeros == 1) first_zero = zero;
    if (zeros == 5) return 0.5 * (zero - first_zero);
  }
}

}  // namespace

TEST_CASE("a compound pendulum on a hinge swings with the period of the elliptic integral")
{
  for (const double degrees : {90.0, 45.0}) {
    const Pendulum swing = pendulum(radians(degrees));
    const double ratio = std::comp_ellint_1(std::sin(0.5 * radians(degrees))) / (0.5 * pi);
    std::vector<double> errors;
    for (const double dt : {0.004, 0.002, 0.001})
      errors.push_back(measured_period(swing.world, dt) / (swing.small_period * ratio) - 1.0);
    CAPTURE(degrees);
    MESSAGE("period errors " << errors[0] << " " << errors[1] << " " << errors[2]);
    CHECK(std::abs(errors[2]) < 2e-3);
    CHECK(std::abs(errors[1]) <= 0.6 * std::abs(errors[0]) + 1e-7);
    CHECK(std::abs(errors[2]) <= 0.6 * std::abs(errors[1]) + 1e-7);
  }
}

// ---- E2

namespace {

World hanging_chain(int links, double heavier, const Vector3d& direction, int world_ends = 1)
{
  WorldBuilder builder;
  const double length = 0.1;
  Rod last{};
  Vector3d at = Vector3d::Zero();
  for (int k = 0; k < links; ++k) {
    const bool end = k + 1 == links;
    const Rod rod = add_rod(builder, "link" + std::to_string(k), at, direction, length,
                            end ? 1000.0 * heavier : 1000.0);
    if (k > 0 || world_ends > 0)
      builder.add(Joint{.name = "ball" + std::to_string(k),
                        .kind = JointKind::ball,
                        .a = k == 0 ? in_world(at, Vector3d::UnitX()) : on(last, at),
                        .b = on(rod, at)});
    at += length * direction;
    last = rod;
  }
  return builder.build();
}

struct ChainRun {
  double gap = 0.0, highest = 0.0, lowest = 0.0;  // m, J, J: of energy over that at the start
  int unconverged = 0, cut = 0, halvings = 0;
};

ChainRun run_chain(const World& world, int steps, double dt)
{
  State state = world.start();
  Stepper stepper(world, by_default());
  const double start = kinetic_energy(world, state) + potential_energy(world, state);
  ChainRun found;
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = stepper.step(state, dt).report;
    found.gap = std::max(found.gap, report.joint_gap);
    found.unconverged += report.unconverged;
    found.cut += report.cut_steps;
    found.halvings += report.halvings;
    const double gain = kinetic_energy(world, state) + potential_energy(world, state) - start;
    found.highest = std::max(found.highest, gain);
    found.lowest = std::min(found.lowest, gain);
  }
  return found;
}

}  // namespace

TEST_CASE("a step of a mechanism that swings gains no energy from nowhere")
{
  for (const double dt : {0.01, 0.004, 0.001}) {
    const World world = hanging_chain(3, 5.0, Vector3d(1.0, 0.1, 0.3).normalized());
    State state = world.start();
    Stepper stepper(world, by_default());
    double gain = 0.0, most = 0.0;
    for (int k = 0; k < 300; ++k) {
      const StepReport& report = stepper.step(state, dt).report;
      gain = std::max(gain, report.energy_gain);
      most = std::max(most, report.kinetic_energy);
    }
    CAPTURE(dt);
    CHECK(most > 0.3);  // J: it does swing
    CHECK(gain < 1e-11 * most);
  }
}

TEST_CASE("a chain with a heavy end never opens")
{
  const Vector3d aside = Vector3d(1.0, -0.3, 0.2).normalized();
  for (const double heavier : {1.0, 1e3, 1e6})
    for (const double dt : {0.005, 0.002, 0.001}) {
      const World world = hanging_chain(10, heavier, aside);
      const ChainRun found = run_chain(world, 1000, dt);
      CAPTURE(heavier);
      CAPTURE(dt);
      const double size = 10.0 * world.body(9).mass() * g * 1.0;
      MESSAGE("heavier " << heavier << " dt " << dt << " gap " << found.gap << " energy "
                         << found.lowest / size << " to " << found.highest / size << " halvings "
                         << found.halvings << " cut " << found.cut);
      CHECK(found.gap < 1e-9);
      CHECK(found.unconverged == 0);
      CHECK(found.cut == 0);
    }
}

// ---- E3

TEST_CASE("rods in a row held by welds: joint k from the free end bears k m g and k^2 m g l / 2")
{
  constexpr int count = 6;
  constexpr double length = 0.2;
  for (const double dt : {0.01, 0.004, 0.001}) {
    WorldBuilder builder;
    Rod last{};
    for (int k = 0; k < count; ++k) {
      const Vector3d at(k * length, 0.0, 0.0);
      const Rod rod = add_rod(builder, "rod" + std::to_string(k), at, Vector3d::UnitX(), length);
      builder.add(Joint{.name = "weld" + std::to_string(k),
                        .kind = JointKind::weld,
                        .a = k == 0 ? in_world(at, Vector3d::UnitZ()) : on(last, at),
                        .b = on(rod, at)});
      last = rod;
    }
    const World world = builder.build();
    State state = world.start();
    Stepper stepper(world, by_default());
    for (int k = 0; k < 20; ++k) stepper.step(state, dt);
    const double weight = world.body(0).mass() * g;
    for (int joint = 0; joint < count; ++joint) {
      const double k = count - joint;
      const JointReaction& on_rod = stepper.last().joints[joint];
      CHECK((on_rod.force / dt - k * weight * Vector3d::UnitY()).norm() < 1e-8 * k * weight);
      const double torque = 0.5 * k * k * weight * length;
      CHECK((on_rod.torque / dt - torque * Vector3d::UnitZ()).norm() < 1e-8 * torque);
    }
    CHECK(kinetic_energy(world, state) < 1e-20);
  }
}

// ---- E7

namespace {

constexpr double crank = 0.1, coupler = 0.35, rocker = 0.3, ground = 0.4;  // m

// Of the rocker against x, by the law of cosines, for a crank at this angle.
double rocker_angle(double angle)
{
  const Vector2d pin(crank * std::cos(angle), crank * std::sin(angle));
  const Vector2d back = pin - Vector2d(ground, 0.0);
  const double cosine =
      (rocker * rocker + back.squaredNorm() - coupler * coupler) / (2.0 * rocker * back.norm());
  return std::atan2(back.y(), back.x()) - std::acos(cosine);
}

struct FourBar {
  double worst_angle = 0.0, worst_gap = 0.0, worst_turn = 0.0, most_force = 0.0;
  int unconverged = 0, cut = 0, halvings = 0;
};

// The crank turns once in a second by a script; three hinges about z more than the plane needs.
FourBar run_four_bar(double turns, double dt)
{
  WorldBuilder builder;
  ObstacleOptions script;
  script.surface = make_box({0.05, 0.01, 0.01});
  for (int k = 0; k <= 16 * turns + 16; ++k)
    script.motion.push_back({.t = k / 16.0,
                             .position = Vector3d::Zero(),
                             .orientation = Eigen::Quaterniond(
                                 Eigen::AngleAxisd(2.0 * pi * k / 16.0, Vector3d::UnitZ()))});
  const int driver = builder.add(make_obstacle("crank", std::move(script)));
  const Vector3d pin(crank, 0.0, 0.0), base(ground, 0.0, 0.0);
  const double start = rocker_angle(0.0);
  const Vector3d knee = base + rocker * Vector3d(std::cos(start), std::sin(start), 0.0);
  const Rod rod = add_rod(builder, "coupler", pin, (knee - pin).normalized(), coupler);
  const Rod swing = add_rod(builder, "rocker", base, (knee - base).normalized(), rocker);
  const auto hinge = [&](const char* name, const JointEnd& a, const JointEnd& b) {
    builder.add(Joint{.name = name, .kind = JointKind::hinge, .a = a, .b = b});
  };
  hinge("pin", on(driver, pin, Vector3d::UnitZ(), Vector3d::Zero()), on(rod, pin));
  hinge("knee", on(rod, knee), on(swing, knee));
  hinge("base", in_world(base, Vector3d::UnitZ()), on(swing, base));
  const World world = builder.build();
  State state = world.start();
  Stepper stepper(world, by_default());
  FourBar found;
  run(state, stepper, turns, dt, [&](const StepReport& report) {
    const Vector3d way = place_of(world, state, swing.body) - base;
    const double angle = std::atan2(way.y(), way.x());
    const double wanted = rocker_angle(2.0 * pi * state.t);
    found.worst_angle =
        std::max(found.worst_angle, std::abs(std::remainder(angle - wanted, 2.0 * pi)));
    found.worst_gap = std::max(found.worst_gap, report.joint_gap);
    found.worst_turn = std::max(found.worst_turn, report.joint_turn);
    found.unconverged += report.unconverged;
    found.cut += report.cut_steps;
    found.halvings += report.halvings;
    if (state.t < 0.1) return;  // it starts from rest
    for (const JointReaction& joint : stepper.last().joints)
      found.most_force = std::max(found.most_force, joint.force.norm() / stepper.last().dt);
  });
  return found;
}

void check_four_bar(const FourBar& found)
{
  CHECK(found.worst_angle < 1e-9);  // asked: 1e-6
  CHECK(found.worst_gap < 1e-9);
  CHECK(found.worst_turn < 1e-9);
  CHECK(found.unconverged == 0);
  CHECK(found.cut == 0);
  CHECK(found.most_force < 50.0);  // N, of rods of 0.14 and 0.12 kg at one turn in a second
}

}  // namespace

TEST_CASE("a four-bar of hinges in space, said three times too often, follows the law of cosines")
{
  for (const double dt : {0.01, 0.005, 0.002}) {
    CAPTURE(dt);
    check_four_bar(run_four_bar(2.0, dt));
  }
}

TEST_SUITE("slow")
{
  TEST_CASE("a four-bar runs 100 turns without drift")
  {
    check_four_bar(run_four_bar(100.0, 0.01));
  }

  TEST_CASE("a chain with an end of 1,000 : 1 stays closed for 1e5 steps")
  {
    const World world = hanging_chain(10, 1e3, Vector3d(1.0, -0.3, 0.2).normalized());
    const ChainRun found = run_chain(world, 100'000, 0.002);
    CHECK(found.gap < 1e-9);
    CHECK(found.unconverged == 0);
    CHECK(found.cut == 0);
  }
}

// ---- Momentum, energy, errors that are there

TEST_CASE("a free chain keeps its momentum, and gains no energy")
{
  for (const double dt : {0.01, 0.005, 0.002}) {
    World world = hanging_chain(5, 10.0, Vector3d(1.0, 0.4, 0.2).normalized(), 0);
    State state = world.start();
    for (int i = 0; i < world.body_count(); ++i)
      state.v.segment<3>(3 * world.place(i).node) = Vector3d(0.1 * i, 1.0 - 0.3 * i, 0.2);
    Stepper stepper(world, by_default());
    stepper.step(state, dt);  // the links' velocities do not fit together before
    const Momentum start = momentum(world, state);
    const double energy = kinetic_energy(world, state) + potential_energy(world, state);
    const double t0 = state.t, size = start.linear.norm();
    double highest = 0.0;
    run(state, stepper, 1.0, dt, [&](const StepReport& report) {
      CHECK(report.joint_gap < 1e-9);
      CHECK(report.momentum_loss < 1e-10);
      highest =
          std::max(highest, kinetic_energy(world, state) + potential_energy(world, state) - energy);
    });
    double mass = 0.0;
    for (int i = 0; i < world.body_count(); ++i) mass += world.body(i).mass();
    const Vector3d fallen = (state.t - t0) * mass * world.gravity();
    CHECK((momentum(world, state).linear - start.linear - fallen).norm() < 1e-11 * size);
    CHECK(highest < 1e-9 * std::abs(energy) + 1e-9);
  }
}
