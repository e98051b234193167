#include <tact/geometry/triangle_intersection.hpp>

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <tact/geometry/predicates.hpp>

#include "convex_sets.hpp"
#include "families.hpp"

namespace tact {
namespace {

constexpr int grid = 4;  // coordinates 0 to 3

TrianglePoints random_triangle(Random& random)
{
  TrianglePoints t;
  do {
    for (Vector3d& p : t) p = family::grid_point(random, grid);
  } while (collinear(t[0], t[1], t[2]));
  return t;
}

// (1 - w) a + w b for w = weight / steps, times `steps`: an integer.
constexpr int steps = 1 << 16;
IntegerPoint between(const Vector3d& a, const Vector3d& b, int weight)
{
  const Vector3d p = (steps - weight) * a + weight * b;
  return {Wide(p[0]), Wide(p[1]), Wide(p[2])};
}

IntegerPoint at(const Vector3d& p)
{
  return between(p, p, 0);
}

Polygon whole(const TrianglePoints& t)
{
  return {at(t[0]), at(t[1]), at(t[2])};
}

// Without a corner at t[0], cut at 2^-16 of the sides. Coordinates 0 to 3 make determinants of at
// most 140, so that triangles which meet beyond the vertex do so at more than 140^-2 of the way.
Polygon without_corner(const TrianglePoints& t)
{
  return {between(t[0], t[1], 1), at(t[1]), at(t[2]), between(t[0], t[2], 1)};
}

// Without a strip along the side from e0 to e1.
Polygon without_side(const Vector3d& e0, const Vector3d& e1, const Vector3d& apex)
{
  return {between(e0, apex, 1), between(e1, apex, 1), at(apex)};
}

constexpr std::array<std::array<int, 3>, 6> orders{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

TrianglePoints reordered(const TrianglePoints& t, const std::array<int, 3>& order)
{
  return {t[order[0]], t[order[1]], t[order[2]]};
}

TEST_CASE("Triangles on a grid meet exactly when no axis separates them")
{
  Random random(1);
  int wrong = 0, meeting = 0;
  const int count = 100000;
  for (int k = 0; k < count; ++k) {
    const TrianglePoints s = random_triangle(random), t = random_triangle(random);
    const bool meet = polygons_meet(whole(s), whole(t));
    meeting += meet;
    if (triangles_intersect(s, t) != meet) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(meeting > count / 10);  // else the test would say little
  CHECK(meeting < count * 9 / 10);
}

TEST_CASE("Triangles with a common vertex meet elsewhere exactly when they do without that corner")
{
  Random random(2);
  int wrong = 0, meeting = 0;
  const int count = 50000;
  for (int k = 0; k < count; ++k) {
    const TrianglePoints s = random_triangle(random);
    TrianglePoints t;
    do {
      t = random_triangle(random);
      t[0] = s[0];
    } while (collinear(t[0], t[1], t[2]));
    const bool meet = polygons_meet(without_corner(s), without_corner(t));
    meeting += meet;
    if (triangles_intersect_beyond_vertex(s, t) != meet) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(meeting > count / 20);
}

TEST_CASE("Triangles with a common edge meet elsewhere exactly when they do without that edge")
{
  Random random(3);
  int wrong = 0, meeting = 0;
  const int count = 50000;
  for (int k = 0; k < count; ++k) {
    const TrianglePoints s = random_triangle(random);
    Vector3d apex;
    do apex = family::grid_point(random, grid);
    while (collinear(s[0], s[1], apex));
    const bool meet = polygons_meet(without_side(s[0], s[1], s[2]), without_side(s[0], s[1], apex));
    meeting += meet;
    if (triangles_intersect_beyond_edge(s[0], s[1], s[2], apex) != meet) ++wrong;
    if (triangles_intersect_beyond_edge(s[1], s[0], apex, s[2]) != meet) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(meeting > count / 50);
}

TEST_CASE("The order of corners and of the triangles does not matter")
{
  Random random(4);
  int wrong = 0;
  for (int k = 0; k < 3000; ++k) {
    const TrianglePoints s = random_triangle(random), t = random_triangle(random);
    const bool meet = triangles_intersect(s, t);
    for (const auto& order_s : orders) {
      for (const auto& order_t : orders) {
        const TrianglePoints s2 = reordered(s, order_s), t2 = reordered(t, order_t);
        wrong += triangles_intersect(s2, t2) != meet;
        wrong += triangles_intersect(t2, s2) != meet;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("Scaling by powers of two and moving by integers does not change the answer")
{
  Random random(5);
  int wrong = 0;
  for (int k = 0; k < 2000; ++k) {
    const TrianglePoints s = random_triangle(random), t = random_triangle(random);
    const bool meet = triangles_intersect(s, t);
    for (const double scale : {0x1.0p-900, 0x1.0p-40, 0x1.0p30, 0x1.0p900}) {
      TrianglePoints s2 = s, t2 = t;
      for (TrianglePoints* x : {&s2, &t2})
        for (Vector3d& p : *x) p = scale * (p + Vector3d(1e6, -3e7, 5));  // exact: few bits
      wrong += triangles_intersect(s2, t2) != meet;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("A gap or an overlap of one unit in the last place is seen")
{
  const TrianglePoints floor{Vector3d(0, 1, 0), Vector3d(8, 1, 0), Vector3d(0, 1, 8)};
  const auto dart = [](double tip) {
    return TrianglePoints{Vector3d(1, tip, 1), Vector3d(1, 3, 2), Vector3d(2, 3, 1)};
  };
  CHECK(triangles_intersect(floor, dart(1.0)));
  CHECK(triangles_intersect(floor, dart(std::nextafter(1.0, 0.0))));
  CHECK_FALSE(triangles_intersect(floor, dart(std::nextafter(1.0, 2.0))));
}

TEST_CASE("Coplanar triangles: inside, crossing, touching at a point and along a side, apart")
{
  const auto flat = [](double x0, double y0, double x1, double y1, double x2, double y2) {
    // In the plane z = x + y, so that no axis is special.
    return TrianglePoints{Vector3d(x0, y0, x0 + y0), Vector3d(x1, y1, x1 + y1),
                          Vector3d(x2, y2, x2 + y2)};
  };
  const TrianglePoints big = flat(0, 0, 8, 0, 0, 8);
  CHECK(triangles_intersect(big, flat(1, 1, 2, 1, 1, 2)));
  CHECK(triangles_intersect(flat(1, 1, 2, 1, 1, 2), big));
  CHECK(triangles_intersect(big, flat(-1, 3, 9, 3, 9, 4)));
  CHECK(triangles_intersect(big, flat(4, 4, 9, 4, 9, 9)));
  CHECK(triangles_intersect(big, flat(2, 0, 5, 0, 3, -3)));
  CHECK_FALSE(triangles_intersect(big, flat(5, 4, 9, 4, 9, 9)));
  CHECK_FALSE(triangles_intersect(big, flat(0, 9, 9, 9, 9, 0)));
}

}  // namespace
TEST_CASE("How deep triangles are in each other is the shortest way out along a normal of theirs")
{
  const TrianglePoints floor{Vector3d(0, 0, 0), Vector3d(4, 0, 0), Vector3d(0, 0, 4)};
  for (const double depth : {0.0, 1e-3, 0.1, 0.4}) {
    CAPTURE(depth);
    // A blade on edge that reaches `depth` below the floor, and 1 - depth above it.
    const TrianglePoints blade{Vector3d(1, -depth, 1), Vector3d(1.2, 1 - depth, 1),
                               Vector3d(0.8, 1 - depth, 1)};
    REQUIRE(triangles_intersect(floor, blade));
    CHECK(reach_through(floor, blade) == doctest::Approx(depth));
    CHECK(reach_through(blade, floor) == doctest::Approx(depth));
  }
}

}  // namespace tact
