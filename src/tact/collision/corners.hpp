// Corners: which faces of a mesh form a union of half-spaces for a point near it. [Egan03]
//
// A point that moves by at most `reach` stays in the ball B around it. Where the solid is convex in
// B, what is free there is the union of the half-spaces in front of the faces that meet B: whoever
// leaves the solid inside of B does so through such a face. So the group has
//   - every face within reach, also one that the point is behind of and will never touch: it ends
//     the face beside it, which would go on for ever without it (fig. 8);
//   - nothing else. One face alone is a plain contact plane (fig. 5): near the middle of a face
//     nothing more is needed.
// Faces that meet along a reflex edge, or not at all, bound different parts of the solid. Each part
// has a group, and all groups are to hold.
//
// Faces are flat pieces of the surface, not triangles. Smooth surfaces have no corners in this
// sense: where more faces are near than `max_sides`, the nearest plane has to do.
//
// Unions forget the way: a point may end beyond a thin edge that it has not gone around. Continuous
// detection finds this, and a plain contact prevents it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// The flat pieces of a closed mesh and the edges between them. Built once; bodies may then move as
// long as they stay rigid.
class FlatFaces {
 public:
  // Two triangles are in one face where the angle between them is at most `flat` rad.
  explicit FlatFaces(const TriMesh& mesh, double flat = 1e-6);

  struct Crease {
    Edge vertices;
    int face_a = 0, face_b = 0;
    bool convex = true;  // else reflex
  };

  int size() const { return static_cast<int>(largest_triangle_.size()); }
  std::span<const Triangle> triangles() const { return triangles_; }
  int face_of(int triangle) const { return face_of_[triangle]; }
  // The first face with a triangle that has all these vertices, one to three; -1 where none has.
  int face_with(std::span<const int> vertices) const;
  // Its plane is that of the face: the least rounding.
  int largest_triangle(int face) const { return largest_triangle_[face]; }
  std::span<const int> creases_of(int face) const { return creases_of_[face]; }
  const Crease& crease(int index) const { return creases_[index]; }

 private:
  void merge_triangles(const TriMesh& mesh, const SurfaceTopology& topology, double flat);
  void find_creases(const TriMesh& mesh, const SurfaceTopology& topology);

  std::vector<Triangle> triangles_;
  Incidence triangles_of_;  // of each vertex
  std::vector<int> face_of_;
  std::vector<int> largest_triangle_;
  std::vector<Crease> creases_;
  Incidence creases_of_;
};

struct CornerSide {
  int face = 0;
  int triangle = 0;               // of the face; its plane is meant, not its area
  std::array<double, 3> weights;  // of its corners: the foot of the point; add up to 1, may be < 0
  Vector3d normal;                // unit, outwards
  double gap = 0.0;               // m: of the point from the plane, negative behind it
};

// Of the sides at least one is to hold; one side is a plain contact.
struct Corner {
  std::vector<CornerSide> sides;  // by the number of the face
};

struct CornerOptions {
  double reach = 0.0;  // m: how far the point may move, and the distance to be kept
  int max_sides = 8;   // more faces than that are taken for a smooth surface
};

// All corners that a point has to keep to, each part of the mesh within reach once; none where
// nothing is. `positions` are those of the vertices now. A part that the point is behind of in all
// its faces is on the other side of a thin solid, and left out, unless there is no other.
std::vector<Corner> corners_near(const FlatFaces& faces, std::span<const Vector3d> positions,
                                 const Vector3d& point, const CornerOptions& options);

// The same, looking at some triangles only, which must include all that are within reach.
std::vector<Corner> corners_near(const FlatFaces& faces, std::span<const Vector3d> positions,
                                 std::span<const int> triangles, const Vector3d& point,
                                 const CornerOptions& options);

// The same, but only what hangs together with one face along edges within reach, and without
// looking at any triangle: for a point that is known to be near that face.
std::vector<Corner> corners_around(const FlatFaces& faces, std::span<const Vector3d> positions,
                                   int face, const Vector3d& point, const CornerOptions& options);

struct VertexCorners {
  int vertex = 0;
  std::vector<Corner> corners;
};

// Every vertex of one mesh, or of cloth, against the faces of another. For two polytopes call it
// twice, with the roles exchanged.
std::vector<VertexCorners> corners_of_vertices(std::span<const Vector3d> vertices,
                                               const FlatFaces& faces,
                                               std::span<const Vector3d> positions,
                                               const CornerOptions& options);

}  // namespace tact
