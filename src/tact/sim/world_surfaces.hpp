// The surfaces of a world as collision detection sees them: numbered vertices, no bodies.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/proximity.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/sim/world.hpp>

namespace tact {

struct WorldSurfaces {
  SurfaceSet set;            // surface i is that of body i
  std::vector<int> body_of;  // for each vertex
  std::vector<std::array<int, 2>>
      across;  // for each edge: the third vertices of its triangles, or -1
};

WorldSurfaces surfaces_of(const World& world);

// Whether two edges are nearest to each other not only along themselves but on their surfaces: no
// triangle of either has points next to the edge that are nearer to the other edge. Where one has, a
// vertex-face pair or another pair of edges is nearer still and says all. Rows for such edges would
// be walls in the air: the diagonal of a square that is flat would stop what slides over it.
bool is_nearest_on_surfaces(const Contact& edges, const WorldSurfaces& surfaces,
                            std::span<const Vector3d> x);

}  // namespace tact
