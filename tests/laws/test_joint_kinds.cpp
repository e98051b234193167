// What each kind of joint takes away, leaves and bears, with contacts and without.
#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/joint_worlds.hpp>

using namespace tact;
using namespace tact::test;

TEST_CASE("a joint that is open is closed in a step, and no velocity comes of it")
{
  constexpr double open = 1e-4;  // m
  for (const double dt : {0.01, 0.005, 0.001}) {
    WorldBuilder builder;
    const Rod rod = add_rod(builder, "rod", Vector3d::Zero(), -Vector3d::UnitY(), 0.5);
    builder.add(Joint{.name = "ball",
                      .kind = JointKind::ball,
                      .a = in_world(Vector3d::Zero(), Vector3d::UnitX()),
                      .b = on(rod, Vector3d::Zero())});
    const World world = builder.build();
    State state = world.start();
    Stepper stepper(world, by_default());
    stepper.step(state, dt);
    state.q[0] += open;
    const StepReport& report = stepper.step(state, dt).report;
    CHECK(report.joint_gap < 1e-9);
    // Closing it in a step takes 1e-4 m / dt, 0.01 m/s and more; the tilt that it leaves falls by
    // g (open / length) dt.
    CHECK(state.v.norm() < 20.0 * g * open * dt + 1e-9);
  }
}

// ---- With contacts

TEST_CASE("a beam on a hinge and a support: the support bears m g (l / 2) / s")
{
  constexpr double length = 1.0, at = 0.8, width = 0.05;  // m
  for (const double dt : {0.01, 0.005, 0.002}) {
    WorldBuilder builder;
    const Rod beam =
        add_rod(builder, "beam", Vector3d::Zero(), Vector3d::UnitX(), length, 1000.0, width);
    ObstacleOptions post;
    post.surface = make_box({0.02, 0.2, 0.2});
    for (Vector3d& x : post.surface.positions) x += Vector3d(at, -0.1 - 0.5 * width - delta, 0.0);
    const int support = builder.add(make_obstacle("post", std::move(post)));
    builder.add(Joint{.name = "hinge",
                      .kind = JointKind::hinge,
                      .a = in_world(Vector3d::Zero(), Vector3d::UnitZ()),
                      .b = on(beam, Vector3d::Zero())});
    const World world = builder.build();
    State state = world.start();
    Stepper stepper(world, solved_to(1e-9));
    double gap = 0.0;
    run(state, stepper, 1.0, dt, [&](const StepReport& report) {
      gap = std::max(gap, report.joint_gap);
      CHECK(report.unconverged == 0);
    });
    const double weight = world.body(beam.body).mass() * g;
    const Vector3d force = contact_force(stepper, dt, beam.body, support);
    // The post is 0.02 m wide, and a beam that rests flat may do so anywhere on it.
    CHECK(force.y() > weight * 0.5 * length / (at + 0.0101));
    CHECK(force.y() < weight * 0.5 * length / (at - 0.0101));
    const Vector3d held = stepper.last().joints[0].force / dt;
    CHECK((force + held - weight * Vector3d::UnitY()).norm() < 1e-6 * weight);
    CHECK(gap < 1e-9);
  }
}

TEST_CASE("welded boxes rest on the ground with their weight, at any ratio of masses")
{
  for (const double heavier : {1.0, 1e3, 1e6}) {
    WorldBuilder builder;
    const Vector3d low(beside, 0.05 + delta, 0.0), high(beside, 0.15 + delta, 0.0);
    const int below = builder.add(make_rigid_body("below", rigid_block(cube, low, 1000.0)));
    const int above =
        builder.add(make_rigid_body("above", rigid_block(cube, high, 1000.0 * heavier)));
    const int ground_body = builder.add(flat_ground());
    const Vector3d between(beside, 0.1 + delta, 0.0);
    builder.add(Joint{.name = "weld",
                      .kind = JointKind::weld,
                      .a = on(below, between, Vector3d::UnitX(), low),
                      .b = on(above, between, Vector3d::UnitX(), high)});
    const World world = builder.build();
    State state = world.start();
    const double dt = 0.005;
    Stepper stepper(world, by_default());
    double gap = 0.0;
    run(state, stepper, 0.5, dt, [&](const StepReport& report) {
      gap = std::max({gap, report.joint_gap, report.joint_turn});
    });
    const double weight = (1.0 + heavier) * world.body(below).mass() * g;
    CAPTURE(heavier);
    CHECK(gap < 1e-9);
    CHECK(relative_error(contact_force(stepper, dt, below, ground_body).y(), weight) < 1e-6);
    const double carried = stepper.last().joints[0].force.y() / dt;
    CHECK(relative_error(carried, heavier * world.body(below).mass() * g) < 1e-6);
    CHECK(std::abs(place_of(world, state, below).y() - low.y()) < 1e-4);
  }
}

