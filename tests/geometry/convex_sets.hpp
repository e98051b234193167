// A second opinion on whether flat convex polygons meet: separating axes over integers, exact.
#pragma once

#include <array>
#include <vector>

namespace tact {

__extension__ typedef __int128 Wide;  // products of five coordinates

struct IntegerPoint {
  Wide x, y, z;
};

inline IntegerPoint operator-(const IntegerPoint& a, const IntegerPoint& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

inline Wide dot(const IntegerPoint& a, const IntegerPoint& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline IntegerPoint cross(const IntegerPoint& a, const IntegerPoint& b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

using Polygon = std::vector<IntegerPoint>;  // convex, flat, in order

inline bool separated_along(const IntegerPoint& axis, const Polygon& p, const Polygon& q)
{
  Wide p_low = dot(axis, p[0]), p_high = p_low, q_low = dot(axis, q[0]), q_high = q_low;
  for (const IntegerPoint& x : p) {
    p_low = std::min(p_low, dot(axis, x));
    p_high = std::max(p_high, dot(axis, x));
  }
  for (const IntegerPoint& x : q) {
    q_low = std::min(q_low, dot(axis, x));
    q_high = std::max(q_high, dot(axis, x));
  }
  return p_high < q_low || q_high < p_low;
}

inline std::vector<IntegerPoint> edges(const Polygon& p)
{
  std::vector<IntegerPoint> all;
  for (std::size_t i = 0; i < p.size(); ++i) all.push_back(p[(i + 1) % p.size()] - p[i]);
  return all;
}

// The Minkowski difference of two closed polygons is a polytope, which holds the origin exactly
// when they meet. Its facets are normal to a polygon, or to an edge of each; if it is flat, then to
// the common plane, or in it to an edge.
inline bool polygons_meet(const Polygon& p, const Polygon& q)
{
  std::vector<IntegerPoint> axes;
  for (const Polygon* polygon : {&p, &q}) {
    const auto sides = edges(*polygon);
    const IntegerPoint normal = cross(sides[0], sides[1]);
    axes.push_back(normal);
    for (const IntegerPoint& side : sides) axes.push_back(cross(normal, side));
  }
  for (const IntegerPoint& a : edges(p))
    for (const IntegerPoint& b : edges(q)) axes.push_back(cross(a, b));
  for (const IntegerPoint& axis : axes)
    if (separated_along(axis, p, q)) return false;
  return true;
}

}  // namespace tact
