// Small scenes of others in which normals are ambiguous or friction decides, at their own steps and
// with the settings that `tact run` has by default: $TACT_DATA/scenes/{unit,erleben,friction}.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <data.hpp>
#include <scene/rigid_ipc_scene.hpp>
#include <scene/stepped_scene.hpp>

using namespace tact;
using namespace tact::test;

namespace {

// Whatever a scene is about, holds in every step. Forces that act all the time are not of contact:
// what they did is taken off.
struct Decency {
  double energy_gain = 0.0;  // J, the most in a step, kinetic and of height
  int intersections = 0;
  double scale = 0.0;  // J: the largest kinetic energy so far, or that of a fall by 1 cm
};

template <class Watch>
Decency run_decently(SteppedScene& run, double seconds, const Watch& watch)
{
  Decency decency;
  const World& world = run.scene.world;
  double weight = 0.0;
  for (int i = 0; i < world.body_count(); ++i)
    weight += world.body(i).mass() * world.gravity().norm();
  decency.scale = weight * 0.01;
  double energy = run.energy();
  run.run(
      [&] {
        decency.scale = std::max(decency.scale, kinetic_energy(world, run.scene.state));
        decency.energy_gain = std::max(decency.energy_gain, run.energy() - energy);
        energy = run.energy();
        decency.intersections += run.intersections();
        watch();
      },
      seconds);
  return decency;
}

// What lies still is held to the solver's 1e-8 m/s: 1e-8 of a centimetre in a step.
constexpr double gain_at_rest = 1e-7;
// Rows that follow the turn of bodies that roll off each other are right to second order in its
// angle.
constexpr double gain_of_turning = 1e-4;

void check_decency(const SteppedScene& run, const Decency& decency, double most_gain = gain_at_rest)
{
  CHECK(run.aborted == "");
  CHECK(run.cut_steps == 0);
  CHECK(run.unconverged == 0);
  CHECK(decency.intersections == 0);
  CHECK(decency.energy_gain / decency.scale < most_gain);
  CHECK(run.scene.state.q.allFinite());
}

SceneDescription ipc_scene(const std::filesystem::path& scenes, const std::string& name)
{
  return rigid_ipc_scene(scenes.parent_path(), name);
}

double fall_time(double height, double g)
{
  return std::sqrt(2.0 * height / g);
}

constexpr double slope_angle = 26.565 * std::numbers::pi / 180.0;

// Of a body that falls freely from rest, h a step: v = g t, y = -g t (t + h) / 2.
double fallen(double t, double h, double g)
{
  return 0.5 * g * t * (t + h);
}

}  // namespace

TEST_CASE("single contacts without friction: free fall until they meet, then no gain, no crossing")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  // What the upper body falls before it meets the lower one: m, from the corners of the meshes.
  struct Drop {
    std::string name;
    int body;
    double height;
    bool centred;  // met below its centre of mass: stops there
  };
  for (const Drop& drop : {Drop{"unit/edge-edge", 0, 1.0 - 2 * 0.3535535, true},
                           Drop{"unit/edge-edge-parallel", 0, 1.0 - 2 * 0.3535535, true},
                           Drop{"unit/face-vertex", 0, 1.0 - 0.176777 - 0.53033, false},
                           Drop{"unit/vertex-face", 0, 1.0 - 0.176777 - 0.53033, true},
                           Drop{"unit/vertex-vertex", 2, 0.2, false}}) {
    CAPTURE(drop.name);
    SteppedScene run(ipc_scene(*scenes, drop.name));
    const double h = run.scene.run.dt, g = 9.8;
    const Vector3d start = run.place(drop.body);
    const double delta = run.scene.run.contact.delta;
    double free_fall_error = 0.0, lowest = 0.0;
    const Decency decency = run_decently(run, 0.0, [&] {
      const double t = run.scene.state.t, y = run.place(drop.body).y() - start.y();
      if (fallen(t, h, g) < drop.height - 2.0 * delta)
        free_fall_error = std::max(free_fall_error, std::abs(y + fallen(t, h, g)));
      if (t < fall_time(drop.height, g) + 5 * h) lowest = std::min(lowest, y);
    });
    check_decency(run, decency, gain_of_turning);
    CHECK(free_fall_error < 1e-9);
    if (drop.centred) CHECK(lowest > -drop.height);
  }
}

TEST_CASE(
    "edge on crossed edge and point on face, in balance: stand still as long as round-off lets "
    "them")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  // An upright body on one point falls over like exp(t sqrt(g / l)), here e^10 in 2 s.
  for (const std::string name : {"unit/edge-edge", "unit/vertex-face"}) {
    CAPTURE(name);
    SteppedScene run(ipc_scene(*scenes, name));
    run.run(1.0);
    CHECK(run.velocity(0).norm() < 1e-3);
    CHECK(run.spin(0).norm() < 1e-2);
  }
}

