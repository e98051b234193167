// Meshes made by rule, for scenes and tests. All are closed (but for the cloth), face outwards, are
// centred on the origin and have the y axis as their axis.
#pragma once

#include <span>

#include <tact/core/types.hpp>
#include <tact/geometry/outline.hpp>
#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// Each function throws Error for sizes that are not positive or counts too small to close the
// shape. Lengths are in metres.

// Every side divided into n x n squares of two triangles.
TriMesh make_box(const Vector3d& size, int n = 1);

// An icosahedron whose triangles are split into four `subdivisions` times (20 x 4^k triangles, at
// most 8), with vertices on the sphere.
TriMesh make_icosphere(double radius, int subdivisions);

// Each triangle cut into four by the middles of its edges; edge e of the topology (tri_mesh.hpp)
// gets the new vertex old count + e.
TriMesh subdivided(const TriMesh& mesh);

// `segments` around; caps are fans around one vertex in their middle.
TriMesh make_cylinder(double radius, double height, int segments, int rings = 1);

// A cylinder of this height between two half spheres of `rings` rings each.
TriMesh make_capsule(double radius, double height, int segments, int rings);

// Any body of revolution about y, from its profile: points (radius, y), the first and the last on
// the axis, in an order that has the body on the left: from the bottom up along the outside.
TriMesh make_lathe(std::span<const Vector2d> profile, int segments);

// A tube of radius `minor` around the circle of radius `major`.
TriMesh make_torus(double major, double minor, int around, int across);

// What lies inside of an odd number of the contours, in x and y, moved along z in layers: from
// -depth / 2 to depth / 2. Throws what triangulate_outline throws, too.
TriMesh make_extrusion(std::span<const Contour> contours, double depth, int layers = 1);

// nx x nz vertices in the plane y = 0 that face up; diagonals alternate, so that no direction is
// stiffer than its mirror image.
TriMesh make_cloth(double width, double depth, int nx, int nz);

// A box of cells[0] x cells[1] x cells[2] bricks of six tetrahedra each, with faces that match.
// Balls and cylinders of tetrahedra: tet_shapes.hpp.
TetMesh make_tet_box(const Vector3d& size, const std::array<int, 3>& cells);

}  // namespace tact
