// Orientation of points, exact in sign for all finite doubles: no tolerance, no range limits.
//
// A double determinant with Shewchuk's error bound decides nearly always (about 7 ns); then
// expansion arithmetic, about a microsecond; then, where coordinates are so large or so small that
// expansions would overflow or underflow, integers of GMP.
//
// [Shewchuk97] J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust
// geometric predicates, Discrete & Computational Geometry 18, 1997. His orient3d has the other
// sign.
#pragma once

#include <tact/core/types.hpp>

namespace tact {

// Sign of (b - a) x (c - a): +1 when a, b, c turn left (counter-clockwise), 0 when on one line.
int orient2d(const Vector2d& a, const Vector2d& b, const Vector2d& c);

// Sign of (b - a) x (c - a) . (d - a): +1 when d is on the side from which a, b, c are seen
// counter-clockwise, which is the side of the triangle's normal; 0 when on one plane.
int orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d);

// Are the three points exactly on one line (or fewer than three points)?
bool collinear(const Vector3d& a, const Vector3d& b, const Vector3d& c);

}  // namespace tact