// ---- What each kind leaves free

TEST_CASE("each kind of joint leaves the motions that it should, and no others")
{
  struct Case {
    JointKind kind;
    int slides, turns;  // directions that are left
  };
  for (const Case& given : {Case{JointKind::weld, 0, 0}, Case{JointKind::ball, 0, 3},
                            Case{JointKind::hinge, 0, 1}, Case{JointKind::slider, 1, 0},
                            Case{JointKind::cylinder, 1, 1}, Case{JointKind::universal, 0, 2}}) {
    WorldBuilder builder;
    builder.gravity = Vector3d::Zero();
    RigidOptions block = rigid_block(cube, Vector3d(0.3, 0.2, 0.1));
    block.velocity = {0.3, -0.2, 0.5};
    block.angular_velocity = {1.0, 2.0, -1.5};
    const Vector3d place = block.position;
    const int body = builder.add(make_rigid_body("block", std::move(block)));
    const Vector3d axis = Vector3d(1.0, 2.0, -1.0).normalized();
    builder.add(Joint{.name = "joint",
                      .kind = given.kind,
                      .a = in_world(place, axis),
                      .b = on(body, place, axis, place)});
    const World world = builder.build();
    State state = world.start();
    Stepper stepper(world, by_default());
    for (int k = 0; k < 50; ++k) {
      const StepReport& report = stepper.step(state, 0.01).report;
      CHECK(report.joint_gap < 1e-9);
      CHECK(report.joint_turn < 1e-9);
    }
    const Vector3d v = linear_velocity(world, state, body),
                   w = angular_velocity(world, state, body);
    CAPTURE(name_of(given.kind));
    const Vector3d start_v(0.3, -0.2, 0.5), start_w(1.0, 2.0, -1.5);
    // The joint is at the centre of a cube, so that what it takes is a projection.
    const Vector3d kept_v =
        given.slides == 1 ? Vector3d(axis.dot(start_v) * axis) : Vector3d::Zero();
    CHECK((v - kept_v).norm() < 1e-9);
    if (given.turns == 0) CHECK(w.norm() < 1e-9);
    if (given.turns == 1) CHECK((w - axis.dot(start_w) * axis).norm() < 1e-9);
    if (given.turns == 3) CHECK((w - start_w).norm() < 1e-9);
    if (given.turns == 2) CHECK(w.norm() > 0.5);
  }
}

TEST_CASE("a distance keeps a bob on a sphere and bears its weight")
{
  WorldBuilder builder;
  const Vector3d place(0.0, -0.5, 0.0);
  const int bob = builder.add(make_rigid_body("bob", rigid_block(cube, place)));
  builder.add(Joint{.name = "rod",
                    .kind = JointKind::distance,
                    .a = in_world(Vector3d::Zero(), Vector3d::UnitX()),
                    .b = on(bob, place, Vector3d::UnitX(), place)});
  const World world = builder.build();
  State state = world.start();
  state.v.segment<3>(0) = Vector3d(1.0, 0.0, 0.0);
  Stepper stepper(world, by_default());
  for (int k = 0; k < 200; ++k) CHECK(stepper.step(state, 0.005).report.joint_gap < 1e-9);
  CHECK(place_of(world, state, bob).norm() == doctest::Approx(0.5).epsilon(1e-12));
}
