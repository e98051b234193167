// Short ways to write motion queries in tests.
#pragma once

#include <array>

#include <tact/collision/ccd.hpp>

namespace tact {

using FourPoints = std::array<Vector3d, 4>;

inline CcdQuery vertex_face(const FourPoints& start, const FourPoints& end)
{
  return {.kind = CcdKind::vertex_face, .start = start, .end = end};
}

inline CcdQuery edge_edge(const FourPoints& start, const FourPoints& end)
{
  return {.kind = CcdKind::edge_edge, .start = start, .end = end};
}

inline CcdQuery at_rest(CcdKind kind, const FourPoints& points)
{
  return {.kind = kind, .start = points, .end = points};
}

}  // namespace tact
