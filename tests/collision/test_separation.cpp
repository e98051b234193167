// Slab advancement: never late, and near enough to be useful.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_families.hpp>
#include <tact/collision/ccd_polynomials.hpp>
#include <tact/collision/separation.hpp>
#include <tact/geometry/distance.hpp>

#include "queries.hpp"

namespace tact {
namespace {

double distance_at(const CcdQuery& query, double t)
{
  const auto x = [&](int i) -> Vector3d { return (1.0 - t) * query.start[i] + t * query.end[i]; };
  const ClosestPoints closest = query.kind == CcdKind::vertex_face
                                    ? closest_vertex_face(x(0), x(1), x(2), x(3))
                                    : closest_edge_edge(x(0), x(1), x(2), x(3));
  return closest.difference.norm();
}

double largest_coordinate(const CcdQuery& query)
{
  double largest = 0.0;
  for (const auto* points : {&query.start, &query.end})
    for (const Vector3d& x : *points) largest = std::max(largest, x.cwiseAbs().maxCoeff());
  return largest;
}

// The smallest of 65 distances on [0, t], less what sampling itself may be off: positions at a time
// are rounded to 3 u X each, distances to 16 u L with L <= 2 X.
double sampled_distance(const CcdQuery& query, double t)
{
  double smallest = distance_at(query, 0.0);
  for (int i = 1; i <= 64; ++i) smallest = std::min(smallest, distance_at(query, t * i / 64.0));
  return smallest + 64.0 * unit_roundoff * largest_coordinate(query);
}

CcdQuery falling_vertex(double from, double to)
{
  return vertex_face({Vector3d(0.25, 0.25, from), origin, x_axis, y_axis},
                     {Vector3d(0.25, 0.25, to), origin, x_axis, y_axis});
}

TEST_CASE("A falling vertex is stopped at the distance asked for")
{
  const double delta = 0.125;
  const SeparationTime answer = separation(falling_vertex(1.0, -1.0), delta);
  CHECK_FALSE(answer.free);
  // Height 1 - 2 t. One step of the slab is exact; the tolerance is 1e-3 delta.
  CHECK(answer.time <= 0.5 * (1.0 - delta));
  CHECK(answer.time >= 0.5 * (1.0 - delta * (1.0 + 1e-3)));
  CHECK(separation(falling_vertex(1.0, 0.25), delta).free);
  CHECK(separation(falling_vertex(0.1, 1.0), delta).time == 0.0);  // starts below delta
}

TEST_CASE("The distance asked for is kept until the time returned")
{
  int broken = 0, over_cap = 0, limited = 0;
  for_all_families(400, 1, [&](const CcdQuery& query, Random& random) {
    const double delta = distance_at(query, 0.0) * random.uniform(0.01, 0.9);
    const SeparationOptions options;
    const SeparationTime answer = separation(query, delta, options);
    if (answer.evaluations > options.max_evaluations) ++over_cap;
    if (answer.time == 0.0) return;
    if (answer.time < 1.0) ++limited;
    if (sampled_distance(query, answer.time) < delta * (1.0 - 1e-12)) ++broken;
    if (answer.free && answer.time != 1.0) ++broken;
  });
  CHECK(broken == 0);
  CHECK(over_cap == 0);
  CHECK(limited > 500);
}

TEST_CASE("On cloth the time is near the true one: the distance there is delta to a tenth")
{
  Random random(2);
  const double delta = 2e-4;  // m
  int limited = 0, far = 0;
  for (int i = 0; i < 20000; ++i) {
    const CcdQuery query = random_query(CcdFamily::cloth, random);
    const SeparationTime answer = separation(query, delta);
    if (answer.free || answer.time == 0.0) continue;
    ++limited;
    if (distance_at(query, answer.time) > 1.1 * delta) ++far;
  }
  CHECK(limited > 300);
  CHECK(far == 0);
}

// Two edges of length L that cross at a right angle, a distance apart, and turn together about an
// oblique axis: their ends leave any slab of one direction early in the step.
CcdQuery turning_edge(double length, double distance, double angle)
{
  const std::array<Vector3d, 4> start{Vector3d(-0.5 * length, 0, distance),
                                      Vector3d(0.5 * length, 0, distance),
                                      Vector3d(0, -0.5 * length, 0), Vector3d(0, 0.5 * length, 0)};
  const Matrix3d R = Eigen::AngleAxisd(angle, Vector3d(1, 2, 0.5).normalized()).toRotationMatrix();
  return edge_edge(start, {R * start[0], R * start[1], R * start[2], R * start[3]});
}

// An edge that tips about its middle, so that one end comes down by `dip` of its distance.
CcdQuery tipping_edge(double length, double distance, double dip)
{
  const double fall = dip * distance;
  return edge_edge(
      {Vector3d(-0.5 * length, 0, distance), Vector3d(0.5 * length, 0, distance),
       Vector3d(-length, 0, 0), Vector3d(length, 0, 0)},
      {Vector3d(-0.5 * length, 0, distance + fall), Vector3d(0.5 * length, 0, distance - fall),
       Vector3d(-length, 0, 0), Vector3d(length, 0, 0)});
}

TEST_CASE("Long features that turn near each other are decided, whatever their length")
{
  for (const double length : {0.1, 1.0, 15.0, 1000.0})
    for (const double angle : {1e-3, 0.012, 0.1, 0.5}) {
      CAPTURE(length);
      CAPTURE(angle);
      const SeparationTime turns = separation(turning_edge(length, 1e-3, angle), 2e-4);
      CHECK(turns.free);
      CHECK(turns.evaluations <
            1000);  // a fixed direction takes 1e5 where length and angle are large
    }
  for (const double length : {0.1, 15.0, 1000.0}) {
    CHECK(separation(tipping_edge(length, 1e-3, 0.5), 2e-4).free);
    const SeparationTime hits = separation(tipping_edge(length, 1e-3, 1.5), 2e-4);
    CHECK_FALSE(hits.free);
    CHECK(hits.decided);
    // The end is at 1e-3 (1 - 1.5 t).
    CHECK(hits.time == doctest::Approx(0.8 / 1.5).epsilon(1e-3));
  }
}

TEST_CASE("What runs out of evaluations is undecided, and still safe")
{
  const CcdQuery query = turning_edge(1000.0, 1e-3, 0.5);
  const SeparationTime answer = separation(query, 2e-4, {.max_evaluations = 8});
  CHECK_FALSE(answer.free);
  CHECK_FALSE(answer.decided);
  CHECK(sampled_distance(query, answer.time) >= 2e-4);
}

TEST_CASE("No contact is missed with delta = 0")
{
  int missed = 0, late = 0;
  for_all_families(1000, 3, [&](const CcdQuery& query, Random&) {
    const SeparationTime answer = separation(query, 0.0);
    const ContactTime exact = contact(query);
    if (exact.contact && answer.free) ++missed;
    if (exact.contact && answer.time > exact.time + 1e-9) ++late;
  });
  CHECK(missed == 0);
  CHECK(late == 0);
}

TEST_CASE("A tolerance below rounding does not loop")
{
  for (const double delta : {0.0, 1e-300, 1e-9, 0.125}) {
    const SeparationTime answer =
        separation(falling_vertex(1.0, -1.0), delta, {.tolerance = 0.0, .max_evaluations = 100000});
    CHECK_FALSE(answer.free);
    CHECK(answer.evaluations < 100);
  }
  int longest = 0;
  for_all_families(200, 4, [&](const CcdQuery& query, Random&) {
    const double delta = 0.5 * distance_at(query, 0.0);
    const SeparationTime answer =
        separation(query, delta, {.tolerance = 0.0, .max_evaluations = 100000});
    longest = std::max(longest, answer.evaluations);
  });
  CHECK(longest <= 100000);  // a few of them graze for a long time
}

TEST_CASE("Lengths that squares cannot hold are answered with the safe time 0")
{
  for (const double factor : {1e-120, 1e120}) {
    const SeparationTime answer = separation(scaled(falling_vertex(1.0, -1.0), factor), 0.0);
    CHECK_FALSE(answer.free);
    CHECK(answer.time == 0.0);
  }
}

TEST_CASE("A pair that starts nearer than delta is held at half its distance")
{
  const double delta = 0.5, start = 0.125;
  const SafeTime closing = safe_time(falling_vertex(start, -1.0), delta);
  CHECK(closing.separation == 0.5 * start);
  CHECK(closing.time > 0.0);
  CHECK(closing.time <= 0.5 * start / (start + 1.0));  // height start - (start + 1) t
  CHECK_FALSE(closing.touching_at_start);
  CHECK(safe_time(falling_vertex(start, start), delta).time == 1.0);
  CHECK(safe_time(falling_vertex(1.0, -1.0), delta).separation == delta);
}

TEST_CASE(
    "A pair that touches at the start is reported, one that is merely within rounding moves on")
{
  CHECK(safe_time(falling_vertex(0.0, 1.0), 0.1).touching_at_start);
  CHECK(safe_time(falling_vertex(0.0, 1.0), 0.1).time == 0.0);
  const SafeTime leaving = safe_time(falling_vertex(0x1p-50, 1.0), 0.1);
  CHECK_FALSE(leaving.touching_at_start);
  CHECK(leaving.time == 1.0);
  const SafeTime entering = safe_time(falling_vertex(0x1p-50, -1.0), 0.1);
  CHECK_FALSE(entering.touching_at_start);
  CHECK(entering.time < 0x1p-50);
}

TEST_CASE("There is no contact until the safe time")
{
  int broken = 0;
  for_all_families(1000, 5, [&](const CcdQuery& query, Random& random) {
    const double delta = std::max(distance_at(query, 0.0), 1e-9) * random.uniform(0.0, 4.0);
    const SafeTime safe = safe_time(query, delta);
    const ContactTime exact = contact(query);
    if (!exact.contact) return;
    if (safe.time > exact.time && safe.time > 0.0) ++broken;
  });
  CHECK(broken == 0);
}

}  // namespace
}  // namespace tact
