// Kuhn's division of a brick into six tetrahedra: one for each order in which a path of three edges
// takes the axes from the low to the high corner. Neighbouring bricks cut their common face alike.
#pragma once

#include <array>

#include <tact/core/types.hpp>
#include <tact/geometry/tet_mesh.hpp>

namespace tact {

inline constexpr std::array<std::array<int, 3>, 6> kuhn_orders{
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

// Which tetrahedron is it whose path takes axis `first`, then axis `second`? It holds the points of
// the unit brick with x[first] >= x[second] >= the third.
constexpr int kuhn_number(int first, int second)
{
  const int even = (first + 1) % 3 == second;  // the first three orders are the rotations of x y z
  constexpr std::array<int, 3> rotation{0, 1, 2};
  constexpr std::array<int, 3> reflection{3, 5, 4};
  return even ? rotation[first] : reflection[first];
}

// `vertex` gives the number of a corner of the brick, {0 or 1, 0 or 1, 0 or 1}.
template <class Vertex>
Tetrahedron kuhn_tetrahedron(int k, Vertex vertex)
{
  std::array<int, 3> corner{0, 0, 0};
  Tetrahedron t;
  t[0] = vertex(corner);
  for (int step = 0; step < 3; ++step) {
    corner[kuhn_orders[k][step]] = 1;
    t[step + 1] = vertex(corner);
  }
  if (k >= 3) std::swap(t[1], t[2]);  // odd orders are left-handed
  return t;
}

}  // namespace tact
