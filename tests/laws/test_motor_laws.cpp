// What acts along the motions of joints, against closed forms: ends of ranges, dry friction,
// motors, ropes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <laws/joint_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

using std::numbers::pi;
using MotorSteps = std::initializer_list<double>;

Motor motor_of(MotorKind kind, double target, double most = std::numeric_limits<double>::infinity())
{
  return {.kind = kind, .target = {{{.t = 0.0, .value = target}}}, .most = most};
}

// A cube of 1 kg on a slider along x, pushed by `force`.
World pushed_slider(double force, const JointMotion& motion)
{
  WorldBuilder builder;
  RigidOptions block = rigid_block(cube, Vector3d::Zero());
  block.force = {force, 0.0, 0.0};
  const int body = builder.add(make_rigid_body("block", std::move(block)));
  const Vector3d at = Vector3d::Zero(), x = Vector3d::UnitX();
  builder.add(Joint{.name = "slider",
                    .kind = JointKind::slider,
                    .a = in_world(at, x),
                    .b = on(body, at, x, at),
                    .motion = motion});
  return builder.build();
}

// A rod of 0.5 m from the origin at an angle above x, on a hinge about z there.
struct MotorArm {
  World world;
  double weight_torque;  // N m: of the rod where it lies along x
};

MotorArm hinged_rod(double angle, const JointMotion& motion)
{
  WorldBuilder builder;
  constexpr double length = 0.5;
  const Rod rod = add_rod(builder, "rod", Vector3d::Zero(),
                          Vector3d(std::cos(angle), std::sin(angle), 0.0), length);
  builder.add(Joint{.name = "hinge",
                    .kind = JointKind::hinge,
                    .a = in_world(Vector3d::Zero(), Vector3d::UnitZ()),
                    .b = on(rod, Vector3d::Zero()),
                    .motion = motion});
  World world = builder.build();
  const double mass = world.body(0).mass();
  return {std::move(world), 0.5 * mass * g * length};
}

double angle_of(const World& world, const State& state, int body = 0)
{
  const Vector3d at = place_of(world, state, body);
  return std::atan2(at.y(), at.x());
}

}  // namespace

// ---- E4

TEST_CASE("a slider with dry friction moves where the push is larger, at (F - f) / m")
{
  constexpr double friction = 5.0;  // N
  for (const double dt : MotorSteps{0.01, 0.004, 0.001})
    for (const double force : {-8.0, -4.9, 4.9, 5.1, 12.0}) {
      const World world = pushed_slider(force, {.friction = friction});
      State state = world.start();
      Stepper stepper(world, by_default());
      run(state, stepper, 0.2, dt,
          [&](const StepReport& report) { CHECK(report.unconverged == 0); });
      const double free = std::copysign(std::max(0.0, std::abs(force) - friction), force);
      const double a = free / world.body(0).mass();
      CAPTURE(dt);
      CAPTURE(force);
      CHECK(std::abs(linear_velocity(world, state, 0).x() - a * 0.2) < 1e-8);
      if (free == 0.0) CHECK(std::abs(place_of(world, state, 0).x()) < 1e-12);
      const JointReaction& joint = stepper.last().joints[0];
      const double expected = std::copysign(std::min(friction, std::abs(force)), -force);
      CHECK(std::abs(joint.friction / dt - expected) < 1e-8);
    }
}

// ---- E5

TEST_CASE("a motor reaches its speed after I w / (T - M), or is driven back by a larger load")
{
  constexpr double speed = 3.0, most = 0.05;  // rad/s, N m
  const double inertia = 1000.0 * std::pow(cube.x(), 5) / 6.0;
  for (const double dt : MotorSteps{0.01, 0.004, 0.001})
    for (const double load : {0.0, 0.03, 0.06}) {
      WorldBuilder builder;
      builder.gravity = Vector3d::Zero();
      const Vector3d at = Vector3d::Zero(), z = Vector3d::UnitZ();
      const int body = builder.add(make_rigid_body("block", rigid_block(cube, at)));
      const auto add = [&](const char* name, const Motor& motor) {
        builder.add(Joint{.name = name,
                          .kind = JointKind::hinge,
                          .a = in_world(at, z),
                          .b = on(body, at, z, at),
                          .motion = {.motor = motor}});
      };
      add("motor", motor_of(MotorKind::speed, speed, most));
      add("load", motor_of(MotorKind::force, -load));  // on a hinge that says all twice
      const World world = builder.build();
      State state = world.start();
      Stepper stepper(world, by_default());
      CAPTURE(dt);
      CAPTURE(load);
      for (int k = 1; k * dt < 0.5; ++k) {
        CHECK(stepper.step(state, dt).report.unconverged == 0);
        const double expected = std::min(speed, k * dt * (most - load) / inertia);
        CHECK(std::abs(angular_velocity(world, state, body).z() - expected) < 1e-6);
      }
      const double torque = load < most ? load : most;
      CHECK(std::abs(stepper.last().joints[0].motor / dt - torque) < 1e-6);
      CHECK(std::abs(stepper.last().joints[1].motor / dt + load) < 1e-12);
    }
}

