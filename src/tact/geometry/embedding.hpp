// A fine surface that rides along in coarse tetrahedra.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// A point inside a tetrahedron: the sum of weights[k] times the position of node nodes[k].
struct Barycentric {
  std::array<int, 4> nodes{};
  std::array<double, 4> weights{};  // sum to 1, none negative (but for rounding)

  Vector3d at(std::span<const Vector3d> positions) const
  {
    return weights[0] * positions[nodes[0]] + weights[1] * positions[nodes[1]] +
           weights[2] * positions[nodes[2]] + weights[3] * positions[nodes[3]];
  }
};

struct EmbeddedSurface {
  std::vector<Triangle> triangles;
  std::vector<Barycentric> vertices;
};

// Finds the tetrahedron of every vertex, by a tree of boxes: about n log n. A vertex at the place
// of a node gets the weight 1 exactly. Throws Error when one lies outside of all tetrahedra, by
// more than 1e-9 of an altitude.
EmbeddedSurface embed(const TriMesh& surface, const TetMesh& solid);

// Tetrahedra around a closed surface: the cells of a regular lattice that touch its inside, six
// tetrahedra each, so that every vertex of the surface lies in one of them. The lattice is centred
// on the surface's box. Cells hang together by their faces wherever the surface is of one piece,
// thin parts included.
//
// A lattice does not see gaps narrower than a cell: what is in the same or in adjacent cells on
// both sides of a gap is glued. Where that matters, make the cell smaller.
struct Lattice {
  TetMesh solid;
  EmbeddedSurface surface;
  // For each tetrahedron the share of its volume that lies inside of the surface, in (0, 1]: to
  // about 0.01, and never below 0.001, so that every node has some mass.
  std::vector<double> fill;
};

// `cell` in m. Throws Error unless the surface is closed and faces outwards, and the lattice has at
// most ten million cells.
Lattice fit_lattice(const TriMesh& closed, double cell);

// The cell (m) with which fit_lattice makes about this many tetrahedra, 6 or more: the nearest that
// can be had. Cells come in whole layers, so that thin surfaces leave wide gaps between the numbers
// that they allow.
double lattice_cell(const TriMesh& closed, int tetrahedra);

}  // namespace tact
