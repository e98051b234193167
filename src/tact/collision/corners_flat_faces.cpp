// The flat pieces of a mesh.
#include <algorithm>

#include <Eigen/Geometry>

#include <tact/collision/corners.hpp>
#include <tact/core/union_find.hpp>

namespace tact {
namespace {

Vector3d area_vector(std::span<const Vector3d> positions, const Triangle& triangle)
{
  const Vector3d& x0 = positions[triangle[0]];
  return (positions[triangle[1]] - x0).cross(positions[triangle[2]] - x0);
}

// The corner of a triangle that is not on the edge.
int opposite_corner(const Triangle& triangle, const Edge& edge)
{
  for (const int corner : triangle)
    if (corner != edge[0] && corner != edge[1]) return corner;
  return triangle[0];
}

}  // namespace

FlatFaces::FlatFaces(const TriMesh& mesh, double flat) : triangles_(mesh.triangles)
{
  validate(mesh);
  const SurfaceTopology topology = build_topology(mesh);
  merge_triangles(mesh, topology, flat);
  find_creases(mesh, topology);
  triangles_of_ = topology.vertex_triangles;
}

int FlatFaces::face_with(std::span<const int> vertices) const
{
  for (const int t : triangles_of_[vertices.front()]) {
    const Triangle& corners = triangles_[t];
    if (std::all_of(vertices.begin(), vertices.end(), [&](int vertex) {
          return std::find(corners.begin(), corners.end(), vertex) != corners.end();
        }))
      return face_of_[t];
  }
  return -1;
}

void FlatFaces::merge_triangles(const TriMesh& mesh, const SurfaceTopology& topology, double flat)
{
  UnionFind pieces(mesh.triangle_count());
  std::vector<Vector3d> normals;
  for (const Triangle& triangle : triangles_)
    normals.push_back(area_vector(mesh.positions, triangle).normalized());
  for (int e = 0; e < topology.edge_triangles.size(); ++e) {
    const auto around = topology.edge_triangles[e];
    if (around.size() != 2) continue;
    const Vector3d &a = normals[around[0]], &b = normals[around[1]];
    if (a.dot(b) > 0.0 && a.cross(b).norm() <= flat) pieces.merge(around[0], around[1]);
  }
  std::vector<int> face_of_root(mesh.triangle_count(), -1);
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    int& face = face_of_root[pieces.root(t)];
    if (face < 0) {
      face = size();
      largest_triangle_.push_back(t);
    }
    face_of_.push_back(face);
    const auto area = [&](int triangle) {
      return area_vector(mesh.positions, triangles_[triangle]).norm();
    };
    if (area(t) > area(largest_triangle_[face])) largest_triangle_[face] = t;
  }
}

void FlatFaces::find_creases(const TriMesh& mesh, const SurfaceTopology& topology)
{
  std::vector<std::vector<int>> of_face(size());
  for (int e = 0; e < topology.edge_triangles.size(); ++e) {
    const auto around = topology.edge_triangles[e];
    if (around.size() != 2 || face_of_[around[0]] == face_of_[around[1]]) continue;
    Crease crease{topology.edges[e], face_of_[around[0]], face_of_[around[1]]};
    const Triangle& plane = triangles_[around[0]];
    const int beyond = opposite_corner(triangles_[around[1]], crease.vertices);
    const Vector3d across = mesh.positions[beyond] - mesh.positions[crease.vertices[0]];
    crease.convex = area_vector(mesh.positions, plane).dot(across) < 0.0;
    of_face[crease.face_a].push_back(static_cast<int>(creases_.size()));
    of_face[crease.face_b].push_back(static_cast<int>(creases_.size()));
    creases_.push_back(crease);
  }
  for (const std::vector<int>& list : of_face) {
    creases_of_.items.insert(creases_of_.items.end(), list.begin(), list.end());
    creases_of_.start.push_back(static_cast<int>(creases_of_.items.size()));
  }
}

}  // namespace tact
