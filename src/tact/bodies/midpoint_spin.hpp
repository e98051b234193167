// The angular velocity w of a free body half-way through a step, in the body's axes:
//
//   K y = E' l + sigma x (E' u),   E = exp(h/2 y),   y = R_0' w = R_m' w
//
// Without drag K is the inertia, l the angular momentum at the end of the step seen in the axes at
// its start, and sigma = 0: the implicit midpoint rule I_m w = L. With drag, eliminating the linear
// velocity from the 6 x 6 step leaves the same equation with a stiffer K and the second vector u.
#pragma once

#include <tact/core/types.hpp>

namespace tact {

struct MidpointSpin {
  Matrix3d K = Matrix3d::Zero();      // kg m^2, symmetric positive definite
  Vector3d l = Vector3d::Zero();      // N m s
  Vector3d sigma = Vector3d::Zero();  // kg m
  Vector3d u = Vector3d::Zero();      // m/s
  double dt = 0.0;                    // s
};

// y in rad/s, to 1e-14 of |l| + |sigma| |u|, by Newton's method. A solution exists for any step (the
// equation maps a ball into itself), but where the body turns by several rad there may be more of
// them and Newton may jump between: then the step grows from 0 to dt in pieces, each starting from
// the last. Should that fail too, the spin at the start of the step is returned: finite, and good
// enough, since the momentum is kept whatever inertia half-way the step is taken with.
Vector3d solve(const MidpointSpin& spin);

}  // namespace tact
