#include <tact/collision/crossings.hpp>

#include <algorithm>

#include <tact/collision/broad_phase.hpp>
#include <tact/collision/pair_chunks.hpp>

namespace tact {
namespace {

Crossing crossing_of(const VertexFacePair& pair, const VertexQuad& quad, double time)
{
  return {CcdKind::vertex_face, pair.vertex, pair.triangle, quad, time};
}

Crossing crossing_of(const EdgeEdgePair& pair, const VertexQuad& quad, double time)
{
  return {CcdKind::edge_edge, pair.edge_a, pair.edge_b, quad, time};
}

template <class Pair>
void find_meetings(CcdKind kind, const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                   std::span<const Pair> pairs, std::vector<Crossing>& crossings)
{
  const auto answer = [&](std::span<const Pair> chunk, std::span<const VertexQuad> quads,
                          std::vector<Crossing>& found) {
    std::vector<BatchContact> contacts;
    contact_batch({kind, vertices, quads}, contacts);
    for (const BatchContact& c : contacts)
      found.push_back(crossing_of(chunk[c.pair], quads[c.pair], c.contact.time));
  };
  answer_in_chunks(surfaces, pairs, answer, crossings);
}

}  // namespace

Crossings find_crossings(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         const FeaturePairs& pairs)
{
  Crossings crossings;
  find_meetings(CcdKind::vertex_face, surfaces, vertices, std::span(pairs.vertex_face),
                crossings.pairs);
  find_meetings(CcdKind::edge_edge, surfaces, vertices, std::span(pairs.edge_edge),
                crossings.pairs);
  for (const Crossing& crossing : crossings.pairs)
    crossings.first_time = std::min(crossings.first_time, crossing.time);
  return crossings;
}

Crossings find_crossings(const SurfaceSet& surfaces, std::span<const Vector3d> start,
                         std::span<const Vector3d> end)
{
  BroadPhase broad_phase(surfaces);
  const std::vector<MovingVertex> vertices = moving_vertices(start, end);
  return find_crossings(surfaces, vertices, broad_phase.find_pairs(vertices, 0.0));
}

}  // namespace tact
