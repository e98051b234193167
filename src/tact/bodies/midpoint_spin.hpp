// The angular velocity w of a free body half-way through a step, in the body's axes:
//
//   K y = E' l + sigma x (E' u),   E = exp(h/2 y),   y = R_0' w = R_m' w
//
// Without drag K is the inertia, l the angular momentum at the end of the step seen in the axes at
// its start, and sigma = 0: the implicit midpoint rule I_m w = L. With drag, eliminating the linear
// velocity from the 6 x 6 step leaves the same equation with a stiffer K and the second vector u.
//
// A spin that keeps its energy, too, is that of
//   K y = (l + exp(-h y) l) / 2
// since then the momentum in the body's axes changes by exp(-h y) l - l, which is perpendicular to
// (l + exp(-h y) l) / 2 = K y, so that l . K^-1 l stays. The inertia that takes y to the momentum
// m = E' l half-way is the nearest to K in the sense of BFGS:
//   K - (K y) (K y)' / (y . K y) + m m' / (y . m)
// It grows with the square of the turn, and what is pinned or hit while it turns by radians must
// not feel it. So beyond a tenth it is K, and only bodies that nothing touches keep their energy,
// by turn_freely().
#pragma once

#include <Eigen/Geometry>

#include <tact/core/types.hpp>

namespace tact {

struct MidpointSpin {
  Matrix3d K = Matrix3d::Zero();      // kg m^2, symmetric positive definite
  Vector3d l = Vector3d::Zero();      // N m s
  Vector3d sigma = Vector3d::Zero();  // kg m
  Vector3d u = Vector3d::Zero();      // m/s
  double dt = 0.0;                    // s
};

// y in rad/s, to 1e-14 of |l| + |sigma| |u|, by Newton's method. A solution exists for any step
// (the equation maps a ball into itself), but where the body turns by several rad there may be more
// of them and Newton may jump between: then the step grows from 0 to dt in pieces, each starting
// from the last. Should that fail too, the spin at the start of the step is returned: finite, and
// good enough, since the momentum is kept whatever inertia half-way the step is taken with.
Vector3d solve(const MidpointSpin& spin);

// The spin that keeps its energy; sigma and u are not read. Where it is not found, or its inertia
// is far from K, the one above.
struct KeepingSpin {
  Vector3d y = Vector3d::Zero();        // rad/s
  Matrix3d inertia = Matrix3d::Zero();  // kg m^2, in the axes half-way
};
KeepingSpin solve_keeping_energy(const MidpointSpin& spin);

// The rotation of a step of any length, seen in the axes at its start, that keeps momentum and
// energy: in parts of half a radian.
Eigen::Quaterniond turn_freely(const MidpointSpin& spin);

}  // namespace tact
