// Families of random motion queries, most of them degenerate on purpose: what tests and benches of
// continuous collision detection draw from. The same seed gives the same queries.
#pragma once

#include <string_view>

#include <tact/collision/ccd.hpp>
#include <tact/core/random.hpp>

namespace tact {

enum class CcdFamily {
  tiny_grid,            // coordinates 0, 1, 2: every degenerate case at once
  grid,                 // coordinates -3 ... 3
  uniform,              // coordinates in [-1, 1)
  grid_one_ulp_off,     // a grid with coordinates moved to the next double, 0 to 2^-53
  grid_subnormal_off,   // the same, 0 to the smallest subnormal
  vertex_meets_vertex,  // at t = 0 or t = 1, exactly or to an ulp
  tilted_plane,         // all points in one plane for ever
  moving_plane,         // all points in a plane that translates
  needles_missed,       // slivers of width 1e-9, missed or met by about as much
  needles_in_contact,   // slivers of width 1e-9 ... 1e-3 with a planted contact
  far_from_origin,      // 1e6 + 1e-6 k
  tiny,                 // coordinates of 1e-12
  some_at_rest,         // grid, vertices that do not move
  planted_contact,      // inside, on a side or at a corner, some at times k / 4
  rounded_by_offset,    // a planted contact at 2^10 ... 2^40 from the origin
  shared_vertices,      // features with a vertex or an edge in common
  cloth,                // two layers 2 mm apart, edges 1 cm, motions of mm: what simulations ask
};
inline constexpr int ccd_family_count = 17;

std::string_view name(CcdFamily family);

CcdQuery random_query(CcdFamily family, Random& random);

// The same question asked differently: ends of edges, edges, or corners of the face change places.
CcdQuery permuted(const CcdQuery& query, Random& random);
CcdQuery time_reversed(const CcdQuery& query);
CcdQuery scaled(const CcdQuery& query, double factor);

}  // namespace tact
