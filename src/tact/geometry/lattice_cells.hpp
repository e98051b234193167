// Inner parts of fit_lattice: which cells of a lattice a surface touches, and how full they are.
#pragma once

#include <array>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

using Cell = std::array<int, 3>;

// count[0] x count[1] x count[2] cubes, numbered with x running fastest.
struct CellGrid {
  Vector3d low = Vector3d::Zero();  // m, corner of the cell {0, 0, 0}
  double size = 0.0;                // m, side of a cell
  Cell count{};

  int cells() const { return count[0] * count[1] * count[2]; }
  int number(const Cell& c) const { return c[0] + count[0] * (c[1] + count[1] * c[2]); }
  Cell cell(int number) const
  {
    return {number % count[0], number / count[0] % count[1], number / (count[0] * count[1])};
  }
  bool holds(const Cell& c) const
  {
    for (int k = 0; k < 3; ++k)
      if (c[k] < 0 || c[k] >= count[k]) return false;
    return true;
  }
  // In cells from the low corner, along one axis.
  double place(double x, int axis) const { return (x - low[axis]) / size; }
};

// The share of each of the six tetrahedra of each cell (numbered as in kuhn.hpp) that is inside of
// a closed surface: 0 outside, exactly 1 in the depth. Measured along parallel lines, the square of
// `lines` through each cell (fewer where the lattice is so fine that they would be more than a few
// million): exact along a line and, with 16, to about 0.01 in all. A point is inside where the
// surface winds around it a positive number of times.
std::vector<std::array<double, 6>> fill_of_cells(const TriMesh& closed, const CellGrid& grid,
                                                 int lines = 16);

// For each cell: does a triangle reach its inside (by 1e-9 of its size or more)?
std::vector<bool> touched_cells(const TriMesh& surface, const CellGrid& grid);

}  // namespace tact
