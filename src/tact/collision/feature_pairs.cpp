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

// Whether boxes meet, of what stands still and of what moves.
struct StillTest {
  static bool meet(const Box& a_start, const Box& /*a_end*/, const Box& b_start,
                   const Box& /*b_end*/)
  {
    return overlap(a_start, b_start);
  }
};
struct MovingTest {
  static bool meet(const Box& a_start, const Box& a_end, const Box& b_start, const Box& b_end)
  {
    return tact::meet({a_start, a_end}, {b_start, b_end});
  }
};

template <class Test>
void add_vertices(const VertexBoxes& boxes, const TriangleFeatures& a, const MovingFeatures& b,
                  std::vector<VertexFacePair>& pairs)
{
  const TriangleFeatures& face = b.features;
  const std::span<const Box> ends = a.still ? boxes.starts() : boxes.ends();
  for (int k = 0; k < 3; ++k) {
    if (!(a.represented >> k & 1)) continue;
    const int vertex = a.corners[k];
    if (Test::meet(boxes.starts()[vertex], ends[vertex], face.start.triangle, b.end.triangle) &&
        !has_corner(face.corners, vertex))
      pairs.push_back({vertex, face.triangle});
  }
}

template <class Test>
void add_edges(const SurfaceSet& surfaces, const MovingFeatures& moving_a,
               const MovingFeatures& moving_b, std::vector<EdgeEdgePair>& pairs)
{
  const TriangleFeatures &a = moving_a.features, &b = moving_b.features;
  for (int i = 0; i < 3; ++i) {
    if (!represents_edge(a, i)) continue;
    for (int j = 0; j < 3; ++j) {
      if (!represents_edge(b, j) || !Test::meet(a.start.edges[i], moving_a.end.edges[i],
                                                b.start.edges[j], moving_b.end.edges[j]))
        continue;
      if (share_an_end(edge_of(a.corners, i), edge_of(b.corners, j))) continue;
      const int e = surfaces.edges_of(a.triangle)[i], f = surfaces.edges_of(b.triangle)[j];
      pairs.push_back({std::min(e, f), std::max(e, f)});
    }
  }
}

template <class Test>
void add_pairs_by(const SurfaceSet& surfaces, const VertexBoxes& boxes, const MovingFeatures& a,
                  const MovingFeatures& b, FeaturePairs& pairs)
{
  add_vertices<Test>(boxes, a.features, b, pairs.vertex_face);
  add_vertices<Test>(boxes, b.features, a, pairs.vertex_face);
  add_edges<Test>(surfaces, a, b, pairs.edge_edge);
}

void set_feature_boxes(std::span<const Box> vertex_boxes, const TriangleFeatures& features,
                       FeatureBoxes& boxes)
{
  const auto& [a, b, c] = features.corners;
  const Box ab = merged(vertex_boxes[a], vertex_boxes[b]);
  boxes.triangle = merged(ab, vertex_boxes[c]);
  boxes.edges[0] = ab;
  if (represents_edge(features, 1)) boxes.edges[1] = merged(vertex_boxes[b], vertex_boxes[c]);
  if (represents_edge(features, 2)) boxes.edges[2] = merged(vertex_boxes[c], vertex_boxes[a]);
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

void load_features(const SurfaceSet& surfaces, const VertexBoxes& vertex_boxes, int triangle,
                   bool still, TriangleFeatures& features, FeatureBoxes& end)
{
  features.triangle = triangle;
  features.corners = surfaces.triangles()[triangle];
  features.represented = surfaces.represented(triangle);
  features.still = still;
  set_feature_boxes(vertex_boxes.starts(), features, features.start);
  if (!still) set_feature_boxes(vertex_boxes.ends(), features, end);
}

void add_pairs(const SurfaceSet& surfaces, const VertexBoxes& vertex_boxes, const MovingFeatures& a,
               const MovingFeatures& b, FeaturePairs& pairs)
{
  if (a.features.still && b.features.still)
    add_pairs_by<StillTest>(surfaces, vertex_boxes, a, b, pairs);
  else
    add_pairs_by<MovingTest>(surfaces, vertex_boxes, a, b, pairs);
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
