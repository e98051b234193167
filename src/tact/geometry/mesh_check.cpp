#include <tact/geometry/mesh_check.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Geometry>

#include <tact/core/union_find.hpp>
#include <tact/geometry/predicates.hpp>

namespace tact {
namespace {

class SpreadOf {
 public:
  void add(double x)
  {
    spread_.least = std::min(spread_.least, x);
    spread_.greatest = std::max(spread_.greatest, x);
    sum_ += x;
    ++count_;
  }

  Spread result() const
  {
    return count_ == 0 ? Spread{0.0, 0.0, 0.0}
                       : Spread{spread_.least, sum_ / count_, spread_.greatest};
  }

 private:
  Spread spread_;
  double sum_ = 0.0;
  int count_ = 0;
};

bool has_three_corners(const Triangle& t)
{
  return t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
}

// Adds each element that equals an earlier one, by its place in `keys`.
template <class Key>
Offenders<int> repeated(const std::vector<Key>& keys)
{
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return keys[i] != keys[j] ? keys[i] < keys[j] : i < j; });
  std::vector<int> later;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (keys[order[k]] == keys[order[k - 1]]) later.push_back(order[k]);
  std::sort(later.begin(), later.end());
  Offenders<int> offenders;
  for (const int i : later) offenders.add(i);
  return offenders;
}

Offenders<int> duplicate_vertices(const std::vector<Vector3d>& positions)
{
  std::vector<std::array<double, 3>> keys;
  keys.reserve(positions.size());
  for (const Vector3d& p : positions) keys.push_back({p[0], p[1], p[2]});
  return repeated(keys);
}

Offenders<int> duplicate_triangles(std::vector<Triangle> triangles)
{
  for (Triangle& t : triangles) std::sort(t.begin(), t.end());
  return repeated(triangles);
}

int corner_at(const Triangle& t, int vertex)
{
  return t[0] == vertex ? 0 : (t[1] == vertex ? 1 : 2);
}

bool runs_upwards(const Triangle& t, const Edge& edge)
{
  return t[(corner_at(t, edge[0]) + 1) % 3] == edge[1];
}

void check_edges(const std::vector<Triangle>& triangles, const SurfaceTopology& topology,
                 SurfaceCheck& result)
{
  for (int e = 0; e < static_cast<int>(topology.edges.size()); ++e) {
    const auto sharing = topology.edge_triangles[e];
    const Edge& edge = topology.edges[e];
    if (sharing.size() == 1) result.boundary_edges.add(edge);
    if (sharing.size() > 2) result.overfull_edges.add(edge);
    if (sharing.size() == 2 &&
        runs_upwards(triangles[sharing[0]], edge) == runs_upwards(triangles[sharing[1]], edge))
      result.mismatched_edges.add(edge);
  }
}

// Corners that meet at an edge belong to one fan. A vertex with c corners and m such mergers has
// c - m fans.
void check_fans(const std::vector<Triangle>& triangles, const SurfaceTopology& topology,
                SurfaceCheck& result)
{
  UnionFind fans(3 * static_cast<int>(triangles.size()));
  std::vector<int> fan_count;
  for (int v = 0; v < topology.vertex_triangles.size(); ++v)
    fan_count.push_back(static_cast<int>(topology.vertex_triangles[v].size()));
  for (int e = 0; e < static_cast<int>(topology.edges.size()); ++e) {
    const auto sharing = topology.edge_triangles[e];
    for (std::size_t k = 1; k < sharing.size(); ++k) {
      for (const int v : topology.edges[e]) {
        const int here = 3 * sharing[k] + corner_at(triangles[sharing[k]], v);
        const int there = 3 * sharing[0] + corner_at(triangles[sharing[0]], v);
        if (fans.merge(here, there)) --fan_count[v];
      }
    }
  }
  for (int v = 0; v < topology.vertex_triangles.size(); ++v) {
    if (fan_count[v] == 0) result.unused_vertices.add(v);
    if (fan_count[v] > 1) result.pinched_vertices.add(v);
  }
}

int count_components(int used_vertices, int vertex_count, const std::vector<Triangle>& triangles)
{
  UnionFind pieces(vertex_count);
  int components = used_vertices;
  for (const Triangle& t : triangles)
    components -= pieces.merge(t[0], t[1]) + pieces.merge(t[1], t[2]);
  return components;
}

