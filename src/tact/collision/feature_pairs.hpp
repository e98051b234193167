// Pairs of features that may touch: what the broad phase hands on.
#pragma once

#include <array>
#include <compare>
#include <span>
#include <vector>

#include <tact/collision/surface_set.hpp>
#include <tact/collision/vertex_boxes.hpp>

namespace tact {

struct VertexFacePair {
  int vertex = 0;
  int triangle = 0;

  auto operator<=>(const VertexFacePair&) const = default;
};

struct EdgeEdgePair {
  int edge_a = 0;  // the smaller number
  int edge_b = 0;

  auto operator<=>(const EdgeEdgePair&) const = default;
};

// Every pair once, in ascending order. Features that share a vertex are no pair.
struct FeaturePairs {
  std::vector<VertexFacePair> vertex_face;
  std::vector<EdgeEdgePair> edge_edge;

  std::size_t size() const { return vertex_face.size() + edge_edge.size(); }
  bool operator==(const FeaturePairs&) const = default;
  void clear();
};

// Vertices in the order of CcdQuery.
VertexQuad vertices_of(const SurfaceSet& surfaces, const VertexFacePair& pair);
VertexQuad vertices_of(const SurfaceSet& surfaces, const EdgeEdgePair& pair);

// Boxes of a triangle and of those of its edges that it represents; the others are not set.
struct FeatureBoxes {
  Box triangle;
  std::array<Box, 3> edges;
};

// What a triangle brings into its pairs. Where it ends is kept apart: in what stands still, which
// is most, it would only be in the way.
struct TriangleFeatures {
  int triangle = 0;
  Triangle corners{};
  Represented represented = 0;
  bool still = false;
  FeatureBoxes start;
};

void load_features(const SurfaceSet& surfaces, const VertexBoxes& vertex_boxes, int triangle,
                   bool still, TriangleFeatures& features, FeatureBoxes& end);

// A triangle as it enters a comparison.
struct MovingFeatures {
  const TriangleFeatures& features;
  const FeatureBoxes& end;
};

// Adds, in any order, the pairs of two different triangles that these represent and whose boxes
// meet. On the average a triangle represents half a vertex and one and a half edges, so that
// 3.25 of the 15 pairs of two triangles are looked at.
void add_pairs(const SurfaceSet& surfaces, const VertexBoxes& vertex_boxes, const MovingFeatures& a,
               const MovingFeatures& b, FeaturePairs& pairs);

// All pairs of several lists in ascending order. Linear: pairs go into one bucket for each first
// feature, and the few of a bucket are sorted. Keeps its memory from call to call.
class PairSorter {
 public:
  void sort(std::span<const FeaturePairs* const> parts, const SurfaceSet& surfaces,
            FeaturePairs& sorted);

 private:
  std::vector<int> vertex_buckets_, edge_buckets_;
};

}  // namespace tact
