// Eight samples or texels at a time, through the vector extension that GCC and Clang share.
// Compilers do not find these by themselves: comparisons of floats keep them from it.
#pragma once

#include <cstdint>
#include <cstring>

namespace tact {

inline constexpr int pixel_lanes = 8;

// may_alias: arrays of plain numbers are read and written through them.
using IntLanes = std::int32_t __attribute__((vector_size(32), may_alias));
using WordLanes = std::uint32_t __attribute__((vector_size(32), may_alias));
using FloatLanes = float __attribute__((vector_size(32), may_alias));

inline constexpr IntLanes lane_index = {0, 1, 2, 3, 4, 5, 6, 7};
inline constexpr FloatLanes lane_place = {0, 1, 2, 3, 4, 5, 6, 7};

inline FloatLanes load_lanes(const float* anywhere)
{
  FloatLanes lanes;
  std::memcpy(&lanes, anywhere, sizeof lanes);
  return lanes;
}

inline float sum_of_lanes(const FloatLanes& x)
{
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

}  // namespace tact
