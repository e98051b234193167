// What collision detection sees: triangle surfaces that move, not bodies.
//
// Surfaces are added once. Their vertices, edges and triangles are numbered through, one surface
// after the other, so that a pair of features is a pair of integers. Positions are not kept here:
// they come in anew for each step, as one MovingVertex a vertex.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include <tact/collision/ccd_batch.hpp>
#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

struct SurfaceOptions {
  bool self = false;   // may touch itself: cloth and soft bodies; rigid ones cannot
  bool fixed = false;  // two fixed surfaces are never tested against each other
};

// A run of numbers, `last` excluded.
struct IndexRange {
  int first = 0;
  int last = 0;

  int size() const { return last - first; }
};

struct Surface {
  IndexRange vertices, edges, triangles;
  SurfaceOptions options;
};

// Which corners and edges a triangle represents: bits 0 to 2 for corner k, bits 3 to 5 for the edge
// from corner k to corner k + 1. Each vertex and each edge has one representative, the first of its
// triangles. A pair of features is looked at where the representatives meet, and nowhere else.
using Represented = std::uint8_t;

class SurfaceSet {
 public:
  // Triangles name vertices 0 to vertex_count - 1 of this surface; a vertex that none names takes
  // no part. Returns the surface's number. Throws Error on a corner that is no vertex and on a
  // triangle that names a vertex twice.
  int add(std::span<const Triangle> triangles, int vertex_count,
          const SurfaceOptions& options = {});
  int add(const TriMesh& mesh, const SurfaceOptions& options = {});

  // Pairs between these two are not wanted. Throws Error for surfaces that do not exist.
  void leave_out(int surface_a, int surface_b);

  int vertex_count() const { return vertex_count_; }
  int edge_count() const { return static_cast<int>(edges_.size()); }
  int triangle_count() const { return static_cast<int>(triangles_.size()); }

  std::span<const Surface> surfaces() const { return surfaces_; }
  std::span<const Edge> edges() const { return edges_; }
  std::span<const Triangle> triangles() const { return triangles_; }
  const std::array<int, 3>& edges_of(int triangle) const { return triangle_edges_[triangle]; }
  Represented represented(int triangle) const { return represented_[triangle]; }

  // Whether pairs between two surfaces, or within one, are wanted.
  bool tested(int surface_a, int surface_b) const;

 private:
  void assign_representatives(const Surface& surface);

  std::vector<Surface> surfaces_;
  std::vector<Edge> edges_;
  std::vector<Triangle> triangles_;
  std::vector<std::array<int, 3>> triangle_edges_;
  std::vector<Represented> represented_;
  std::set<std::array<int, 2>> left_out_;  // the smaller number first
  int vertex_count_ = 0;
};

// The vertices of all surfaces in one list. Throws Error unless both lists are equally long and all
// coordinates are finite.
std::vector<MovingVertex> moving_vertices(std::span<const Vector3d> start,
                                          std::span<const Vector3d> end);
std::vector<MovingVertex> vertices_at_rest(std::span<const Vector3d> positions);

}  // namespace tact
