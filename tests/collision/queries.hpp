// Short ways to write motion queries in tests, and to draw them.
#pragma once

#include <array>
#include <cstdint>

#include <doctest/doctest.h>

#include <tact/collision/ccd.hpp>
#include <tact/collision/ccd_families.hpp>

namespace tact {

using FourPoints = std::array<Vector3d, 4>;

inline const Vector3d origin(0, 0, 0), x_axis(1, 0, 0), y_axis(0, 1, 0);

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

// Calls check(query, random) for `count` queries of every family.
template <class Check>
void for_all_families(int count, std::uint64_t seed, const Check& check)
{
  for (int f = 0; f < ccd_family_count; ++f) {
    const auto family = static_cast<CcdFamily>(f);
    INFO(name(family));
    Random random(seed + static_cast<std::uint64_t>(f));
    for (int i = 0; i < count; ++i) check(random_query(family, random), random);
  }
}

}  // namespace tact
