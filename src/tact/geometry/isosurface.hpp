// The surface where a smooth function is zero, as a closed mesh: naive surface nets [Gibson98], one
// vertex a cell, moved onto the surface along the gradient and evenly spread over it.
//
//   S. F. F. Gibson: Constrained elastic surface nets. MICCAI 1998
#pragma once

#include <functional>

#include <tact/geometry/aabb.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

using ScalarField = std::function<double(const Vector3d&)>;  // negative inside

// Edges are about as long as `cell` (m), which must be small against the shape: where two parts of
// the surface pass through one cell they meet in its vertex. Throws Error where the inside reaches
// the border of the box, or there is none.
TriMesh make_isosurface(const ScalarField& field, const Aabb& box, double cell);

}  // namespace tact