// Triangles that name a vertex twice have no place in the topology.
void check_topology(const TriMesh& mesh, SurfaceCheck& result)
{
  std::vector<Triangle> triangles;
  std::copy_if(mesh.triangles.begin(), mesh.triangles.end(), std::back_inserter(triangles),
               has_three_corners);
  const SurfaceTopology topology = build_topology(mesh.vertex_count(), triangles);
  check_edges(triangles, topology, result);
  check_fans(triangles, topology, result);
  const int used = mesh.vertex_count() - result.unused_vertices.count;
  result.edges = static_cast<int>(topology.edges.size());
  result.euler = used - result.edges + static_cast<int>(triangles.size());
  result.components = count_components(used, mesh.vertex_count(), triangles);
  SpreadOf lengths;
  for (const Edge& e : topology.edges)
    lengths.add((mesh.positions[e[0]] - mesh.positions[e[1]]).norm());
  result.edge_length = lengths.result();
}

// sqrt(3)/2 of the longest edge over the shortest altitude, which is twice the area over that edge.
double aspect(const std::array<Vector3d, 3>& corners)
{
  const auto& [a, b, c] = corners;
  const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  return 0.5 * std::sqrt(3.0) * longest * longest / (b - a).cross(c - a).norm();
}

// sqrt(2/3) of the longest edge over the shortest altitude, three volumes over the largest face.
double aspect(const std::array<Vector3d, 4>& x)
{
  double longest = 0.0, largest_face = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) longest = std::max(longest, (x[i] - x[j]).norm());
    const Vector3d& a = x[(i + 1) % 4];
    const Vector3d n = (x[(i + 2) % 4] - a).cross(x[(i + 3) % 4] - a);
    largest_face = std::max(largest_face, 0.5 * n.norm());
  }
  return std::sqrt(2.0 / 3.0) * longest * largest_face / (3.0 * std::abs(volume(x)));
}

}  // namespace

SurfaceCheck check(const TriMesh& mesh)
{
  SurfaceCheck result;
  result.vertices = mesh.vertex_count();
  result.triangles = mesh.triangle_count();
  result.box = bounding_box(mesh.positions);
  result.area = area(mesh);
  result.volume = volume(mesh);
  result.duplicate_vertices = duplicate_vertices(mesh.positions);
  result.duplicate_triangles = duplicate_triangles(mesh.triangles);
  check_topology(mesh, result);
  result.intersections = first_intersecting_pairs(mesh);

  SpreadOf aspects;
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    const auto corners = mesh.corners(t);
    if (collinear(corners[0], corners[1], corners[2]))
      result.triangles_without_area.add(t);
    else
      aspects.add(aspect(corners));
  }
  result.aspect = aspects.result();
  return result;
}

TetCheck check(const TetMesh& mesh)
{
  TetCheck result;
  result.vertices = mesh.vertex_count();
  result.tetrahedra = mesh.tetrahedron_count();
  result.volume = volume(mesh);
  for (const Triangle& face : overfull_faces(mesh)) result.overfull_faces.add(face);
  for (const int t : inverted_tetrahedra(mesh)) result.inverted.add(t);
  result.surface = check(compact(mesh.positions, boundary_faces(mesh)).mesh);

  std::vector<char> used(mesh.positions.size(), 0);
  SpreadOf volumes, lengths, aspects;
  for (int t = 0; t < mesh.tetrahedron_count(); ++t) {
    const auto corners = mesh.corners(t);
    const double v = volume(corners);
    volumes.add(v);
    if (v != 0.0) aspects.add(aspect(corners));
    for (int i = 0; i < 4; ++i) {
      used[mesh.tetrahedra[t][i]] = 1;
      for (int j = i + 1; j < 4; ++j) lengths.add((corners[i] - corners[j]).norm());
    }
  }
  for (int i = 0; i < mesh.vertex_count(); ++i)
    if (!used[i]) result.unused_vertices.add(i);
  result.tetrahedron_volume = volumes.result();
  result.edge_length = lengths.result();
  result.aspect = aspects.result();
  return result;
}

}  // namespace tact
