// Polygons into triangles: what mesh files need, no more.
#pragma once

#include <span>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

// Appends n - 2 triangles that cover the simple polygon with these corners and run the same way
// round. A fan where the polygon is strictly convex, else by cutting ears, n^2 to n^3 steps.
// Corners need not be exactly in one plane: they are seen along the axis in which the polygon is
// largest. Corners on a straight side are fine. What crosses itself gives triangles that do so,
// too.
void triangulate(std::span<const Vector3d> positions, std::span<const int> polygon,
                 std::vector<Triangle>& triangles);

// Cutting ears takes that long; a convex polygon may have any number of corners.
inline constexpr int max_nonconvex_corners = 256;

// Is this a strictly convex polygon, seen as `triangulate` sees it?
bool is_convex(std::span<const Vector3d> positions, std::span<const int> polygon);

}  // namespace tact
