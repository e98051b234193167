// What rides on a table that turns, and what slides over it. The table is a rigid body on an axle
// of two pins, or moves by a script.
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/law_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

enum class Table { pinned, scripted };

struct Turntable {
  Table table = Table::pinned;
  double mu = 0.5;
  double spin = 1.0;    // rad/s
  double radius = 1.0;  // m, of the place of the block
  Vector3d velocity = Vector3d::Zero();
  double dt = 0.01;  // s
};

constexpr double table_radius = 3.0, thickness = 0.2;  // m

int add_table(WorldBuilder& builder, const Turntable& turntable, double seconds)
{
  TriMesh surface = make_cylinder(table_radius, thickness, 48);
  if (turntable.table == Table::scripted) {
    ObstacleOptions options;
    options.surface = std::move(surface);
    // Keyframes every step: between two of them the turn is even.
    for (int k = 0; k * turntable.dt <= seconds + turntable.dt; ++k)
      options.motion.push_back({.t = k * turntable.dt,
                                .position = Vector3d::Zero(),
                                .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(
                                    turntable.spin * k * turntable.dt, Vector3d::UnitY()))});
    return builder.add(make_obstacle("table", std::move(options)));
  }
  RigidOptions options;
  options.mass = mass_properties(surface, 20'000.0);  // the block must not slow it down
  options.surface = std::move(surface);
  options.angular_velocity = turntable.spin * Vector3d::UnitY();
  const int table = builder.add(make_rigid_body("table", std::move(options)));
  for (const double y : {-0.5 * thickness, 0.5 * thickness}) {
    const Vector3d place(0.0, y, 0.0);
    builder.add(Pin{{.body = table, .point = {.local = place}}, {.place = place}});
  }
  return table;
}

struct Ride {
  Vector3d start, end;  // places of the block, m
  Vector3d velocity, spin;
  double table_angle = 0.0, block_angle = 0.0;  // rad, of the places; turns are taken off
};

Ride ride(const Turntable& turntable, double seconds)
{
  WorldBuilder builder;
  builder.law.mu = turntable.mu;
  RigidOptions block = rigid_block(Vector3d::Constant(0.2), Vector3d::Zero());
  const double small = 1e-3;  // m, the contact distance
  block.position = {turntable.radius, 0.5 * thickness + 0.1 + small, 0.0};
  block.velocity = turntable.velocity;
  if (turntable.mu > 0.0) block.angular_velocity = turntable.spin * Vector3d::UnitY();
  const int body = builder.add(make_rigid_body("block", std::move(block)));
  add_table(builder, turntable, seconds);
  const World world = builder.build();
  const State start = world.start();
  const State end = state_after(world, seconds, turntable.dt, by_default());
  return {.start = place_of(world, start, body),
          .end = place_of(world, end, body),
          .velocity = linear_velocity(world, end, body),
          .spin = angular_velocity(world, end, body)};
}

}  // namespace

TEST_CASE("a block rides along on a turntable: same radius to 0.1 mm/s, same angle to 1e-3 rad")
{
  const double seconds = 4.0;
  for (const Table table : {Table::pinned, Table::scripted})
    for (const double mu : {0.5, 1.0})
      for (const double dt : {0.005, 0.01, 0.025})
        for (const double spin : {0.5, 1.0, 2.0}) {  // spin^2 r <= 4 < 0.5 g
          CAPTURE(static_cast<int>(table));
          CAPTURE(mu);
          CAPTURE(dt);
          CAPTURE(spin);
          Turntable turntable{.table = table, .mu = mu, .spin = spin, .dt = dt};
          turntable.velocity = {0.0, 0.0, -spin * turntable.radius};
          const Ride result = ride(turntable, seconds);
          const double radius = std::hypot(result.end.x(), result.end.z());
          CHECK(std::abs(radius - turntable.radius) < 1e-4 * seconds);
          const double angle = std::atan2(-result.end.z(), result.end.x());
          const double turned = std::remainder(angle - spin * seconds, 2.0 * std::numbers::pi);
          CHECK(std::abs(turned) < 1e-3);
          CHECK(std::abs(result.spin.y() - spin) < 1e-4);
        }
}

TEST_CASE("without friction a block goes straight on over a turntable, to 1e-6")
{
  const double seconds = 1.0;
  for (const Table table : {Table::pinned, Table::scripted})
    for (const double dt : {0.005, 0.025})
      for (const double spin : {0.5, 2.0, 10.0})
        for (const Vector3d& v : {Vector3d(0.0, 0.0, 0.0), Vector3d(-1.5, 0.0, 0.4)}) {
          CAPTURE(static_cast<int>(table));
          CAPTURE(dt);
          CAPTURE(spin);
          CAPTURE(v.x());
          const Ride result =
              ride({.table = table, .mu = 0.0, .spin = spin, .velocity = v, .dt = dt}, seconds);
          CHECK((result.velocity - v).norm() < 1e-6);
          CHECK((result.end - result.start - v * seconds).norm() < 1e-5);
          CHECK(result.spin.norm() < 1e-6);
        }
}

TEST_CASE("a block on a table that turns too fast slides off outwards")
{
  for (const Table table : {Table::pinned, Table::scripted}) {
    CAPTURE(static_cast<int>(table));
    Turntable turntable{.table = table, .mu = 0.3, .spin = 2.0};  // 4 > 2.94 m/s^2
    turntable.velocity = {0.0, 0.0, -2.0};
    const Ride result = ride(turntable, 1.0);
    CHECK(std::hypot(result.end.x(), result.end.z()) > 1.2);
  }
}
