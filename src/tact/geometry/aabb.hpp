// Axis-aligned boxes. Corners are coordinates of the points themselves, never rounded, so that
// `overlap` is exact: boxes of sets that touch do overlap.
#pragma once

#include <limits>

#include <tact/core/types.hpp>

namespace tact {

struct Aabb {
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d high = Vector3d::Constant(-std::numeric_limits<double>::infinity());

  bool empty() const { return !(low.array() <= high.array()).all(); }
  Vector3d extent() const { return high - low; }
  Vector3d centre() const { return 0.5 * low + 0.5 * high; }

  void add(const Vector3d& point)
  {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }

  void add(const Aabb& box)
  {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
};

// Closed boxes: touching counts.
inline bool overlap(const Aabb& a, const Aabb& b)
{
  return a.low[0] <= b.high[0] && b.low[0] <= a.high[0] &&  //
         a.low[1] <= b.high[1] && b.low[1] <= a.high[1] &&  //
         a.low[2] <= b.high[2] && b.low[2] <= a.high[2];
}

// The box of some points, all mentioned by value: box_of(a, b, c).
template <class... Points>
Aabb box_of(const Points&... points)
{
  Aabb box;
  (box.add(points), ...);
  return box;
}

}  // namespace tact
