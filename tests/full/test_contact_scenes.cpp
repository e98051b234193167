// Scenes of [Miguel11], [Lazarevych10] and [Egan03] whose point is what contact does.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include "full_run.hpp"

using namespace tact;
using namespace tact::test;

namespace {

double mass_of(const FullRun& run, int body)
{
  return run.recording.header().bodies[body].mass();
}

std::vector<int> bodies_of_kind(const FullRun& run, BodyKind kind)
{
  std::vector<int> bodies;
  for (int i = 0; i < run.scene.world.body_count(); ++i)
    if (run.scene.world.body(i).kind() == kind) bodies.push_back(i);
  return bodies;
}

// N: what a partner gives a body that the scene asks about, mean of the last second.
Vector3d force_on(const FullRun& run, const std::string& body, const std::string& partner)
{
  for (const BodyForces& forces : run.report.forces)
    for (const ForceSummary& pair : forces.partners)
      if (forces.body == body && pair.body == partner) return pair.mean.force;
  FAIL("no forces between " << body << " and " << partner);
  return Vector3d::Zero();
}

// The disk carries what the four springs of the press have and the vertebra's weight.
void check_load(const FullRun& run, double travel, double stiffness)
{
  const int upper = run.body("upper-vertebra");
  const Frame start = run.at(0.0), end = run.last();
  const double down = run.centre(start, upper).y() - run.centre(end, upper).y();
  const double load = 4.0 * stiffness * (travel - down) + 9.81 * mass_of(run, upper);
  // 2 %: what is left of motion and of tilt, and passes that end at the tolerance.
  CHECK(force_on(run, "upper-vertebra", "disk").y() == doctest::Approx(load).epsilon(0.02));
  const double below = load + 9.81 * mass_of(run, run.body("disk"));
  CHECK(force_on(run, "lower-vertebra", "disk").y() == doctest::Approx(-below).epsilon(0.02));
  CHECK(run.speed(end) < 5e-3);
}

// Ways of the two feet of the table's upper and of its lower legs down the slope, m.
struct Feet {
  std::array<std::vector<int>, 2> vertices;  // of the table; upper, lower
  Vector3d down;                             // the slope

  Feet(const FullRun& run, double degrees)
  {
    const double angle = degrees * std::numbers::pi / 180.0;
    down = Vector3d(-std::cos(angle), -std::sin(angle), 0.0);
    const Vector3d up(-std::sin(angle), std::cos(angle), 0.0);
    const std::vector<Vector3d> x = run.vertices(run.at(0.0), run.body("table"));
    double low = up.dot(x.front()), middle = 0.0;
    for (const Vector3d& p : x) {
      low = std::min(low, up.dot(p));
      middle += down.dot(p) / static_cast<double>(x.size());
    }
    for (std::size_t i = 0; i < x.size(); ++i)
      if (up.dot(x[i]) < low + 1e-6)
        vertices[down.dot(x[i]) > middle ? 1 : 0].push_back(static_cast<int>(i));
  }

  std::array<double, 2> ways(const std::vector<Vector3d>& x) const
  {
    std::array<double, 2> way{};
    for (int k = 0; k < 2; ++k)
      for (const int i : vertices[k])
        way[k] += down.dot(x[i]) / static_cast<double>(vertices[k].size());
    return way;
  }
};

double off_its_height(const FullRun& run, int body)
{
  const double start = run.centre(run.at(0.0), body).y();
  double most = 0.0;
  for (int k = 0; k < run.recording.frame_count(); ++k)
    most = std::max(most, std::abs(run.centre(run.recording.frame(k), body).y() - start));
  return most;
}

}  // namespace

