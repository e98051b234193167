#include <tact/geometry/surface_intersection.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <doctest/doctest.h>

#include <tact/core/random.hpp>
#include <tact/geometry/box_tree.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

TriMesh moved(TriMesh mesh, const Vector3d& by)
{
  for (Vector3d& p : mesh.positions) p += by;
  return mesh;
}

TEST_CASE("The tree finds each overlapping pair of boxes once, as brute force does")
{
  Random random(6);
  for (const int count : {0, 1, 2, 5, 33, 400}) {
    CAPTURE(count);
    std::vector<Aabb> boxes;
    for (int i = 0; i < count; ++i) {
      const Vector3d middle = random.in_cube(1.0);
      const Vector3d half = random.in_cube(0.2).cwiseAbs();
      boxes.push_back(box_of(middle - half, middle + half));
      if (i % 7 == 0) boxes.back() = boxes[static_cast<std::size_t>(i) / 2];  // equal boxes, too
    }
    std::set<std::pair<int, int>> found;
    int calls = 0;
    BoxTree(boxes).for_each_overlap([&](int i, int j) {
      ++calls;
      found.emplace(i, j);
    });
    std::set<std::pair<int, int>> expected;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        if (overlap(boxes[i], boxes[j])) expected.emplace(i, j);
    CHECK(found == expected);
    CHECK(calls == static_cast<int>(expected.size()));
  }
}

TEST_CASE("Shapes made by rule do not intersect themselves")
{
  CHECK(intersecting_pairs(make_box({1, 2, 3}, 4)).pairs.empty());
  CHECK(intersecting_pairs(make_icosphere(0.7, 3)).pairs.empty());
  CHECK(intersecting_pairs(make_cylinder(0.5, 2, 24, 5)).pairs.empty());
  CHECK(intersecting_pairs(make_capsule(0.5, 1, 16, 6)).pairs.empty());
  CHECK(intersecting_pairs(make_torus(1, 0.3, 32, 16)).pairs.empty());
  CHECK(intersecting_pairs(make_cloth(1, 1, 30, 20)).pairs.empty());
}

TEST_CASE("Boxes that touch in a face intersect, boxes one unit in the last place apart do not")
{
  const TriMesh lower = make_box({1, 1, 1});
  const TriMesh touching = moved(lower, {0, 1, 0});
  TriMesh apart = touching;
  for (Vector3d& p : apart.positions)
    if (p[1] == 0.5) p[1] = std::nextafter(0.5, 1.0);
  const std::vector<TriMesh> stack{lower, touching}, loose{lower, apart};
  CHECK(intersecting_pairs(loose).pairs.empty());

  // The two triangles of each face meet the two of the other, and the sides all that they touch.
  const IntersectionReport report = intersecting_pairs(stack);
  CHECK(report.pairs.size() >= 4);
  CHECK(std::is_sorted(report.pairs.begin(), report.pairs.end()));
  for (const auto& [a, b] : report.pairs) {
    CHECK(a.surface == 0);
    CHECK(b.surface == 1);
  }
}

TEST_CASE("A strip folded flat onto itself intersects, opened by an ulp it does not")
{
  TriMesh strip{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0.25, 0, 0.5}}, {{0, 1, 2}, {0, 2, 3}}};
  REQUIRE(intersecting_pairs(strip).pairs.size() == 1);
  strip.positions[3][1] = std::numeric_limits<double>::denorm_min();
  CHECK(intersecting_pairs(strip).pairs.empty());
}

TEST_CASE("Repeated triangles intersect, triangles without area are told apart")
{
  const TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}},
                     {{0, 1, 2}, {1, 2, 0}, {0, 1, 3}, {0, 0, 2}}};
  const IntersectionReport report = intersecting_pairs(mesh);
  CHECK(report.pairs == std::vector<IntersectingPair>{{{0, 0}, {0, 1}}});
  CHECK(report.without_area == std::vector<TriangleOfSurface>{{0, 2}, {0, 3}});
}

TEST_CASE("Of too many pairs the first hundred are kept and all are counted")
{
  TriMesh fan;  // around the z axis, each through all others
  constexpr int count = 200;
  for (int k = 0; k < count; ++k) {
    const double angle = std::numbers::pi * k / count, x = std::cos(angle), y = std::sin(angle);
    const int first = fan.vertex_count();
    for (const Vector3d& p : {Vector3d(-x, -y, -1.0), Vector3d(x, y, 0.1), Vector3d(-x, -y, 2.0)})
      fan.positions.push_back(p);
    fan.triangles.push_back({first, first + 1, first + 2});
  }
  const IntersectionReport all = intersecting_pairs(fan), first = first_intersecting_pairs(fan);
  REQUIRE(all.pairs.size() == count * (count - 1) / 2);
  CHECK(all.count == static_cast<long>(all.pairs.size()));
  CHECK(first.count == all.count);
  CHECK(first.complete);
  REQUIRE(first.pairs.size() == 100);
  CHECK(std::equal(first.pairs.begin(), first.pairs.end(), all.pairs.begin()));
}

TEST_CASE("Two spheres intersect in a closed band of triangles, whatever the order of surfaces")
{
  const TriMesh sphere = make_icosphere(1.0, 3);
  const std::vector<TriMesh> pair{sphere, moved(sphere, {1.0, 0.1, 0.03})};
  const std::vector<TriMesh> swapped{pair[1], pair[0]};
  const auto forward = intersecting_pairs(pair).pairs;
  auto backward = intersecting_pairs(swapped).pairs;
  for (auto& [a, b] : backward) {
    std::swap(a.triangle, b.triangle);
    CHECK(a.surface == 0);
  }
  std::sort(backward.begin(), backward.end());
  CHECK(forward == backward);
  // The curve in which they meet passes from triangle to triangle, so each crosses at least two.
  CHECK(forward.size() > 40);
}

}  // namespace
}  // namespace tact
