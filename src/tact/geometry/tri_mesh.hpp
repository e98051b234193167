// Triangle surfaces and how their pieces hang together.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/aabb.hpp>

namespace tact {

using Edge = std::array<int, 2>;
using Triangle = std::array<int, 3>;  // counter-clockwise when seen from outside

struct TriMesh {
  std::vector<Vector3d> positions;  // m
  std::vector<Triangle> triangles;

  int vertex_count() const { return static_cast<int>(positions.size()); }
  int triangle_count() const { return static_cast<int>(triangles.size()); }

  std::array<Vector3d, 3> corners(int triangle) const
  {
    const Triangle& t = triangles[triangle];
    return {positions[t[0]], positions[t[1]], positions[t[2]]};
  }
};

// Throws Error unless all coordinates are finite and all corners name a vertex. Everything below
// relies on that; it does not ask for more (see mesh_check.hpp).
void validate(const TriMesh& mesh);

Aabb bounding_box(std::span<const Vector3d> positions);

double area(const TriMesh& mesh);

// By the divergence theorem; means something for closed, consistently oriented meshes only, and is
// negative when those are inside out.
double volume(const TriMesh& mesh);

// For each i, a list of integers: all lists in one array, one after the other.
struct Incidence {
  std::vector<int> start = {
      0};  // list i is items[start[i]] to items[start[i + 1]], the latter excluded
  std::vector<int> items;

  int size() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> operator[](int i) const
  {
    return {items.data() + start[i], items.data() + start[i + 1]};
  }
};

// Built once for a mesh; positions may then move as they like.
struct SurfaceTopology {
  std::vector<Edge> edges;                         // each once, its smaller vertex first, sorted
  std::vector<std::array<int, 3>> triangle_edges;  // edge k joins the corners k and k + 1 (mod 3)
  Incidence edge_triangles;                        // two on a manifold, one on its boundary
  Incidence vertex_triangles;
  std::vector<int> boundary_edges;  // those with one triangle
};

// Linear time but for the sorting of the edges of each vertex. Lists are in ascending order.
SurfaceTopology build_topology(int vertex_count, std::span<const Triangle> triangles);
SurfaceTopology build_topology(const TriMesh& mesh);

// The surface with vertices at equal places made one, the first of them, and the others dropped.
// For formats that store each triangle's corners apart. Triangles may lose their area by it.
TriMesh welded(const TriMesh& mesh);

// A surface with only the vertices that its triangles use, numbered in their old order.
struct CompactSurface {
  TriMesh mesh;
  std::vector<int> old_vertex;  // for each new vertex
};
CompactSurface compact(std::span<const Vector3d> positions, std::span<const Triangle> triangles);

}  // namespace tact
