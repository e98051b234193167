#include <tact/collision/feature_pairs.hpp>

#include <algorithm>
#include <array>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>

namespace tact {
namespace {

constexpr int buckets_per_task = 4096;

int bucket_of(const VertexFacePair& pair)
{
  return pair.vertex;
}
int bucket_of(const EdgeEdgePair& pair)
{
  return pair.edge_a;
}

bool has_corner(const Triangle& t, int vertex)
{
  return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

bool share_an_end(const Edge& a, const Edge& b)
{
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

Edge edge_of(const Triangle& corners, int k)
{
  return {corners[k], corners[k == 2 ? 0 : k + 1]};
}

bool represents_edge(const TriangleFeatures& triangle, int k)
{
  return triangle.represented >> (3 + k) & 1;
}

void add_vertices(std::span<const SweptBox> boxes, const TriangleFeatures& a,
                  const TriangleFeatures& face, std::vector<VertexFacePair>& pairs)
{
  for (int k = 0; k < 3; ++k) {
    if (!(a.represented >> k & 1)) continue;
    const int vertex = a.corners[k];
    if (overlap(boxes[vertex], face.box) && !has_corner(face.corners, vertex))
      pairs.push_back({vertex, face.triangle});
  }
}

void add_edges(const SurfaceSet& surfaces, const TriangleFeatures& a, const TriangleFeatures& b,
               std::vector<EdgeEdgePair>& pairs)
{
  for (int i = 0; i < 3; ++i) {
    if (!represents_edge(a, i)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!represents_edge(b, j) || !overlap(a.edge_boxes[i], b.edge_boxes[j])) continue;
      if (share_an_end(edge_of(a.corners, i), edge_of(b.corners, j))) continue;
      const int e = surfaces.edges_of(a.triangle)[i], f = surfaces.edges_of(b.triangle)[j];
      pairs.push_back({std::min(e, f), std::max(e, f)});
    }
  }
}

template <class Pair>
void sort_by_bucket(std::span<const FeaturePairs* const> parts,
                    std::vector<Pair> FeaturePairs::*list, int bucket_count,
                    std::vector<int>& buckets, std::vector<Pair>& sorted)
{
  // While pairs are handed out, buckets[b + 1] is the place of the next pair of bucket b; in the
  // end it is where bucket b + 1 starts.
  buckets.assign(bucket_count + 2, 0);
  for (const FeaturePairs* part : parts)
    for (const Pair& pair : part->*list) ++buckets[bucket_of(pair) + 2];
  for (int b = 2; b < bucket_count + 2; ++b) buckets[b] += buckets[b - 1];
  sorted.resize(buckets.back());
  for (const FeaturePairs* part : parts)
    for (const Pair& pair : part->*list) sorted[buckets[bucket_of(pair) + 1]++] = pair;
  tbb::parallel_for(tbb::blocked_range<int>(0, bucket_count, buckets_per_task),
                    [&](const tbb::blocked_range<int>& run) {
                      for (int b = run.begin(); b != run.end(); ++b)
                        std::sort(sorted.begin() + buckets[b], sorted.begin() + buckets[b + 1]);
                    });
}

}  // namespace

void FeaturePairs::clear()
{
  vertex_face.clear();
  edge_edge.clear();
}

VertexQuad vertices_of(const SurfaceSet& surfaces, const VertexFacePair& pair)
{
  const auto& [f0, f1, f2] = surfaces.triangles()[pair.triangle];
  return {pair.vertex, f0, f1, f2};
}

VertexQuad vertices_of(const SurfaceSet& surfaces, const EdgeEdgePair& pair)
{
  const auto& [a0, a1] = surfaces.edges()[pair.edge_a];
  const auto& [b0, b1] = surfaces.edges()[pair.edge_b];
  return {a0, a1, b0, b1};
}

void load_features(const SurfaceSet& surfaces, std::span<const SweptBox> vertex_boxes, int triangle,
                   TriangleFeatures& features)
{
  features.triangle = triangle;
  features.corners = surfaces.triangles()[triangle];
  features.represented = surfaces.represented(triangle);
  const auto& [a, b, c] = features.corners;
  const SweptBox ab = merged(vertex_boxes[a], vertex_boxes[b]);
  features.box = merged(ab, vertex_boxes[c]);
  features.edge_boxes[0] = ab;
  if (represents_edge(features, 1))
    features.edge_boxes[1] = merged(vertex_boxes[b], vertex_boxes[c]);
  if (represents_edge(features, 2))
    features.edge_boxes[2] = merged(vertex_boxes[c], vertex_boxes[a]);
}

void add_pairs(const SurfaceSet& surfaces, std::span<const SweptBox> vertex_boxes,
               const TriangleFeatures& a, const TriangleFeatures& b, FeaturePairs& pairs)
{
  add_vertices(vertex_boxes, a, b, pairs.vertex_face);
  add_vertices(vertex_boxes, b, a, pairs.vertex_face);
  add_edges(surfaces, a, b, pairs.edge_edge);
}

void PairSorter::sort(std::span<const FeaturePairs* const> parts, const SurfaceSet& surfaces,
                      FeaturePairs& sorted)
{
  tbb::parallel_invoke(
      [&] {
        sort_by_bucket(parts, &FeaturePairs::vertex_face, surfaces.vertex_count(), vertex_buckets_,
                       sorted.vertex_face);
      },
      [&] {
        sort_by_bucket(parts, &FeaturePairs::edge_edge, surfaces.edge_count(), edge_buckets_,
                       sorted.edge_edge);
      });
}

}  // namespace tact
