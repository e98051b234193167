#include <tact/collision/limits.hpp>

#include <array>

#include <tact/collision/pair_chunks.hpp>

namespace tact {
namespace {

Limit limit_of(const VertexFacePair& pair, const VertexQuad& quad, const SafeTime& safe)
{
  return {CcdKind::vertex_face, pair.vertex, pair.triangle, quad, safe};
}

Limit limit_of(const EdgeEdgePair& pair, const VertexQuad& quad, const SafeTime& safe)
{
  return {CcdKind::edge_edge, pair.edge_a, pair.edge_b, quad, safe};
}

template <class Pair>
void add_limits(CcdKind kind, const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                std::span<const Pair> pairs, double separation, std::vector<Limit>& limits)
{
  const auto answer = [&](std::span<const Pair> chunk, std::span<const VertexQuad> quads,
                          std::vector<Limit>& found) {
    std::vector<BatchSafeTime> times;
    safe_time_batch({kind, vertices, quads}, separation, times);
    for (const BatchSafeTime& t : times)
      found.push_back(limit_of(chunk[t.pair], quads[t.pair], t.safe));
  };
  answer_in_chunks(surfaces, pairs, answer, limits);
}

template <class Pair>
void add_pairs_within(CcdKind kind, const SurfaceSet& surfaces,
                      std::span<const MovingVertex> vertices, std::span<const Pair> pairs,
                      double distance, std::vector<Pair>& kept)
{
  const auto answer = [&](std::span<const Pair> chunk, std::span<const VertexQuad> quads,
                          std::vector<Pair>& near) {
    std::array<int, pairs_per_chunk> survivors;
    const int count = filter_separation_batch({kind, vertices, quads}, distance, survivors);
    for (int s = 0; s < count; ++s) near.push_back(chunk[survivors[s]]);
  };
  answer_in_chunks(surfaces, pairs, answer, kept);
}

}  // namespace

FeaturePairs pairs_within(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                          const FeaturePairs& pairs, double distance)
{
  FeaturePairs kept;
  add_pairs_within(CcdKind::vertex_face, surfaces, vertices, std::span(pairs.vertex_face), distance,
                   kept.vertex_face);
  add_pairs_within(CcdKind::edge_edge, surfaces, vertices, std::span(pairs.edge_edge), distance,
                   kept.edge_edge);
  return kept;
}

std::vector<Limit> find_limits(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                               const FeaturePairs& pairs, double separation)
{
  std::vector<Limit> limits;
  add_limits(CcdKind::vertex_face, surfaces, vertices, std::span(pairs.vertex_face), separation,
             limits);
  add_limits(CcdKind::edge_edge, surfaces, vertices, std::span(pairs.edge_edge), separation,
             limits);
  return limits;
}

Contact contact_at_limit(std::span<const MovingVertex> vertices, const Limit& limit)
{
  std::array<Vector3d, 4> x;
  for (int i = 0; i < 4; ++i) {
    const MovingVertex& vertex = vertices[limit.vertices[i]];
    for (int k = 0; k < 3; ++k)
      x[i][k] = vertex.start[k] + limit.safe.time * (vertex.end[k] - vertex.start[k]);
  }
  Contact contact = contact_of_corners(limit.kind, x);
  contact.a = limit.a;
  contact.b = limit.b;
  contact.vertices = limit.vertices;
  return contact;
}

}  // namespace tact
