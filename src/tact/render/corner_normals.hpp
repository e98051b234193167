// Normals for smooth shading that leave sharp edges sharp.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/geometry/tri_mesh.hpp>

namespace tact {

using CornerNormals = std::array<Eigen::Vector3f, 3>;  // of length 1

// For each corner of each triangle the mean of the normals around its vertex, weighted by the
// angles there (Thuermer and Wuethrich 1998: independent of how a flat face is cut into triangles),
// of those triangles whose normals are within the crease angle of its own. A triangle without area
// gets the normal (0, 1, 0) and does not count for its neighbours.
std::vector<CornerNormals> corner_normals(std::span<const Vector3d> vertices,
                                          std::span<const Triangle> triangles,
                                          double crease_degrees);

}  // namespace tact
