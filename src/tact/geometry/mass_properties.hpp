// Mass, centre and inertia of solids of uniform density.
#pragma once

#include <tact/core/types.hpp>
#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

struct MassProperties {
  double mass = 0.0;                    // kg
  Vector3d centre = Vector3d::Zero();   // m
  Matrix3d inertia = Matrix3d::Zero();  // kg m^2 about the centre, in the axes of the mesh
};

// Of the solid that a closed, outward surface bounds, or of the union of tetrahedra. Exact but for
// rounding, wherever the solid lies: moments are taken about its own centre. `density` in kg/m^3.
// Throws Error unless the volume is positive: the surface is open, flat or inside out.
MassProperties mass_properties(const TriMesh& surface, double density);
MassProperties mass_properties(const TetMesh& solid, double density);

}  // namespace tact
