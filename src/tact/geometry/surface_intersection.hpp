// All intersecting triangles of a set of surfaces: the proof that nothing penetrates anything.
//
// Exact, as the test of one pair is (triangle_intersection.hpp). Start states and recorded frames
// are judged by it.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include <tact/geometry/tri_mesh.hpp>

namespace tact {

struct TriangleOfSurface {
  int surface = 0;
  int triangle = 0;

  auto operator<=>(const TriangleOfSurface&) const = default;
};

struct IntersectingPair {
  TriangleOfSurface a, b;  // a < b

  auto operator<=>(const IntersectingPair&) const = default;
};

struct IntersectionReport {
  std::vector<IntersectingPair> pairs;          // in ascending order
  std::vector<TriangleOfSurface> without_area;  // not tested, as they are no triangles
  long candidates = 0;                          // pairs with overlapping boxes, all tested
};

// All intersections within and between some surfaces that have passed validate(). Two triangles
// with the same three vertices count as intersecting. The same input gives the same answer in the
// same order.
IntersectionReport intersecting_pairs(std::span<const TriMesh> surfaces);
IntersectionReport intersecting_pairs(const TriMesh& surface);

}  // namespace tact