// ---- E6

TEST_CASE("a pendulum never passes its stops, and rests on one with the torque of its weight")
{
  for (const double dt : MotorSteps{0.01, 0.004, 0.001})
    for (const double below : {60.0, 120.0}) {  // degrees from the horizontal, where it starts
      const double low = -radians(below);
      const MotorArm arm = hinged_rod(0.0, {.low = low});
      State state = arm.world.start();
      Stepper stepper(arm.world, by_default());
      double lowest = 0.0, gain = 0.0;
      run(state, stepper, 2.0, dt, [&](const StepReport& report) {
        lowest = std::min(lowest, std::remainder(angle_of(arm.world, state), 2.0 * pi));
        gain = std::max(gain, report.energy_gain);
        CHECK(report.joint_turn < 1e-9);
        CHECK(report.unconverged == 0);
      });
      CAPTURE(dt);
      CAPTURE(below);
      CHECK(lowest > low - 1e-9);
      CHECK(lowest < low + 1e-3);
      CHECK(gain < 1e-7);          // J, of 0.5 J: at the turn no velocity is left to take it from
      if (below > 90.0) continue;  // gravity takes it back
      CHECK(std::abs(angle_of(arm.world, state) - low) < 1e-9);
      const JointReaction& joint = stepper.last().joints[0];
      CHECK(relative_error(joint.limit / dt, arm.weight_torque * std::cos(low)) < 1e-6);
      CHECK(relative_error(joint.torque.z() / dt, arm.weight_torque * std::cos(low)) < 1e-6);
    }
}

TEST_CASE("a range of more than a turn ends where it says, after whole turns")
{
  for (const double dt : MotorSteps{0.01, 0.004, 0.001}) {
    const double high = radians(500.0);
    const MotorArm arm =
        hinged_rod(0.0, {.high = high, .motor = motor_of(MotorKind::speed, 6.0, 50.0)});
    State state = arm.world.start();
    Stepper stepper(arm.world, by_default());
    run(state, stepper, 2.0, dt,
        [&](const StepReport& report) { CHECK(report.joint_turn < 1e-9); });
    CHECK(std::abs(std::remainder(angle_of(arm.world, state) - high, 2.0 * pi)) < 1e-9);
  }
}

// ---- E8, and position

TEST_CASE("motors that hold two links bear the moments of their weights")
{
  constexpr double q1 = 0.4, q2 = 0.7, l1 = 0.5, l2 = 0.3;  // rad, m
  for (const double dt : MotorSteps{0.01, 0.004, 0.001})
    for (const double most : {1e3, std::numeric_limits<double>::infinity()}) {
      WorldBuilder builder;
      const Vector3d elbow(l1 * std::cos(q1), l1 * std::sin(q1), 0.0);
      const Vector3d way(std::cos(q1 + q2), std::sin(q1 + q2), 0.0);
      const Rod upper = add_rod(builder, "upper", Vector3d::Zero(), elbow.normalized(), l1);
      const Rod lower = add_rod(builder, "lower", elbow, way, l2);
      const JointMotion held{.motor = motor_of(MotorKind::position, 0.0, most)};
      builder.add(Joint{.name = "shoulder",
                        .kind = JointKind::hinge,
                        .a = in_world(Vector3d::Zero(), Vector3d::UnitZ()),
                        .b = on(upper, Vector3d::Zero()),
                        .motion = held});
      builder.add(Joint{.name = "elbow",
                        .kind = JointKind::hinge,
                        .a = on(upper, elbow),
                        .b = on(lower, elbow),
                        .motion = held});
      const World world = builder.build();
      State state = world.start();
      Stepper stepper(world, by_default());
      run(state, stepper, 0.2, dt,
          [&](const StepReport& report) { CHECK(report.unconverged == 0); });
      const double m1 = world.body(0).mass(), m2 = world.body(1).mass();
      const double t2 = m2 * g * 0.5 * l2 * std::cos(q1 + q2);
      const double t1 = t2 + (0.5 * m1 + m2) * l1 * g * std::cos(q1);
      CAPTURE(dt);
      CAPTURE(most);
      CHECK(relative_error(stepper.last().joints[0].motor / dt, t1) < 1e-8);
      CHECK(relative_error(stepper.last().joints[1].motor / dt, t2) < 1e-8);
    }
}

