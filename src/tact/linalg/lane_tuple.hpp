// Several quantities of a group of elements, one element a lane, and the way from there to several
// quantities of one element in a register.
#pragma once

#include <utility>

#include <tact/linalg/lanes.hpp>

namespace tact {

// (No std::array: GCC would drop may_alias of Lanes there.)
template <int size>
struct LaneTuple {
  Lanes at[size] = {};

  Lanes& operator[](int k) { return at[k]; }
  const Lanes& operator[](int k) const { return at[k]; }
};

namespace detail {

// Swaps the bit `step` of row and lane numbers between the rows a = r and b = r + step.
template <int step, int... lane>
void exchange(Lanes& a, Lanes& b, std::integer_sequence<int, lane...>)
{
  const Lanes low =
      __builtin_shufflevector(a, b, ((lane & step) == 0 ? lane : lane_width + lane - step)...);
  b = __builtin_shufflevector(a, b, ((lane & step) == 0 ? lane + step : lane_width + lane)...);
  a = low;
}

template <int step>
void exchange_rows(LaneTuple<lane_width>& rows)
{
  for (int r = 0; r < lane_width; ++r)
    if ((r & step) == 0)
      exchange<step>(rows[r], rows[r + step], std::make_integer_sequence<int, lane_width>());
}

}  // namespace detail

// Afterwards rows[i][j] is what rows[j][i] was.
inline void transpose(LaneTuple<lane_width>& rows)
{
  detail::exchange_rows<1>(rows);
  detail::exchange_rows<2>(rows);
  if constexpr (lane_width == 8) detail::exchange_rows<4>(rows);
}

}  // namespace tact
