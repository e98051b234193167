// Do triangles intersect? Exact for the doubles as they are given: no tolerance, no wrong answer.
//
// Triangles are closed sets: touching counts. Triangles that share vertices (by index) touch there
// by construction, so that for them the question is whether they meet anywhere else. Vertices with
// equal coordinates but different indices are not shared; where they are, triangles touch.
#pragma once

#include <array>

#include <tact/core/types.hpp>

namespace tact {

using TrianglePoints = std::array<Vector3d, 3>;

// The three tests need triangles with area. About 40, 30 and 20 ns where boxes overlap.
bool triangles_intersect(const TrianglePoints& s, const TrianglePoints& t);

// s[0] and t[0] are one vertex: do the triangles meet anywhere else?
bool triangles_intersect_beyond_vertex(const TrianglePoints& s, const TrianglePoints& t);

// The triangles (e0, e1, apex_s) and (e1, e0, apex_t) hang together at an edge: do they meet
// anywhere else? Only when folded flat onto each other.
bool triangles_intersect_beyond_edge(const Vector3d& e0, const Vector3d& e1, const Vector3d& apex_s,
                                     const Vector3d& apex_t);

// How deep two triangles that intersect are in each other (m): the shortest way along the normal of
// one of them after which the other lies on one side of its plane. 0 where they only touch.
double reach_through(const TrianglePoints& s, const TrianglePoints& t);

}  // namespace tact
