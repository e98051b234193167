#include <tact/run/frame_surfaces.hpp>

#include <algorithm>

namespace tact {
namespace {

bool is_obstacle(const RecordingHeader& header, int body)
{
  return header.bodies[body].kind == "obstacle";
}

TriMesh surface_in(const RecordedBody& body, const Frame& frame)
{
  const auto first = frame.vertices.begin() + body.first_vertex;
  return {.positions = {first, first + body.vertex_count}, .triangles = body.triangles};
}

// `bodies`: whose surfaces these are.
void add_pairs(const RecordingHeader& header, std::span<const TriMesh> surfaces,
               std::span<const int> bodies, FramePenetration& sum)
{
  const IntersectionReport found = intersecting_pairs(surfaces);
  for (IntersectingPair pair : found.pairs) {
    const double depth = reach_through(surfaces[pair.a.surface].corners(pair.a.triangle),
                                       surfaces[pair.b.surface].corners(pair.b.triangle));
    pair.a.surface = bodies[pair.a.surface];
    pair.b.surface = bodies[pair.b.surface];
    if (is_obstacle(header, pair.a.surface) && is_obstacle(header, pair.b.surface)) continue;
    if (header.may_overlap(pair.a.surface, pair.b.surface)) continue;
    if (sum.pairs++ == 0) sum.first.push_back(pair);
    sum.depth = std::max(sum.depth, depth);
  }
  for (TriangleOfSurface flat : found.without_area) {
    flat.surface = bodies[flat.surface];
    if (!is_obstacle(header, flat.surface)) sum.without_area.push_back(flat);
  }
}

}  // namespace

FramePenetration penetration(const RecordingHeader& header, const Frame& frame)
{
  std::vector<TriMesh> surfaces;
  std::vector<int> bodies;
  for (const RecordedBody& body : header.bodies) {
    bodies.push_back(static_cast<int>(surfaces.size()));
    surfaces.push_back(surface_in(body, frame));
  }
  FramePenetration sum;
  add_pairs(header, surfaces, bodies, sum);
  return sum;
}

FramePenetration self_penetration(const RecordingHeader& header, const Frame& frame,
                                  std::span<const int> bodies)
{
  FramePenetration sum;
  for (const int body : bodies) {
    const TriMesh surface = surface_in(header.bodies[body], frame);
    add_pairs(header, std::span(&surface, 1), std::span(&body, 1), sum);
  }
  return sum;
}

}  // namespace tact