// Edges that are held delta apart are round to each other: the upper one falls off like
// exp(t sqrt(g / delta)), here a hundred thousandfold in half a second.
TEST_CASE("an edge along an edge, in balance, stands still as long as round-off lets it")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  SteppedScene run(ipc_scene(*scenes, "unit/edge-edge-parallel"));
  run.run(0.55);
  CHECK(run.velocity(0).norm() < 1e-3);
  CHECK(run.spin(0).norm() < 1e-2);
}

TEST_CASE("a corner falls into a corner with half a millimetre of room, and rests on its floor")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  // m; the file asks for 1e-4. Bodies held farther apart than the room do not fit between the
  // walls.
  for (const double delta : {2e-5, 1e-4, 4e-4}) {
    CAPTURE(delta);
    SceneDescription description = ipc_scene(*scenes, "unit/tet-corner");
    description.run.contact.delta = delta;
    SteppedScene run(description);
    const Vector3d start = run.place(4);
    double landed = 0.0;
    const Decency decency = run_decently(run, 0.0, [&] {
      if (run.velocity(4).y() < -0.1) landed = run.scene.state.t;
    });
    check_decency(run, decency);
    CHECK(landed == doctest::Approx(fall_time(1.1, 9.81)).epsilon(0.05));
    const Vector3d moved = run.place(4) - start;
    CHECK(moved.y() > -1.1);
    CHECK(moved.y() < -1.1 + run.scene.run.contact.delta + 1e-6);
    CHECK(std::abs(moved.x()) < 1e-3);
    CHECK(std::abs(moved.z()) < 1e-3);
    CHECK(run.velocity(4).norm() < 1e-6);
    CHECK(run.spin(4).norm() < 1e-6);
  }
}

TEST_CASE("a cube that falls on a top as wide as itself stays there")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  SteppedScene run(ipc_scene(*scenes, "erleben/cliff-edges"));
  const Decency decency = run_decently(run, 0.0, [] {});
  check_decency(run, decency);
  const Vector3d place = run.place(0);
  CHECK(place.y() > 0.0);
  CHECK(place.y() < run.scene.run.contact.delta + 1e-6);
  CHECK(std::abs(place.x()) < 1e-6);
  CHECK(std::abs(place.z()) < 1e-6);
  CHECK(run.velocity(0).norm() < 1e-6);
  CHECK(run.spin(0).norm() < 1e-6);
}

TEST_CASE("a spike that flies 0.1 mm above a plane flies on: 10 m/s to 1e-9")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  SteppedScene run(ipc_scene(*scenes, "erleben/sliding-spike"));
  const Vector3d start = run.place(0);
  const Decency decency = run_decently(run, 0.0, [] {});
  check_decency(run, decency);
  CHECK((run.velocity(0) - Vector3d(10.0, 0.0, 0.0)).norm() < 1e-9);
  CHECK(run.spin(0).norm() < 1e-9);
  CHECK((run.place(0) - start - Vector3d(10.0, 0.0, 0.0)).norm() < 1e-8);
}

TEST_CASE("tip on tip and edge on edge: they stay or slide off, without gain and without crossing")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  for (const std::string name : {"erleben/spikes", "erleben/wedges"}) {
    CAPTURE(name);
    SteppedScene run(ipc_scene(*scenes, name));
    const Vector3d start = run.place(0);
    const Decency decency = run_decently(run, 0.0, [] {});
    check_decency(run, decency);
    const double t = run.scene.state.t;
    // Never faster down than in free fall, and never up.
    const Vector3d moved = run.place(0) - start;
    CHECK(moved.y() < 1e-3);
    CHECK(moved.y() > -fallen(t, run.scene.run.dt, 9.8));
  }
}

TEST_CASE("a wedge in a crack, thrown at its wall: no gain but the force's, no crossing")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  SteppedScene run(ipc_scene(*scenes, "erleben/wedge-in-crack"));
  const World& world = run.scene.world;
  const double mass = world.body(0).mass();
  double gain = 0.0, energy = run.energy(), x = run.place(0).x();
  int crossings = 0;
  run.run([&] {
    const double now = run.energy(), work = 10.0 * (run.place(0).x() - x);
    gain = std::max(gain, now - energy - work);
    energy = now;
    x = run.place(0).x();
    crossings += run.intersections();
  });
  CHECK(run.aborted == "");
  CHECK(run.cut_steps == 0);
  CHECK(run.unconverged == 0);
  CHECK(crossings == 0);
  CHECK(gain / (0.5 * mass) < 1e-9);  // it starts at 1 m/s
}

