#include <tact/geometry/tri_mesh.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// Room for counts[i] items in list i.
Incidence with_room_for(std::span<const int> counts)
{
  Incidence lists;
  lists.start.resize(counts.size() + 1);
  std::inclusive_scan(counts.begin(), counts.end(), lists.start.begin() + 1);
  lists.items.resize(lists.start.back());
  return lists;
}

// owners[3 t + k] names the list that triangle t belongs to by its corner or edge k.
Incidence triangles_by_owner(int list_count, std::span<const int> owners)
{
  std::vector<int> counts(list_count, 0);
  for (const int owner : owners) ++counts[owner];
  Incidence lists = with_room_for(counts);
  std::vector<int> next(lists.start.begin(), lists.start.end() - 1);
  for (std::size_t place = 0; place < owners.size(); ++place)
    lists.items[next[owners[place]]++] = static_cast<int>(place / 3);
  return lists;
}

struct HalfEdge {
  int high;   // the larger vertex of the edge
  int place;  // 3 t + k: from corner k of triangle t to corner k + 1
};

// Fills `edges` and returns the edge at each place. Half-edges go into one bucket for each smaller
// vertex, and the few in a bucket are sorted.
std::vector<int> number_edges(int vertex_count, std::span<const Triangle> triangles,
                              std::vector<Edge>& edges)
{
  const auto ends = [&](int place) {
    const Triangle& t = triangles[place / 3];
    const int from = t[place % 3], to = t[(place + 1) % 3];
    return std::pair(std::min(from, to), std::max(from, to));
  };
  const int places = 3 * static_cast<int>(triangles.size());
  std::vector<int> counts(vertex_count, 0);
  for (int place = 0; place < places; ++place) ++counts[ends(place).first];
  const Incidence buckets = with_room_for(counts);

  std::vector<int> next(buckets.start.begin(), buckets.start.end() - 1);
  std::vector<HalfEdge> half_edges(places);
  for (int place = 0; place < places; ++place) {
    const auto [low, high] = ends(place);
    half_edges[next[low]++] = {high, place};
  }

  std::vector<int> edge_at(places);
  for (int low = 0; low < vertex_count; ++low) {
    const auto first = half_edges.begin() + buckets.start[low];
    const auto last = half_edges.begin() + buckets.start[low + 1];
    std::sort(first, last, [](const HalfEdge& x, const HalfEdge& y) {
      return x.high != y.high ? x.high < y.high : x.place < y.place;
    });
    for (auto half = first; half != last; ++half) {
      if (half == first || half->high != (half - 1)->high) edges.push_back({low, half->high});
      edge_at[half->place] = static_cast<int>(edges.size()) - 1;
    }
  }
  return edge_at;
}

}  // namespace

void validate(const TriMesh& mesh)
{
  for (int i = 0; i < mesh.vertex_count(); ++i)
    if (!mesh.positions[i].allFinite())
      throw Error(fmt::format("triangle mesh: vertex {} has a coordinate that is not finite", i));
  for (int t = 0; t < mesh.triangle_count(); ++t)
    for (const int corner : mesh.triangles[t])
      if (corner < 0 || corner >= mesh.vertex_count())
        throw Error(fmt::format("triangle mesh: triangle {}: found vertex {}, expected 0 to {}", t,
                                corner, mesh.vertex_count() - 1));
}

Aabb bounding_box(std::span<const Vector3d> positions)
{
  Aabb box;
  for (const Vector3d& p : positions) box.add(p);
  return box;
}

double area(const TriMesh& mesh)
{
  double twice = 0.0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto [a, b, c] = mesh.corners(t);
    twice += (b - a).cross(c - a).norm();
  }
  return 0.5 * twice;
}

double volume(const TriMesh& mesh)
{
  if (mesh.positions.empty()) return 0.0;
  const Vector3d origin = bounding_box(mesh.positions).centre();  // a far one costs digits
  double sixfold = 0.0;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto [a, b, c] = mesh.corners(t);
    sixfold += (a - origin).dot((b - origin).cross(c - origin));
  }
  return sixfold / 6.0;
}

SurfaceTopology build_topology(int vertex_count, std::span<const Triangle> triangles)
{
  SurfaceTopology topology;
  const std::vector<int> edge_at = number_edges(vertex_count, triangles, topology.edges);
  std::vector<int> corner_at;
  corner_at.reserve(edge_at.size());
  topology.triangle_edges.reserve(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    corner_at.insert(corner_at.end(), triangles[t].begin(), triangles[t].end());
    topology.triangle_edges.push_back({edge_at[3 * t], edge_at[3 * t + 1], edge_at[3 * t + 2]});
  }
  const int edge_count = static_cast<int>(topology.edges.size());
  topology.vertex_triangles = triangles_by_owner(vertex_count, corner_at);
  topology.edge_triangles = triangles_by_owner(edge_count, edge_at);
  for (int e = 0; e < edge_count; ++e)
    if (topology.edge_triangles[e].size() == 1) topology.boundary_edges.push_back(e);
  return topology;
}

SurfaceTopology build_topology(const TriMesh& mesh)
{
  return build_topology(mesh.vertex_count(), mesh.triangles);
}

TriMesh welded(const TriMesh& mesh)
{
  std::vector<int> order(mesh.positions.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) {
    const Vector3d& p = mesh.positions[i];
    return std::tuple(p[0], p[1], p[2]);
  };
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return key(i) != key(j) ? key(i) < key(j) : i < j; });
  std::vector<int> first_there(mesh.positions.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool repeats = k > 0 && key(order[k]) == key(order[k - 1]);
    first_there[order[k]] = repeats ? first_there[order[k - 1]] : order[k];
  }

  TriMesh result;
  std::vector<int> new_vertex(mesh.positions.size());
  for (int i = 0; i < mesh.vertex_count(); ++i) {
    if (first_there[i] == i) {
      new_vertex[i] = result.vertex_count();
      result.positions.push_back(mesh.positions[i]);
    } else {
      new_vertex[i] = new_vertex[first_there[i]];
    }
  }
  result.triangles.reserve(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles)
    result.triangles.push_back({new_vertex[a], new_vertex[b], new_vertex[c]});
  return result;
}

CompactSurface compact(std::span<const Vector3d> positions, std::span<const Triangle> triangles)
{
  constexpr int unused = -1;
  std::vector<int> new_vertex(positions.size(), unused);
  for (const Triangle& t : triangles)
    for (const int corner : t) new_vertex[corner] = 0;

  CompactSurface surface;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (new_vertex[i] == unused) continue;
    new_vertex[i] = surface.mesh.vertex_count();
    surface.old_vertex.push_back(static_cast<int>(i));
    surface.mesh.positions.push_back(positions[i]);
  }
  surface.mesh.triangles.reserve(triangles.size());
  for (const Triangle& t : triangles)
    surface.mesh.triangles.push_back({new_vertex[t[0]], new_vertex[t[1]], new_vertex[t[2]]});
  return surface;
}

}  // namespace tact
