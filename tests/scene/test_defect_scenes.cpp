// Scenes that went wrong once, each held to the right answer: $TACT_DATA/scenes/defects.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <data.hpp>
#include <scene/stepped_scene.hpp>

using namespace tact;
using namespace tact::test;

namespace {

// What free bodies keep, the worst of all steps.
struct KeptByFreeBodies {
  double momentum = 0.0;          // change in a step over the sum of |m v|
  double angular_momentum = 0.0;  // change in a step over the sum of |r x m v| + |I w|
  double energy = 0.0;            // growth in a step over the energy at the start
  int intersections = 0;
};

double angular_scale(const SteppedScene& run)
{
  const World& world = run.scene.world;
  const State& state = run.scene.state;
  double sum = 0.0;
  for (int i = 0; i < world.body_count(); ++i)
    sum += world.body(i).momentum(world.q(state, i), world.v(state, i)).angular.norm();
  return sum;
}

double linear_scale(const SteppedScene& run)
{
  double sum = 0.0;
  for (int i = 0; i < run.scene.world.body_count(); ++i)
    sum += run.scene.world.body(i).mass() * run.velocity(i).norm();
  return sum;
}

// Runs the scene.
KeptByFreeBodies kept_by(SteppedScene& run)
{
  KeptByFreeBodies worst;
  Momentum before = run.momentum();
  const double start_energy = run.energy(), linear = linear_scale(run);
  double energy = start_energy;
  run.run([&] {
    const Momentum now = run.momentum();
    worst.momentum = std::max(worst.momentum, (now.linear - before.linear).norm() / linear);
    const double scale = std::max(angular_scale(run), 1e-6 * linear);
    worst.angular_momentum =
        std::max(worst.angular_momentum, (now.angular - before.angular).norm() / scale);
    worst.energy = std::max(worst.energy, (run.energy() - energy) / start_energy);
    worst.intersections += run.intersections();
    before = now;
    energy = run.energy();
  });
  return worst;
}

void check_kept(const SteppedScene& run, const KeptByFreeBodies& worst)
{
  CHECK(run.aborted == "");
  CHECK(run.cut_steps == 0);
  CHECK(run.unconverged == 0);
  CHECK(worst.momentum < 1e-9);
  CHECK(worst.angular_momentum < 1e-9);
  CHECK(worst.energy < 1e-9);
  CHECK(worst.intersections == 0);
}

std::string defect(const std::filesystem::path& folder, const std::string& name)
{
  return (folder / (name + ".json")).string();
}

// The largest component of what differs.
double off(const Vector3d& found, const Vector3d& expected)
{
  return (found - expected).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE(
    "a cube that falls on the end of a free bar: momentum to 1e-9, the hit by its closed form")
{
  const auto folder = test_data("scenes/defects");
  if (!folder) return;
  for (const double dt : {0.01, 0.005, 0.002}) {
    CAPTURE(dt);
    SteppedScene run(defect(*folder, "d1-momentum-bar"), {"/dt=" + std::to_string(dt)});
    check_kept(run, kept_by(run));
    // The edge of the cube meets the bar 5.5 m from its middle and 1.5 m from the cube's, and by
    // then only there: j = v / (n.K n), no restitution. As the bar turns under the edge, by 0.5 w^2
    // h a step at first, it is pushed a little more.
    const double m_cube = 7680.0 * 27.0, i_cube = m_cube * 9.0 / 6.0;
    const double m_bar = 750.0, i_bar = m_bar * (15.0 * 15.0 + 1.0) / 12.0;
    const double j = 8.7 / (1.0 / m_cube + 1.5 * 1.5 / i_cube + 1.0 / m_bar + 5.5 * 5.5 / i_bar);
    const int bar = run.body("bar"), cube = run.body("cube");
    CHECK(run.velocity(bar).y() == doctest::Approx(-j / m_bar).epsilon(0.02));
    CHECK(run.spin(bar).z() == doctest::Approx(-5.5 * j / i_bar).epsilon(0.02));
    CHECK(run.velocity(cube).y() == doctest::Approx(-8.7 + j / m_cube).epsilon(1e-3));
    CHECK(off(run.spin(bar), {0.0, 0.0, run.spin(bar).z()}) < 1e-6);
  }
}

TEST_CASE("a ball at 120 m/s into nine free plates: momentum and angular momentum to 1e-9")
{
  const auto folder = test_data("scenes/defects");
  if (!folder) return;
  SteppedScene run(defect(*folder, "d1-momentum-wall"));
  check_kept(run, kept_by(run));
  // 503 kg at the plate of 62.5 kg that it meets almost in its middle, without restitution: both go
  // on at no more than 120 m/s x 503 / 565, the plate no slower.
  const double ball = run.velocity(run.body("ball")).z();
  CHECK(ball < -80.0);
  CHECK(ball > -120.0);
  CHECK(run.velocity(run.body("b11")).z() < ball + 1e-3);
}

TEST_CASE("a box slides on over tessellated ground as over two triangles, to 1e-6")
{
  const auto folder = test_data("scenes/defects");
  if (!folder) return;
  const std::string scene = defect(*folder, "d2-slide-on-tessellated-ground");
  const auto check_slides = [&](const std::vector<std::string>& patches, const Vector3d& expected) {
    SteppedScene run(scene, patches);
    run.run();
    CHECK(run.aborted == "");
    const int cube = run.body("cube");
    const Vector3d v = run.velocity(cube);
    CAPTURE(v.x());
    CAPTURE(v.z());
    CHECK(off(v, expected) < 1e-6);
    CHECK(run.spin(cube).norm() < 1e-6);
    return run.place(cube);
  };
  check_slides({}, {1.0, 0.0, 0.3});
  for (const std::string divisions : {"1", "7", "64"}) {
    CAPTURE(divisions);
    check_slides({"/bodies/0/ground/divisions=" + divisions}, {1.0, 0.0, 0.3});
  }
  for (const Vector3d& v : {Vector3d(0.1, 0.0, -0.05), Vector3d(-2.0, 0.0, 1.3),
                            Vector3d(0.0, 0.0, 3.0), Vector3d(-0.7, 0.0, -0.7)}) {
    CAPTURE(v.x());
    CAPTURE(v.z());
    const auto patch =
        "/bodies/1/velocity=[" + std::to_string(v.x()) + ",0," + std::to_string(v.z()) + "]";
    const Vector3d fine = check_slides({patch}, v);
    const Vector3d coarse = check_slides({patch, "/bodies/0/ground/divisions=1"}, v);
    CHECK(off(fine, coarse) < 1e-6);
  }
  for (const std::string size : {"[0.05,0.25,0.05]", "[0.6,0.1,0.4]", "[1,0.2,0.02]"}) {
    CAPTURE(size);
    check_slides({"/bodies/1/box=" + size}, {1.0, 0.0, 0.3});
  }
}

TEST_CASE("a cube passes a channel with 0.1 mm of room at 10 m/s, whatever delta is given")
{
  const auto folder = test_data("scenes/defects");
  if (!folder) return;
  for (const std::string delta : {"", "2e-2", "1e-2", "1e-3", "1.5e-4", "1e-5"}) {
    CAPTURE(delta);
    std::vector<std::string> patches;
    if (!delta.empty()) patches.push_back("/contact/delta=" + delta);
    SteppedScene run(defect(*folder, "d3-tunnel"), patches);
    int touching = 0;
    run.run([&] { touching += run.intersections(); });
    CHECK(run.aborted == "");
    CHECK(run.cut_steps == 0);
    CHECK(run.unconverged == 0);
    CHECK(touching == 0);
    const int cube = run.body("cube");
    CHECK(off(run.velocity(cube), {0.0, 0.0, 10.0}) < 1e-6);
    CHECK(off(run.place(cube), {0.0, 0.0, -4.4 + 8.0}) < 1e-4 + 1e-6);  // it has that much room
    CHECK(run.spin(cube).norm() < 1e-6);
  }
}

TEST_CASE("a box at rest nearer to the ground than delta stays where it is")
{
  const auto folder = test_data("scenes/defects");
  if (!folder) return;
  for (const std::string height : {"0.0501", "0.05001", "0.0509", "0.050999"})
    for (const std::string delta : {"1e-3", "1e-2", "2e-4"}) {
      CAPTURE(height);
      CAPTURE(delta);
      SteppedScene run(defect(*folder, "d5-rest-within-delta"),
                       {"/bodies/1/position=[0," + height + ",0]", "/contact/delta=" + delta});
      const int box = run.body("box");
      const Vector3d start = run.place(box);
      run.run();
      CHECK(off(run.place(box), start) < 1e-12);
      CHECK(run.velocity(box).norm() < 1e-12);
      CHECK(run.spin(box).norm() < 1e-12);
    }
}

TEST_CASE("27 spheres that fly together keep their distances and velocities")
{
  const auto folder = test_data("scenes/defects");
  if (!folder) return;
  for (const std::string name : {"together-0", "together-5", "together-50"}) {
    CAPTURE(name);
    // A coarser mesh: the cost of the fine one is for a bench to judge.
    SteppedScene run(defect(*folder, name), {"/bodies/0/sphere/subdivisions=2"});
    const double speed = run.velocity(0).x();
    run.run();
    CHECK(run.aborted == "");
    double worst = 0.0;
    for (int i = 0; i < run.scene.world.body_count(); ++i)
      worst = std::max(worst, off(run.velocity(i), {speed, 0.0, 0.0}));
    CHECK(worst < 1e-12);
    CHECK(off(run.place(26) - run.place(0), Vector3d::Constant(0.204)) < 1e-10);
  }
}

TEST_SUITE("slow")
{
  TEST_CASE("a soft C that is pressed flat, and a soft bar that falls, never cross themselves")
  {
    const auto folder = test_data("scenes/defects");
    if (!folder) return;
    for (const std::string name : {"pressed-c", "soft-bar-falls"}) {
      CAPTURE(name);
      SteppedScene run(defect(*folder, name));
      int crossings = 0;
      double largest = 0.0;
      run.run([&] {
        crossings += run.intersections();
        largest = std::max(largest, run.scene.state.q.cwiseAbs().maxCoeff());
      });
      CHECK(run.aborted == "");
      CHECK(crossings == 0);
      CHECK(largest < 2.0);  // m: neither thrown away nor without a number
      CHECK(run.scene.state.v.allFinite());
    }
  }

  TEST_CASE("a steel ball at 60 m/s into a net: no crossing, and all solves reach their tolerance")
  {
    const auto folder = test_data("scenes/defects");
    if (!folder) return;
    SteppedScene run(defect(*folder, "ball-into-net"));
    const int shell = run.body("shell");
    const double g = 9.81, start = 0.5, throw_speed = 60.0,
                 mass = run.scene.world.body(shell).mass();
    int crossings = 0;
    double energy = 0.0;  // J, of the ball; the net has none at the start
    run.run([&] {
      crossings += run.intersections();
      energy = std::max(
          energy, 0.5 * mass * run.velocity(shell).squaredNorm() + mass * g * run.place(shell).y());
    });
    CHECK(run.aborted == "");
    CHECK(crossings == 0);
    CHECK(run.cut_steps == 0);
    CHECK(run.unconverged == 0);
    CHECK(energy < mass * (0.5 * throw_speed * throw_speed + g * start) * (1.0 + 1e-6));
    CHECK(run.scene.state.q.allFinite());
  }
}
