// The rotations nearest to a SIMD group of 3 x 3 matrices, one matrix a lane: the rotational part
// of deformation gradients, for co-rotational elements.
#pragma once

#include <tact/linalg/lanes.hpp>

namespace tact {

// One 3 x 3 matrix a lane: F[row][column]. (No std::array: GCC would drop may_alias of Lanes
// there.)
struct Matrix3Lanes {
  Lanes rows[3][3] = {};

  Lanes* operator[](int row) { return rows[row]; }
  const Lanes* operator[](int row) const { return rows[row]; }
};

// The R that maximises tr(R' F) over rotations: the polar factor of F where det F > 0. It depends
// on F of its own lane alone, to the last bit: neither on an earlier R nor on the other lanes.
//
// Inverted and flat matrices give a rotation too: the nearest one where it is unique, and one of
// the nearest otherwise (F of rank 0 or 1, or inverted with equal smaller singular values). R is
// orthonormal to 1e-14. F must be finite.
[[nodiscard]] Matrix3Lanes nearest_rotation(const Matrix3Lanes& F);

}  // namespace tact
