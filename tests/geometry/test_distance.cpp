#include <tact/geometry/distance.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <tact/geometry/aabb.hpp>

#include "exact.hpp"
#include "families.hpp"

namespace tact {
namespace {

constexpr double u = 0x1.0p-53;

double largest_difference(const FourPoints& x)
{
  return box_of(x[0], x[1], x[2], x[3]).extent().maxCoeff();
}

// What holds for every answer: weights in [0, 1] that add up to 1 for each feature, points and
// difference that agree with them.
bool is_consistent(const ClosestPoints& c, const FourPoints& x, int vertices_of_a)
{
  double sum_a = 0.0, sum_b = 0.0, size = 0.0;
  Vector3d on_a = Vector3d::Zero(), on_b = Vector3d::Zero();
  bool within = true, positive = true;
  for (int i = 0; i < 4; ++i) {
    within = within && c.weights[i] >= 0.0 && c.weights[i] <= 1.0;
    positive = positive && c.weights[i] > 0.0;
    (i < vertices_of_a ? sum_a : sum_b) += c.weights[i];
    (i < vertices_of_a ? on_a : on_b) += c.weights[i] * x[i];
    size = std::max(size, x[i].cwiseAbs().maxCoeff());
  }
  const double rounding = 8 * u * size;  // three products and sums of numbers up to `size`
  return within && (positive || !c.interior) && std::abs(sum_a - 1.0) <= 4 * u &&
         std::abs(sum_b - 1.0) <= 4 * u && (on_a - c.on_a).cwiseAbs().maxCoeff() <= rounding &&
         (on_b - c.on_b).cwiseAbs().maxCoeff() <= rounding &&
         (c.on_a - c.on_b - c.difference).cwiseAbs().maxCoeff() <= 2 * rounding &&
         c.squared_distance == c.difference.squaredNorm();
}

ClosestPoints vertex_face(const FourPoints& x)
{
  return closest_vertex_face(x[0], x[1], x[2], x[3]);
}

ClosestPoints edge_edge(const FourPoints& x)
{
  return closest_edge_edge(x[0], x[1], x[2], x[3]);
}

// Largest error of the distance in units of u L, over all families.
template <class Closest, class Exact>
void compare_with_rationals(Closest closest, Exact exact_squared, int vertices_of_a, int count)
{
  for (const Family& family : families()) {
    CAPTURE(family.name);
    Random random(7);
    double worst = 0.0;
    int inconsistent = 0;
    for (int k = 0; k < count; ++k) {
      const FourPoints x = family.draw(random);
      const ClosestPoints found = closest(x);
      const double distance = exact::sqrt(exact_squared(x[0], x[1], x[2], x[3]));
      const double error = std::abs(std::sqrt(found.squared_distance) - distance);
      const double allowed = u * largest_difference(x);
      if (error > 0.0) worst = std::max(worst, error / allowed);
      if (!is_consistent(found, x, vertices_of_a)) ++inconsistent;
    }
    CHECK(worst <= 16.0);  // the bound that the header states
    CHECK(inconsistent == 0);
  }
}

TEST_CASE("Vertex and face: the distance is that of rational arithmetic to 16 u L")
{
  compare_with_rationals(vertex_face, exact::squared_distance_vertex_face, 1, 500);
}

TEST_CASE("Edge and edge: the distance is that of rational arithmetic to 16 u L")
{
  compare_with_rationals(edge_edge, exact::squared_distance_edge_edge, 2, 500);
}

TEST_SUITE("slow")
{
  TEST_CASE("Distances are those of rational arithmetic to 16 u L, ten times as often")
  {
    compare_with_rationals(vertex_face, exact::squared_distance_vertex_face, 1, 5000);
    compare_with_rationals(edge_edge, exact::squared_distance_edge_edge, 2, 5000);
  }
}

TEST_CASE("No sampled pair of points is closer than the closest points")
{
  const int n = 20;
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const FourPoints x = family::uniform(random);
    const double face = vertex_face(x).squared_distance;
    const double edges = edge_edge(x).squared_distance;
    double nearest_on_face = 1e300, nearest_on_edges = 1e300;
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        const double s = double(i) / n, t = double(j) / n;
        const Vector3d between_edges = (1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3];
        nearest_on_edges = std::min(nearest_on_edges, between_edges.squaredNorm());
        if (i + j > n) continue;
        const Vector3d to_face = x[0] - ((1 - s - t) * x[1] + s * x[2] + t * x[3]);
        nearest_on_face = std::min(nearest_on_face, to_face.squaredNorm());
      }
    }
    CHECK(face <= nearest_on_face * (1 + 1e-14));
    CHECK(edges <= nearest_on_edges * (1 + 1e-14));
    // Half a cell away at most: cells are 1/n of edges no longer than 2 sqrt(3).
    CHECK(std::sqrt(face) >= std::sqrt(nearest_on_face) - 2 * std::sqrt(3.0) / n);
    CHECK(std::sqrt(edges) >= std::sqrt(nearest_on_edges) - 2 * std::sqrt(3.0) / n);
  }
}

