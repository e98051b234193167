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
  std::vector<IntersectingPair> pairs;          // in ascending order; the first of them if too many
  long count = 0;                               // of pairs that intersect, kept or not
  bool complete = true;                         // whether all were looked at
  std::vector<TriangleOfSurface> without_area;  // not tested, as they are no triangles
  long candidates = 0;                          // pairs with overlapping boxes that were tested
};

// All intersections within and between some surfaces that have passed validate(). Two triangles
// with the same three vertices count as intersecting. The same input gives the same answer in the
// same order.
IntersectionReport intersecting_pairs(std::span<const TriMesh> surfaces);
IntersectionReport intersecting_pairs(const TriMesh& surface);

// For meshes from anywhere: a face of 30,000 corners may have a hundred million pairs, which nobody
// wants to have listed. Keeps the first hundred, and counts no further than a million.
IntersectionReport first_intersecting_pairs(const TriMesh& surface);

}  // namespace tact