TEST_CASE("a motor follows its positions over time, and what it works is what its load gains")
{
  for (const double dt : MotorSteps{0.01, 0.005, 0.0025}) {
    const MotorArm arm =
        hinged_rod(0.0, {.motor = {.kind = MotorKind::position,
                                   .target = {{{0.0, 0.0}, {0.5, 0.5}, {1.0, 0.2}, {1.2, 0.2}}},
                                   .most = 1e3}});
    State state = arm.world.start();
    Stepper stepper(arm.world, by_default());
    const Course& target = arm.world.joints()[0].motion.motor.target;
    double gain = 0.0;
    run(state, stepper, 1.5, dt, [&](const StepReport& report) {
      CHECK(std::abs(angle_of(arm.world, state) - target.at(state.t)) < 1e-9);
      gain += report.energy_gain;
    });
    CAPTURE(dt);
    MESSAGE("dt " << dt << " gain " << gain);
    CHECK(gain < 1e-2 * arm.weight_torque);
  }
}

TEST_CASE("a motor that is too weak gives all it has while its load falls")
{
  const double dt = 0.002;
  const MotorArm whole = hinged_rod(0.0, {});
  const double most = 0.5 * whole.weight_torque;
  const MotorArm arm = hinged_rod(0.0, {.motor = motor_of(MotorKind::position, 0.0, most)});
  State state = arm.world.start();
  Stepper stepper(arm.world, by_default());
  run(state, stepper, 0.2, dt, [](const StepReport&) {});
  CHECK(angle_of(arm.world, state) < -0.1);
  CHECK(stepper.last().joints[0].motor / dt == doctest::Approx(most).epsilon(1e-12));
}

// ---- Ropes

TEST_CASE("a rope lets its load fall to its length, and no further")
{
  constexpr double length = 0.5, start = 0.3;  // m
  for (const double dt : MotorSteps{0.01, 0.004, 0.001}) {
    WorldBuilder builder;
    const Vector3d place(0.0, -start, 0.0);
    const int load = builder.add(make_rigid_body("load", rigid_block(cube, place)));
    builder.add(Joint{.name = "rope",
                      .kind = JointKind::distance,
                      .a = in_world(Vector3d::Zero(), Vector3d::UnitX()),
                      .b = on(load, place, Vector3d::UnitX(), place),
                      .length = length,
                      .rope = true});
    const World world = builder.build();
    State state = world.start();
    Stepper stepper(world, by_default());
    const double free = std::sqrt(2.0 * (length - start) / g);  // s
    CAPTURE(dt);
    run(state, stepper, 1.0, dt, [&](const StepReport& report) {
      CHECK(place_of(world, state, load).norm() < length + 1e-9);
      CHECK(report.joint_gap < 1e-9);
      if (state.t < free - 2.0 * dt) CHECK(stepper.last().joints[0].force.norm() == 0.0);
    });
    CHECK(std::abs(place_of(world, state, load).norm() - length) < 1e-9);
    const double weight = world.body(load).mass() * g;
    CHECK(relative_error(stepper.last().joints[0].force.y() / dt, weight) < 1e-6);
    CHECK(relative_error(stepper.last().joints[0].limit / dt, -weight) < 1e-6);
  }
}

// ---- With contacts

