#include <cmath>
#include <map>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/outline.hpp>
#include <tact/geometry/predicates.hpp>

namespace tact {
namespace {

using std::numbers::pi;

Contour circle(const Vector2d& centre, double radius, int corners, double twist = 0.0)
{
  Contour contour;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * pi * k / corners + twist;
    contour.push_back(centre + radius * Vector2d(std::cos(angle), std::sin(angle)));
  }
  return contour;
}

double signed_area(const Contour& contour)
{
  double sum = 0.0;
  for (std::size_t k = 0; k < contour.size(); ++k) {
    const Vector2d &a = contour[k], &b = contour[(k + 1) % contour.size()];
    sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
  }
  return sum;
}

// What a triangulation owes: positive triangles that add up to the area, all corners, sides of
// contours once and all else twice, and no diagonal that a flip would better.
void check_triangulation(const std::vector<Contour>& contours, double expected_area, int regions,
                         int holes)
{
  std::vector<Vector2d> points;
  std::map<Edge, int> sides;
  for (const Contour& contour : contours) {
    const int first = static_cast<int>(points.size()), n = static_cast<int>(contour.size());
    for (int k = 0; k < n; ++k) {
      const int a = first + k, b = first + (k + 1) % n;
      sides[{std::min(a, b), std::max(a, b)}] = 1;
      points.push_back(contour[k]);
    }
  }
  const std::vector<Triangle> triangles = triangulate_outline(contours);
  CHECK(triangles.size() == points.size() + 2 * holes - 2 * regions);
  double sum = 0.0;
  std::map<Edge, int> uses;
  for (const Triangle& t : triangles) {
    CHECK(orient2d(points[t[0]], points[t[1]], points[t[2]]) > 0);
    const Vector2d u = points[t[1]] - points[t[0]], v = points[t[2]] - points[t[0]];
    sum += 0.5 * (u[0] * v[1] - u[1] * v[0]);
    for (int k = 0; k < 3; ++k)
      ++uses[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}];
  }
  CHECK(sum == doctest::Approx(expected_area).epsilon(1e-12));
  for (const auto& [side, once] : sides) CHECK(uses[side] == once);
  for (const auto& [side, count] : uses)
    if (!sides.contains(side)) CHECK(count == 2);
}

TEST_CASE("Outlines with holes, islands and corners on straight lines are covered side by side")
{
  Contour square;  // with corners on its sides
  for (int k = 0; k < 5; ++k) square.push_back({-2.0 + 0.8 * k, -2.0});
  for (int k = 0; k < 5; ++k) square.push_back({2.0, -2.0 + 0.8 * k});
  for (int k = 0; k < 5; ++k) square.push_back({2.0 - 0.8 * k, 2.0});
  for (int k = 0; k < 5; ++k) square.push_back({-2.0, 2.0 - 0.8 * k});
  check_triangulation({square}, 16.0, 1, 0);

  const Contour left = circle({-0.9, 0.1}, 0.6, 14), right = circle({0.9, -0.2}, 0.7, 9, 0.3);
  Contour island = circle({0.9, -0.2}, 0.2, 5);
  std::reverse(island.begin(), island.end());  // either way round
  check_triangulation({left, square, island, right},
                      16.0 - signed_area(left) - signed_area(right) - signed_area(island), 2, 2);
}

TEST_CASE("Combs, spirals and many holes in a grid are covered side by side")
{
  Contour comb{{0, 0}, {10, 0}};
  double area = 10.0;
  comb.push_back({10, 1});
  for (int k = 9; k >= 0; --k) {
    comb.push_back({k + 0.9, 1});
    comb.push_back({k + 0.5, 6.0 + k % 3});
    comb.push_back({k + 0.1, 1});
    area += 0.4 * (5.0 + k % 3);
  }
  comb.push_back({0, 1});
  check_triangulation({comb}, area, 1, 0);

  Contour spiral;
  for (int k = 0; k <= 60; ++k)
    spiral.push_back((1.0 + 0.1 * k) * Vector2d(std::cos(0.3 * k), std::sin(0.3 * k)));
  for (int k = 60; k >= 0; --k)
    spiral.push_back((0.7 + 0.1 * k) * Vector2d(std::cos(0.3 * k), std::sin(0.3 * k)));
  check_triangulation({spiral}, std::abs(signed_area(spiral)), 1, 0);

  std::vector<Contour> sieve{{{0, 0}, {6, 0}, {6, 6}, {0, 6}}};
  double covered = 36.0;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      sieve.push_back(circle({i + 1.0, j + 1.0}, 0.3, 4 + (i + j) % 3));
      covered -= signed_area(sieve.back());
    }
  check_triangulation(sieve, covered, 1, 25);
}

TEST_CASE("Random star-shaped outlines with a star-shaped hole are covered side by side")
{
  Random random(17);
  for (int trial = 0; trial < 200; ++trial) {
    Contour outer, hole;
    const int n = 3 + random.below(40), m = 3 + random.below(20);
    // Corners on a grid: many triples are exactly on one line.
    for (int k = 0; k < n; ++k) {
      const double radius = random.uniform(1.0, 3.0), angle = 2 * pi * (k + 0.25) / n;
      outer.emplace_back(std::round(64 * radius * std::cos(angle)) / 64,
                         std::round(64 * radius * std::sin(angle)) / 64);
    }
    for (int k = 0; k < m; ++k) {
      const double radius = random.uniform(0.1, 0.4), angle = 2 * pi * (k + 0.4) / m;
      hole.emplace_back(std::round(256 * radius * std::cos(angle)) / 256,
                        std::round(256 * radius * std::sin(angle)) / 256);
    }
    CAPTURE(trial);
    check_triangulation({outer, hole}, signed_area(outer) - signed_area(hole), 1, 1);
  }
}

TEST_CASE("A regular strip gets triangles without needles")
{
  Contour strip;
  for (int k = 0; k <= 20; ++k) strip.push_back({0.1 * k, 0.0});
  for (int k = 20; k >= 0; --k) strip.push_back({0.1 * k, 0.1});
  for (const Triangle& t : triangulate_outline(std::vector<Contour>{strip}))
    for (int k = 0; k < 3; ++k)  // all are halves of squares
      CHECK((strip[t[k]] - strip[t[(k + 1) % 3]]).norm() < 0.1415);
}

TEST_CASE("Outlines that cross, touch or fold back are refused with the place")
{
  const auto message =
      "outline: the sides that start at the corners 0 and 2, near (0, 0), cross or touch";
  CHECK_THROWS_WITH_AS(triangulate_outline(std::vector<Contour>{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}),
                       message, Error);
  const Contour square{{0, 0}, {4, 0}, {4, 4}, {0, 4}};
  CHECK_THROWS_AS(triangulate_outline(std::vector<Contour>{square, {{1, 1}, {5, 1}, {1, 2}}}),
                  Error);
  CHECK_THROWS_AS(triangulate_outline(std::vector<Contour>{square, {{1, 1}, {4, 1}, {1, 2}}}),
                  Error);
  CHECK_THROWS_AS(triangulate_outline(std::vector<Contour>{{{0, 0}, {2, 0}, {1, 0}, {1, 1}}}),
                  Error);
  CHECK_THROWS_WITH_AS(triangulate_outline(std::vector<Contour>{{{0, 0}, {1, 0}}}),
                       "outline: contour 0 has 2 corners, expected at least 3", Error);
}

}  // namespace
}  // namespace tact
