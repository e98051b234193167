// Moving boxes against whole numbers, for which everything can be said exactly.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <tact/collision/moving_box.hpp>
#include <tact/core/random.hpp>

using namespace tact;

namespace {

MovingBox random_moving_box(Random& random, int most)
{
  const auto random_box = [&] {
    Box box;
    for (int k = 0; k < 3; ++k) {
      box.low[k] = random.below(2 * most + 1) - most;
      box.high[k] = box.low[k] + random.below(most / 2);
    }
    return box;
  };
  return {random_box(), random_box()};
}

// Whether all six gaps are <= 0 at some time: if so, they are at 0, at 1 or where one of them is 0.
// With whole numbers of up to 64 the gaps at such a time are whole numbers over g0 - g1.
bool meet_exactly(const MovingBox& a, const MovingBox& b)
{
  std::vector<std::array<long, 2>> gaps;
  for (int k = 0; k < 3; ++k) {
    gaps.push_back(
        {std::lround(a.start.low[k] - b.start.high[k]), std::lround(a.end.low[k] - b.end.high[k])});
    gaps.push_back(
        {std::lround(b.start.low[k] - a.start.high[k]), std::lround(b.end.low[k] - a.end.high[k])});
  }
  const auto all_closed_at = [&](long numerator, long denominator) {  // of t
    return std::all_of(gaps.begin(), gaps.end(), [&](const std::array<long, 2>& g) {
      return (denominator - numerator) * g[0] + numerator * g[1] <= 0;
    });
  };
  if (all_closed_at(0, 1) || all_closed_at(1, 1)) return true;
  return std::any_of(gaps.begin(), gaps.end(), [&](const std::array<long, 2>& g) {
    const long sign = g[0] > g[1] ? 1 : -1;
    return g[0] * g[1] < 0 && all_closed_at(sign * g[0], sign * (g[0] - g[1]));
  });
}

Box grown(const Box& box, Random& random, double most)
{
  Box larger = box;
  for (int k = 0; k < 3; ++k) {
    larger.low[k] -= random.uniform(0.0, most);
    larger.high[k] += random.uniform(0.0, most);
  }
  return larger;
}

Box shifted(const Box& box, const Vector3d& by)
{
  Box moved = box;
  for (int k = 0; k < 3; ++k) {
    moved.low[k] += by[k];
    moved.high[k] += by[k];
  }
  return moved;
}

}  // namespace

TEST_CASE("moving boxes meet exactly where they overlap at a common time")
{
  Random random(1);
  int met = 0, apart_by_two_axes = 0;
  for (int i = 0; i < 20000; ++i) {
    const MovingBox a = random_moving_box(random, 16), b = random_moving_box(random, 16);
    const bool expected = meet_exactly(a, b);
    CHECK(meet(a, b) == expected);
    CHECK(meet(b, a) == expected);
    met += expected ? 1 : 0;
    const auto separates = [&](int k) {
      return (a.start.low[k] > b.start.high[k] && a.end.low[k] > b.end.high[k]) ||
             (b.start.low[k] > a.start.high[k] && b.end.low[k] > a.end.high[k]);
    };
    apart_by_two_axes += !expected && !separates(0) && !separates(1) && !separates(2) ? 1 : 0;
  }
  CHECK(met > 500);
  CHECK(apart_by_two_axes > 500);
}

TEST_CASE("eight boxes at once meet what each of them meets")
{
  Random random(2);
  for (int round = 0; round < 200; ++round) {
    std::array<WideBox, 2> start, end;
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < 8; ++i) {
        const bool none = i == 5 + 2 * side;
        const MovingBox box = none ? no_moving_box() : random_moving_box(random, 16);
        start[side].set(i, box.start);
        end[side].set(i, box.end);
      }
    // Both move, one does, none does.
    const WideMovingBox a{start[0], round % 3 == 2 ? start[0] : end[0]};
    const WideMovingBox b{start[1], round % 3 == 0 ? end[1] : start[1]};
    const std::uint64_t bits = meetings(a, b);
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        CHECK((bits >> (8 * i + j) & 1) == (meet(a.get(i), b.get(j)) ? 1u : 0u));
  }
}

