#include <tact/collision/surface_set.hpp>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

void require_triangles(std::span<const Triangle> triangles, int vertex_count)
{
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    for (const int corner : {a, b, c})
      if (corner < 0 || corner >= vertex_count)
        throw Error(fmt::format("collision surface: triangle {}: found vertex {}, expected 0 to {}",
                                t, corner, vertex_count - 1));
    if (a == b || b == c || c == a)
      throw Error(fmt::format(
          "collision surface: triangle {}: found corners {}, {}, {}, expected three vertices", t, a,
          b, c));
  }
}

}  // namespace

int SurfaceSet::add(std::span<const Triangle> triangles, int vertex_count,
                    const SurfaceOptions& options)
{
  require_triangles(triangles, vertex_count);
  const SurfaceTopology topology = build_topology(vertex_count, triangles);
  const int vertex = vertex_count_, edge = edge_count();
  Surface surface{.vertices = {vertex, vertex + vertex_count},
                  .edges = {edge, edge + static_cast<int>(topology.edges.size())},
                  .triangles = {triangle_count(), 0},
                  .options = options};
  for (const auto& [a, b] : topology.edges) edges_.push_back({vertex + a, vertex + b});
  for (const auto& [a, b, c] : triangles)
    triangles_.push_back({vertex + a, vertex + b, vertex + c});
  for (const auto& [a, b, c] : topology.triangle_edges)
    triangle_edges_.push_back({edge + a, edge + b, edge + c});
  surface.triangles.last = triangle_count();
  vertex_count_ += vertex_count;
  assign_representatives(surface);
  surfaces_.push_back(surface);
  return static_cast<int>(surfaces_.size()) - 1;
}

int SurfaceSet::add(const TriMesh& mesh, const SurfaceOptions& options)
{
  return add(mesh.triangles, mesh.vertex_count(), options);
}

void SurfaceSet::assign_representatives(const Surface& surface)
{
  std::vector<bool> vertex_has_one(surface.vertices.size(), false);
  std::vector<bool> edge_has_one(surface.edges.size(), false);
  represented_.resize(surface.triangles.last, 0);
  for (int t = surface.triangles.first; t < surface.triangles.last; ++t) {
    unsigned bits = 0;
    for (int k = 0; k < 3; ++k) {
      const int vertex = triangles_[t][k] - surface.vertices.first;
      const int edge = triangle_edges_[t][k] - surface.edges.first;
      if (!vertex_has_one[vertex]) bits |= 1u << k;
      if (!edge_has_one[edge]) bits |= 8u << k;
      vertex_has_one[vertex] = edge_has_one[edge] = true;
    }
    represented_[t] = static_cast<Represented>(bits);
  }
}

void SurfaceSet::leave_out(int surface_a, int surface_b)
{
  const int count = static_cast<int>(surfaces_.size());
  for (const int surface : {surface_a, surface_b})
    if (surface < 0 || surface >= count)
      throw Error(fmt::format("collision: found surface {}, expected 0 to {}", surface, count - 1));
  left_out_.insert({std::min(surface_a, surface_b), std::max(surface_a, surface_b)});
}

bool SurfaceSet::tested(int surface_a, int surface_b) const
{
  const SurfaceOptions& a = surfaces_[surface_a].options;
  if (surface_a == surface_b) return a.self;
  if (!left_out_.empty() &&
      left_out_.contains({std::min(surface_a, surface_b), std::max(surface_a, surface_b)}))
    return false;
  return !(a.fixed && surfaces_[surface_b].options.fixed);
}

std::vector<MovingVertex> moving_vertices(std::span<const Vector3d> start,
                                          std::span<const Vector3d> end)
{
  if (start.size() != end.size())
    throw Error(fmt::format("collision: {} vertices at the start of the step, but {} at its end",
                            start.size(), end.size()));
  std::vector<MovingVertex> vertices;
  vertices.reserve(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (!start[i].allFinite() || !end[i].allFinite())
      throw Error(fmt::format("collision: vertex {} has a coordinate that is not finite", i));
    vertices.emplace_back(start[i], end[i]);
  }
  return vertices;
}

std::vector<MovingVertex> vertices_at_rest(std::span<const Vector3d> positions)
{
  return moving_vertices(positions, positions);
}

}  // namespace tact
