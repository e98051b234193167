#include <tact/sim/world_surfaces.hpp>

namespace tact {
namespace {

constexpr double level = 1e-6;  // sine of the angle by which a triangle may lean over

std::vector<std::array<int, 2>> vertices_across(const SurfaceSet& set)
{
  std::vector<std::array<int, 2>> across(set.edge_count(), {-1, -1});
  for (int t = 0; t < set.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      std::array<int, 2>& sides = across[set.edges_of(t)[k]];
      (sides[0] < 0 ? sides[0] : sides[1]) = set.triangles()[t][(k + 2) % 3];
    }
  return across;
}

// Whether a triangle of the edge from p to q rises towards `direction`.
bool rises(const std::array<int, 2>& across, const Vector3d& p, const Vector3d& q,
           const Vector3d& direction, std::span<const Vector3d> x)
{
  const Vector3d along = (q - p).normalized();
  for (const int vertex : across) {
    if (vertex < 0) continue;
    const Vector3d arm = x[vertex] - p;
    const Vector3d into = arm - along * along.dot(arm);  // from the edge into the triangle
    if (direction.dot(into) > level * into.norm()) return true;
  }
  return false;
}

}  // namespace

bool is_nearest_on_surfaces(const Contact& edges, const WorldSurfaces& surfaces,
                            std::span<const Vector3d> x)
{
  const VertexQuad& v = edges.vertices;
  return !rises(surfaces.across[edges.b], x[v[2]], x[v[3]], edges.normal, x) &&
         !rises(surfaces.across[edges.a], x[v[0]], x[v[1]], -edges.normal, x);
}

WorldSurfaces surfaces_of(const World& world)
{
  WorldSurfaces surfaces;
  surfaces.body_of.reserve(world.vertex_count());
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    surfaces.set.add(body.triangles(), body.vertex_count(),
                     {.self = body.self_collision(), .fixed = body.node_count() == 0});
    surfaces.body_of.insert(surfaces.body_of.end(), body.vertex_count(), i);
  }
  surfaces.across = vertices_across(surfaces.set);
  return surfaces;
}

}  // namespace tact