TEST_CASE("a slope of tan 0.5: mu 0.49 slides with g (sin - mu cos), mu 0.5 holds")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  const double g = 9.8;
  {
    SteppedScene run(ipc_scene(*scenes, "friction/slopeTest_highSchoolPhysics_mu0.49"));
    const double a = g * (std::sin(slope_angle) - 0.49 * std::cos(slope_angle));
    run.run(2.0);
    const double before = run.velocity(0).norm();
    const Vector3d from = run.place(0);
    run.run(10.0);  // it leaves the plane after 13 s
    CHECK(run.aborted == "");
    CHECK((run.velocity(0).norm() - before) / 10.0 == doctest::Approx(a).epsilon(1e-4));
    CHECK(before == doctest::Approx(2.0 * a).epsilon(1e-2));
    const double way = 10.0 * before + fallen(10.0, run.scene.run.dt, a);
    CHECK((run.place(0) - from).norm() == doctest::Approx(way).epsilon(1e-4));
    CHECK(run.spin(0).norm() < 1e-6);
  }
  SteppedScene run(ipc_scene(*scenes, "friction/slopeTest_highSchoolPhysics_mu0.5"));
  const Vector3d start = run.place(0);
  run.run();
  CHECK(run.aborted == "");
  CHECK(run.velocity(0).norm() < 1e-7);
  CHECK((run.place(0) - start).norm() < 1e-4);
}

TEST_CASE("a cube thrown at 10 m/s slides over a plane with mu g")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  SteppedScene run(ipc_scene(*scenes, "friction/sliding"));
  const Decency decency = run_decently(run, 1.2, [] {});  // then it comes to the edge
  check_decency(run, decency);
  CHECK(run.velocity(0).x() == doctest::Approx(10.0 - 0.05 * 9.8 * 1.2).epsilon(1e-4));
  CHECK(std::abs(run.velocity(0).z()) < 1e-6);
  CHECK(run.spin(0).norm() < 1e-6);
  const Decency edge = run_decently(run, 1.3, [] {});
  check_decency(run, edge);
}

TEST_CASE("two cards that lean on each other come to rest and stand")
{
  const auto scenes = test_data("scenes");
  if (!scenes) return;
  SteppedScene run(ipc_scene(*scenes, "friction/card-tent"));
  double late_speed = 0.0;
  const Decency decency = run_decently(run, 0.0, [&] {
    if (run.scene.state.t > 1.5)
      late_speed = std::max({late_speed, run.velocity(1).norm(), run.velocity(2).norm()});
  });
  check_decency(run, decency);
  CHECK(late_speed < 1e-4);
  CHECK(run.place(1).y() > 1.0);  // 1.13 m when they stand at 65 degrees
  CHECK(run.place(2).y() > 1.0);
}

TEST_SUITE("slow")
{
  TEST_CASE("an arch of 25 stones stands: it sinks by less than a millimetre in 20 s")
  {
    const auto scenes = test_data("scenes");
    if (!scenes) return;
    SteppedScene run(ipc_scene(*scenes, "friction/arch-25-stones"));
    std::vector<Vector3d> settled;
    const auto places = [&] {
      std::vector<Vector3d> all;
      for (int i = 1; i < run.scene.world.body_count(); ++i) all.push_back(run.place(i));
      return all;
    };
    run.run(1.0);
    settled = places();
    const Decency decency = run_decently(run, 19.0, [] {});
    check_decency(run, decency);
    double moved = 0.0, speed = 0.0;
    const std::vector<Vector3d> end = places();
    for (std::size_t i = 0; i < end.size(); ++i) {
      moved = std::max(moved, (end[i] - settled[i]).norm());
      speed = std::max(speed, run.velocity(static_cast<int>(i) + 1).norm());
    }
    CHECK(moved < 1e-3);  // m; the arch spans 73 m
    CHECK(speed < 1e-5);
  }

  TEST_CASE("a block on a turning table stays where it landed: creep below 0.1 mm/s")
  {
    const auto scenes = test_data("scenes");
    if (!scenes) return;
    SceneDescription scene = ipc_scene(*scenes, "friction/turntable-mu0.5");
    // The table may only turn about y: two pins on its axis.
    for (const double y : {-0.125, 0.125}) {
      const Vector3d place(0.0, y, 0.0);
      scene.pins.push_back(
          {.pin = {.a = {.body = 0, .point = {.local = place}}, .b = {.place = place}},
           .place = {}});
    }
    SteppedScene run(std::move(scene));
    const auto radius = [&] { return std::hypot(run.place(1).x(), run.place(1).z()); };
    run.run(1.0);
    const double landed = radius();
    run.run(19.0);
    CHECK(run.aborted == "");
    CHECK(run.cut_steps == 0);
    CHECK(std::abs(radius() - landed) / 19.0 < 1e-4);
    // It rides along: the same spin, and the speed that goes with its place.
    CHECK(std::abs(run.spin(1).y() - run.spin(0).y()) < 1e-6);
    CHECK(run.velocity(1).norm() == doctest::Approx(run.spin(0).y() * radius()).epsilon(1e-3));
  }
}
