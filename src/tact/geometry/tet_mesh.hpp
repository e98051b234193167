// Tetrahedral meshes: the rest shape of soft solids.
#pragma once

#include <array>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

using Tetrahedron = std::array<int, 4>;  // the fourth on the normal's side of the first three

struct TetMesh {
  std::vector<Vector3d> positions;  // m
  std::vector<Tetrahedron> tetrahedra;

  int vertex_count() const { return static_cast<int>(positions.size()); }
  int tetrahedron_count() const { return static_cast<int>(tetrahedra.size()); }

  std::array<Vector3d, 4> corners(int tetrahedron) const
  {
    const Tetrahedron& t = tetrahedra[tetrahedron];
    return {positions[t[0]], positions[t[1]], positions[t[2]], positions[t[3]]};
  }
};

// Throws Error unless all coordinates are finite and all corners name a vertex.
void validate(const TetMesh& mesh);

double volume(const std::array<Vector3d, 4>& corners);  // m^3, signed
double volume(const TetMesh& mesh);                     // the sum of the signed volumes

// Those whose exact volume is negative or zero, in ascending order.
std::vector<int> inverted_tetrahedra(const TetMesh& mesh);

// The faces that only one tetrahedron has, facing outwards where tetrahedra are not inverted, in
// the order of the tetrahedra. Vertices are those of the mesh; `compact` renumbers them.
std::vector<Triangle> boundary_faces(const TetMesh& mesh);

// Faces that more than two tetrahedra claim, each once: none in a sound mesh.
std::vector<Triangle> overfull_faces(const TetMesh& mesh);

}  // namespace tact