TEST_SUITE("full")
{
  // [Miguel11] fig. 3
  TEST_CASE("vertebrae: the disk carries the load of the press and the weight of the bone")
  {
    const FullRun run = full_run("vertebrae", "vertebrae");
    check_load(run, 0.025, 5000.0);
    CHECK(run.report.totals.contacts_max > 300);
  }

  TEST_CASE("vertebrae with all rows: the paper's method solves every step, and carries the load")
  {
    const FullRun run =
        full_run("vertebrae-paper", "vertebrae", {"/paper=true", "/contact/solver=ica"}, 2);
    check_load(run, 0.025, 100.0);
    CHECK(run.report.totals.contacts / run.report.totals.account.steps > 2000);
  }

  // [Lazarevych10] Sec. 5: up to 45 contacts
  TEST_CASE("bowling: balls break the triangle, and nothing is lost of their momentum")
  {
    const FullRun run = full_run("bowling", "bowling");
    const Frame start = run.at(0.0), end = run.last();
    Vector3d before = Vector3d::Zero(), after = Vector3d::Zero();
    int thrown = 0;
    for (const int body : bodies_of_kind(run, BodyKind::soft)) {
      before += mass_of(run, body) * run.velocity(start, body);
      after += mass_of(run, body) * run.velocity(end, body);
      const bool skittle = run.velocity(start, body).norm() == 0.0;
      thrown += skittle && run.velocity(end, body).norm() > 0.1 ? 1 : 0;
    }
    CHECK((after - before).norm() < 1e-9 * before.norm());
    CHECK(thrown >= 9);  // of ten
    CHECK(run.report.totals.contacts_max >= 40);
    CHECK(run.report.totals.contacts_max <= 60);
  }

  // [Lazarevych10] Sec. 5: up to 80 contacts
  TEST_CASE("bucket: balls come to rest in it, and it carries their weight")
  {
    const FullRun run = full_run("bucket", "bucket");
    double weight = 0.0;
    const Frame end = run.last();
    for (const int ball : bodies_of_kind(run, BodyKind::soft)) {
      weight += 9.81 * mass_of(run, ball);
      CHECK(run.centre(end, ball).y() > 0.04);  // m: radius 0.05
      CHECK(run.centre(end, ball).cwiseProduct(Vector3d(1, 0, 1)).norm() < 0.2);
    }
    // Mean of the last second, in which balls still move a little.
    CHECK(run.report.forces.front().total.mean.force.y() == doctest::Approx(-weight).epsilon(0.01));
    CHECK(run.speed(end) < 0.02);
    CHECK(run.report.totals.contacts_max >= 70);
  }

  // [Lazarevych10] fig. 2
  TEST_CASE("table-incline: its legs slide in turns where a rigid table would stand")
  {
    const FullRun run = full_run("table-incline", "table-incline");
    const Feet feet(run, 11.0);
    constexpr double standing = 1e-3;  // m/s
    int in_turns = 0, together = 0, in_the_air = 0;
    std::array<int, 2> alone{};
    for (int k = 1; k < run.recording.frame_count(); ++k) {
      const Frame before = run.recording.frame(k - 1), frame = run.recording.frame(k);
      const auto from = feet.ways(run.vertices(before, run.body("table")));
      const auto to = feet.ways(run.vertices(frame, run.body("table")));
      const double least = standing * (frame.t - before.t);
      const bool upper = to[0] - from[0] > least, lower = to[1] - from[1] > least;
      if (upper != lower) ++in_turns;
      if (upper && lower) ++together;
      if (upper && !lower) ++alone[0];
      if (lower && !upper) ++alone[1];
      const bool pushed =
          std::any_of(frame.contacts.begin(), frame.contacts.end(),
                      [](const RecordedContact& c) { return c.normal_impulse > 0.0; });
      if (!pushed) ++in_the_air;
    }
    CHECK(in_turns > together);  // most of the time that it slides
    CHECK(alone[0] > 50);        // ms
    CHECK(alone[1] > 50);
    CHECK(in_the_air == 0);
    const std::vector<Vector3d> first = run.vertices(run.at(0.0), run.body("table")),
                                last = run.vertices(run.last(), run.body("table"));
    for (int k = 0; k < 2; ++k) CHECK(feet.ways(last)[k] - feet.ways(first)[k] > 5e-3);  // m
  }

  // [Egan03] fig. 1
  TEST_CASE("block-over-hole: the block keeps its height with max and selection")
  {
    for (const std::string value : {"max", "selection"}) {
      CAPTURE(value);
      const FullRun run =
          full_run("block-over-hole-" + value, "block-over-hole", {"/nonconvex=" + value});
      CHECK(off_its_height(run, run.body("block")) < 5e-5);
      CHECK(run.centre(run.last(), run.body("block")).x() > 0.5);
    }
  }

  TEST_CASE("cloth-over-edge: the cloth slides off the block and comes to lie on the ground")
  {
    const FullRun run = full_run("cloth-over-edge", "cloth-over-edge", {}, 4);
    const int cloth = run.body("cloth");
    for (const Vector3d& p : run.vertices(run.last(), cloth)) {
      CHECK(p.x() > 0.0);   // m: the edge
      CHECK(p.y() < 0.25);  // the block is 0.4 high
    }
    CHECK(run.report.totals.groups_max > 0);
  }

  // [Egan03] fig. 3: z_a and z_b3
  TEST_CASE("point-corner: the points end where the paper says")
  {
    const FullRun run = full_run("point-corner", "point-corner");
    CHECK((run.centre(run.last(), run.body("a")) - Vector3d(-3.0, 1.0, -1.0)).norm() < 1e-9);
    CHECK((run.centre(run.last(), run.body("b")) - Vector3d(-3.0, 0.0, 1.0)).norm() < 1e-6);
  }
}