TEST_CASE("A vertex over each of the seven regions of a face finds that region")
{
  const Vector3d f0(0, 0, 0), f1(4, 0, 0), f2(0, 4, 0);
  const auto weights = [&](double x, double y) {
    const ClosestPoints c = closest_vertex_face({x, y, 3}, f0, f1, f2);
    return Vector3d(c.weights[1], c.weights[2], c.weights[3]);
  };
  CHECK(weights(1, 1) == Vector3d(0.5, 0.25, 0.25));
  CHECK(weights(-1, -1) == Vector3d(1, 0, 0));
  CHECK(weights(6, -1) == Vector3d(0, 1, 0));
  CHECK(weights(-1, 6) == Vector3d(0, 0, 1));
  CHECK(weights(1, -1) == Vector3d(0.75, 0.25, 0));
  CHECK(weights(-1, 1) == Vector3d(0.75, 0, 0.25));
  CHECK(weights(3, 3) == Vector3d(0, 0.5, 0.5));
}

TEST_CASE("A vertex of the face is at distance exactly 0, and its weight is exactly 1")
{
  Random random(11);
  for (int k = 0; k < 1000; ++k) {
    const FourPoints x = family::uniform(random);
    for (int i = 1; i < 4; ++i) {
      const ClosestPoints c = closest_vertex_face(x[i], x[1], x[2], x[3]);
      CHECK(c.squared_distance == 0.0);
      CHECK(c.weights[i] == 1.0);
      CHECK(c.on_b == x[i]);
    }
  }
}

TEST_CASE("Edges with a common end are at distance 0 to rounding")
{
  Random random(12);
  for (int k = 0; k < 1000; ++k) {
    const FourPoints x = family::uniform(random);
    const double rounding = 16 * u * largest_difference(x);
    const auto distance = [&](int a0, int a1, int b0, int b1) {
      return std::sqrt(closest_edge_edge(x[a0], x[a1], x[b0], x[b1]).squared_distance);
    };
    CHECK(distance(0, 1, 1, 2) <= rounding);
    CHECK(distance(0, 1, 0, 2) <= rounding);
    CHECK(distance(0, 1, 2, 1) <= rounding);
    CHECK(distance(0, 1, 2, 0) <= rounding);
  }
}

TEST_CASE("Edges: crossing, parallel, collinear and without length")
{
  const Vector3d o(0, 0, 0), x(1, 0, 0);
  const ClosestPoints crossing = closest_edge_edge(o, x, {0.25, -1, 2}, {0.25, 3, 2});
  CHECK(crossing.interior);
  CHECK(crossing.weights == std::array{0.75, 0.25, 0.75, 0.25});
  CHECK(crossing.difference == Vector3d(0, 0, -2));

  const ClosestPoints parallel = closest_edge_edge(o, x, {0.5, 0, 2}, {3, 0, 2});
  CHECK_FALSE(parallel.interior);
  CHECK(parallel.squared_distance == 4.0);

  const ClosestPoints apart = closest_edge_edge(o, x, {3, 0, 0}, {5, 0, 0});
  CHECK(apart.squared_distance == 4.0);
  CHECK(apart.weights == std::array{0.0, 1.0, 1.0, 0.0});

  CHECK(closest_edge_edge(o, x, {0.5, 0, 0}, {5, 0, 0}).squared_distance == 0.0);
  CHECK(closest_edge_edge(o, x, {0.5, 1, 0}, {0.5, 1, 0}).squared_distance == 1.0);
  CHECK(closest_edge_edge({0.5, 1, 0}, {0.5, 1, 0}, o, x).squared_distance == 1.0);
  CHECK(closest_edge_edge(o, o, x, x).squared_distance == 1.0);
}

}  // namespace
}  // namespace tact
