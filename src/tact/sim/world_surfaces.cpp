#include <tact/sim/world_surfaces.hpp>

#include <algorithm>

#include <tact/geometry/aabb.hpp>

namespace tact {
namespace {

NumberLists triangles_at_vertices(const SurfaceSet& set)
{
  std::vector<std::array<int, 2>> pairs;
  pairs.reserve(3 * static_cast<std::size_t>(set.triangle_count()));
  for (int t = 0; t < set.triangle_count(); ++t)
    for (const int vertex : set.triangles()[t]) pairs.push_back({vertex, t});
  return {set.vertex_count(), pairs};
}

// Whether every edge of the surface has two triangles or more.
std::vector<char> closed_surfaces(const SurfaceSet& set)
{
  std::vector<int> triangles(set.edge_count(), 0);
  for (int t = 0; t < set.triangle_count(); ++t)
    for (const int edge : set.edges_of(t)) ++triangles[edge];
  std::vector<char> closed;
  for (const Surface& surface : set.surfaces()) {
    const auto first = triangles.begin() + surface.edges.first;
    const auto last = triangles.begin() + surface.edges.last;
    closed.push_back(std::all_of(first, last, [](int count) { return count >= 2; }));
  }
  return closed;
}

}  // namespace

NumberLists::NumberLists(int lists, std::span<const std::array<int, 2>> pairs)
    : first_(static_cast<std::size_t>(lists) + 1, 0), numbers_(pairs.size())
{
  for (const auto& [list, number] : pairs) ++first_[list + 1];
  for (int list = 0; list < lists; ++list) first_[list + 1] += first_[list];
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (const auto& [list, number] : pairs) numbers_[next[list]++] = number;
}

WorldSurfaces surfaces_of(const World& world)
{
  WorldSurfaces surfaces;
  surfaces.body_of.reserve(world.vertex_count());
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    surfaces.set.add(body.triangles(), body.vertex_count(),
                     {.self = body.self_collision(), .fixed = body.node_count() == 0});
    surfaces.deforms.push_back(body.deforms() ? 1 : 0);
    surfaces.body_of.insert(surfaces.body_of.end(), body.vertex_count(), i);
  }
  for (const Joint& joint : world.joints())
    if (!joint.collide && joint.a.body >= 0 && joint.b.body >= 0)
      surfaces.set.leave_out(joint.a.body, joint.b.body);
  std::vector<Vector3d> x;
  place_surfaces(world, world.start(), x);
  for (int i = 0, first = 0; i < world.body_count(); first += world.body(i++).vertex_count())
    surfaces.extent.push_back(
        bounding_box(std::span(x).subspan(first, world.body(i).vertex_count())).extent().norm());
  surfaces.triangles_at = triangles_at_vertices(surfaces.set);
  surfaces.solid = closed_surfaces(surfaces.set);
  return surfaces;
}

}  // namespace tact
