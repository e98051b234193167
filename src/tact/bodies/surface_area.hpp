// What drag needs to know of a surface. The air pulls each piece dA of it with
//   -drag (velocity - wind) dA
// whichever way it faces: a linear law, so a body feels it through moments of its area only.
#pragma once

#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// A third of the area of each triangle for each of its corners, m^2.
std::vector<double> vertex_areas(const TriMesh& surface);

struct AreaMoments {
  double area = 0.0;                   // m^2
  Vector3d first = Vector3d::Zero();   // int r dA, m^3
  Matrix3d second = Matrix3d::Zero();  // int r r' dA, m^4
};

// With r from `origin` and in the axes of the mesh. Exact: the integrands are quadratic.
AreaMoments area_moments(const TriMesh& surface, const Vector3d& origin);

}  // namespace tact
