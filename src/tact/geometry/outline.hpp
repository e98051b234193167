// Flat shapes with holes, such as letters, into triangles.
#pragma once

#include <span>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {

using Contour = std::vector<Vector2d>;  // closed: the last corner is joined to the first

// Triangles that cover what lies inside of an odd number of the contours, counter-clockwise, with
// all corners of the contours and no others as vertices, numbered through the contours in their
// order. Contours may run either way round.
//
// Every side of a contour is a side of exactly one triangle, also where corners lie on a straight
// line: there are no T-junctions. Among the triangulations with this property it is the Delaunay
// one, but for rounding: the one with the largest small angles. Decisions of topology are exact.
// n^2 steps for n corners, or n^2 log n with holes.
//
// Throws Error when a contour has fewer than three corners, or sides cross or touch.
std::vector<Triangle> triangulate_outline(std::span<const Contour> contours);

}  // namespace tact