TEST_CASE("what all boxes move in common does not matter")
{
  Random random(3);
  for (int i = 0; i < 5000; ++i) {
    const MovingBox a = random_moving_box(random, 16), b = random_moving_box(random, 16);
    const Vector3d start(random.below(1000), random.below(1000), -random.below(1000));
    const Vector3d end(-random.below(100000), random.below(100000), random.below(100000));
    CHECK(meet({shifted(a.start, start), shifted(a.end, end)},
               {shifted(b.start, start), shifted(b.end, end)}) == meet(a, b));
  }
}

TEST_CASE("boxes that hold boxes that meet do meet, to the last bit")
{
  Random random(4);
  int met = 0;
  for (int i = 0; i < 20000; ++i) {
    const double size = std::pow(10.0, random.uniform(-6.0, 6.0));
    const double most = size * std::pow(10.0, random.uniform(-17.0, 0.0));
    // Points that meet, as near as doubles say, at one time and at no other.
    const Vector3d x0 = random.in_cube(size), x1 = random.in_cube(size), way = random.in_cube(size);
    const double t = random.uniform(0.0, 1.0);
    const Vector3d y0 = x0 - t * way, y1 = x1 + (1.0 - t) * way;
    const MovingBox a = moving_box(MovingVertex(x0, x1), 0.0);
    const MovingBox b = moving_box(MovingVertex(y0, y1), most);
    if (!meet(a, b)) continue;
    ++met;
    CHECK(meet({grown(a.start, random, most), grown(a.end, random, most)},
               {grown(b.start, random, most), grown(b.end, random, most)}));
  }
  CHECK(met > 5000);
}

TEST_CASE("boxes of points that come within the tolerance meet, whatever the rounding")
{
  Random random(10);
  for (int i = 0; i < 20000; ++i) {
    const double size = std::pow(10.0, random.uniform(-6.0, 6.0));
    const double tolerance = size * std::pow(10.0, random.uniform(-20.0, 0.0));
    // At one end of the step two points are exactly the tolerance apart along one axis, as far as
    // doubles can say; at the other end they are far apart.
    const Vector3d x = random.in_cube(size), x_far = random.in_cube(size);
    Vector3d y = x;
    y[i % 3] = x[i % 3] + tolerance;
    if (y[i % 3] - x[i % 3] > tolerance) y[i % 3] = std::nextafter(y[i % 3], x[i % 3]);
    const Vector3d y_far = x_far + random.in_cube(size);
    CHECK(meet(moving_box(MovingVertex(x, x_far), tolerance),
               moving_box(MovingVertex(y, y_far), tolerance)));
    CHECK(meet(moving_box(MovingVertex(x_far, x), tolerance),
               moving_box(MovingVertex(y_far, y), tolerance)));
  }
}

TEST_CASE("points that meet between start and end have boxes that meet")
{
  // Halves, quarters and whole numbers are exact: the paths cross at t = 1/4, 1/2 or 3/4 to the
  // bit.
  Random random(11);
  for (int i = 0; i < 10000; ++i) {
    const auto whole = [&] {
      return Vector3d(random.below(2001) - 1000, random.below(2001) - 1000,
                      random.below(2001) - 1000);
    };
    const int quarter = 1 + random.below(3);
    const Vector3d x0 = whole(), x1 = whole(), way = whole();
    const Vector3d y0 = x0 - quarter * way, y1 = x1 + (4 - quarter) * way;
    CHECK(meet(moving_box(MovingVertex(x0, x1), 0.0), moving_box(MovingVertex(y0, y1), 0.0)));
  }
}
