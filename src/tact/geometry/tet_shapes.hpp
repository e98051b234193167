// Round solids of tetrahedra, made by rule: centred on the origin, with the y axis as their axis.
//
// Both are built from layers around a centre, not by bending a box: where a box has edges, a bent
// one has flat tetrahedra that only get flatter as it is refined. Here the worst aspect (see
// mesh_check.hpp) stays below 3.5 for a ball and, where layers are about as high as rings are wide,
// below 4.5 for a cylinder, at any refinement.
#pragma once

#include <tact/geometry/tet_mesh.hpp>

namespace tact {

// All throw Error for lengths that are not positive or counts out of range (1 to 200).

// An icosahedron whose 20 tetrahedra around the centre are cut into layers^3 each, with every layer
// on a sphere of its own: 20 layers^3 tetrahedra, 20 layers^2 triangles on the sphere.
TetMesh make_tet_ball(double radius, int layers);

// Rings of 6, 12, 18, ... vertices around the axis, stacked in layers: 18 rings^2 layers
// tetrahedra.
TetMesh make_tet_cylinder(double radius, double height, int rings, int layers);

// A box of bricks of five tetrahedra each, a regular one in the middle of each cube and four at its
// corners; neighbours are mirror images, so that faces match. (make_tet_box of shapes.hpp has six.)
TetMesh make_five_tet_box(const Vector3d& size, const std::array<int, 3>& cells);

}  // namespace tact