TEST_CASE("a motor presses with what friction leaves of its largest force, by any solver")
{
  constexpr double most = 20.0, friction = 3.0;  // N
  for (const char* solver : {"auto", "nested", "nsgs", "newton", "prox", "admm", "ipm",
                             "lemke-standard", "lemke-reduced", "lemke-cone"})
    for (const double dt : MotorSteps{0.01, 0.004, 0.001}) {
      if (dt < 0.01 && std::string(solver) != "auto") continue;
      WorldBuilder builder;
      builder.gravity = Vector3d(0.0, -g, 0.0);
      const Vector3d at = Vector3d::Zero(), x = Vector3d::UnitX();
      const int body = builder.add(make_rigid_body("block", rigid_block(cube, at)));
      ObstacleOptions wall;
      wall.surface = make_box({0.1, 1.0, 1.0});
      for (Vector3d& p : wall.surface.positions) p.x() += 0.12;
      const int stop = builder.add(make_obstacle("wall", std::move(wall)));
      builder.add(Joint{.name = "slider",
                        .kind = JointKind::slider,
                        .a = in_world(at, x),
                        .b = on(body, at, x, at),
                        .motion = {.low = -1.0,
                                   .high = 1.0,
                                   .friction = friction,
                                   .motor = motor_of(MotorKind::speed, 0.5, most)}});
      const World world = builder.build();
      State state = world.start();
      StepOptions options = by_default();
      options.contact.method = solver;
      Stepper stepper(world, options);
      CAPTURE(solver);
      CAPTURE(dt);
      run(state, stepper, 0.3, dt, [&](const StepReport& report) {
        CHECK(report.unconverged == 0);
        CHECK(report.joint_gap < 1e-9);
      });
      const JointReaction& joint = stepper.last().joints[0];
      CHECK(relative_error(joint.motor / dt, most) < 1e-9);
      // Friction holds what the wall does not: at rest it may be anything up to its bound.
      CHECK(std::abs(joint.friction / dt) < friction * (1.0 + 1e-12));
      const double pressed = -contact_force(stepper, dt, body, stop).x();
      CHECK(relative_error(pressed, most + joint.friction / dt) < 1e-6);
    }
}

// At a dead centre the piston does not move with the crank to first order: neither can hold the
// other there, and friction of the guide is what gives way.
TEST_CASE(
    "a slider-crank that starts at a dead centre is driven through it, its guide with friction")
{
  constexpr double r = 0.2, l = 0.5, speed = 6.0, friction = 2.0;  // m, rad/s, N
  const Vector3d x = Vector3d::UnitX(), z = Vector3d::UnitZ();
  for (const double dt : MotorSteps{0.01, 0.004, 0.001})
    for (const double side : {1.0, -1.0}) {  // the outer and the inner dead centre
      WorldBuilder builder;
      builder.gravity = Vector3d::Zero();
      const Vector3d pin = side * r * x, wrist = pin + l * x;
      const Rod crank = add_rod(builder, "crank", Vector3d::Zero(), side * x, r);
      const Rod rod = add_rod(builder, "rod", pin, x, l);
      const int piston = builder.add(make_rigid_body("piston", rigid_block(cube, wrist)));
      builder.add(Joint{.name = "shaft",
                        .kind = JointKind::hinge,
                        .a = in_world(Vector3d::Zero(), z),
                        .b = on(crank, Vector3d::Zero()),
                        .motion = {.motor = motor_of(MotorKind::speed, speed, 50.0)}});
      builder.add(
          Joint{.name = "pin", .kind = JointKind::hinge, .a = on(crank, pin), .b = on(rod, pin)});
      builder.add(Joint{.name = "wrist",
                        .kind = JointKind::hinge,
                        .a = on(rod, wrist),
                        .b = on(piston, wrist, z, wrist)});
      builder.add(Joint{.name = "guide",
                        .kind = JointKind::slider,
                        .a = in_world(wrist, x),
                        .b = on(piston, wrist, x, wrist),
                        .motion = {.friction = friction}});
      const World world = builder.build();
      State state = world.start();
      Stepper stepper(world, by_default());
      CAPTURE(dt);
      CAPTURE(side);
      run(state, stepper, 1.2, dt, [&](const StepReport& report) {
        REQUIRE(report.cut_steps == 0);
        CHECK(report.joint_gap < 1e-9);
        const double angle = speed * state.t + (side > 0.0 ? 0.0 : pi);
        const double place =
            r * std::cos(angle) + std::sqrt(l * l - std::pow(r * std::sin(angle), 2));
        CHECK(std::abs(place_of(world, state, piston).x() - place) < 1e-9);
        CHECK(std::abs(stepper.last().joints[3].friction) < friction * dt * (1.0 + 1e-9));
      });
    }
}
