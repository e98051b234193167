// Holes are joined to the contour around them by bridges, which gives polygons without holes; those
// are cut ear by ear; and diagonals are flipped until the triangles are Delaunay.
#include <tact/geometry/outline.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/geometry/predicates.hpp>

namespace tact {
namespace {

using Loop = std::vector<int>;  // of vertices; one that a bridge ends at appears twice

struct Outline {
  std::vector<Vector2d> points;
  std::vector<Loop> loops;

  int turn(int a, int b, int c) const { return orient2d(points[a], points[b], points[c]); }
};

// Is p, known to be on the line through a and b, on the segment between them?
bool between(const Vector2d& a, const Vector2d& b, const Vector2d& p)
{
  const Vector2d low = a.cwiseMin(b), high = a.cwiseMax(b);
  return (low.array() <= p.array()).all() && (p.array() <= high.array()).all();
}

bool segments_meet(const Outline& outline, const Edge& s, const Edge& t)
{
  const auto& points = outline.points;
  const int s0 = outline.turn(s[0], s[1], t[0]), s1 = outline.turn(s[0], s[1], t[1]);
  const int t0 = outline.turn(t[0], t[1], s[0]), t1 = outline.turn(t[0], t[1], s[1]);
  if (s0 * s1 < 0 && t0 * t1 < 0) return true;
  return (s0 == 0 && between(points[s[0]], points[s[1]], points[t[0]])) ||
         (s1 == 0 && between(points[s[0]], points[s[1]], points[t[1]])) ||
         (t0 == 0 && between(points[t[0]], points[t[1]], points[s[0]])) ||
         (t1 == 0 && between(points[t[0]], points[t[1]], points[s[1]]));
}

// Do segments that share an end run on top of each other, or do others meet at all?
bool conflict(const Outline& outline, const Edge& s, const Edge& t)
{
  for (const int i : {0, 1})
    for (const int j : {0, 1}) {
      if (s[i] != t[j]) continue;
      const int shared = s[i], a = s[1 - i], b = t[1 - j];
      if (a == b) return true;
      const auto& points = outline.points;
      return outline.turn(shared, a, b) == 0 &&
             (points[a] - points[shared]).dot(points[b] - points[shared]) > 0.0;
    }
  return segments_meet(outline, s, t);
}

void append_sides(const Loop& loop, std::vector<Edge>& sides)
{
  for (std::size_t k = 0; k < loop.size(); ++k)
    sides.push_back({loop[k], loop[(k + 1) % loop.size()]});
}

Outline numbered(std::span<const Contour> contours)
{
  Outline outline;
  for (std::size_t c = 0; c < contours.size(); ++c) {
    if (contours[c].size() < 3)
      throw Error(fmt::format("outline: contour {} has {} corners, expected at least 3", c,
                              contours[c].size()));
    Loop& loop = outline.loops.emplace_back(contours[c].size());
    std::iota(loop.begin(), loop.end(), static_cast<int>(outline.points.size()));
    outline.points.insert(outline.points.end(), contours[c].begin(), contours[c].end());
  }
  return outline;
}

void require_simple(const Outline& outline)
{
  std::vector<Edge> sides;
  for (const Loop& loop : outline.loops) append_sides(loop, sides);
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (std::size_t j = i + 1; j < sides.size(); ++j)
      if (conflict(outline, sides[i], sides[j])) {
        const Vector2d& at = outline.points[sides[i][0]];
        throw Error(
            fmt::format("outline: the sides that start at the corners {} and {}, near "
                        "({:g}, {:g}), cross or touch",
                        sides[i][0], sides[j][0], at[0], at[1]));
      }
}

// Does the loop go round the point? By the sides that a ray to the right crosses; the point is on
// none of them.
bool encloses(const Outline& outline, const Loop& loop, const Vector2d& p)
{
  bool inside = false;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector2d& a = outline.points[loop[k]];
    const Vector2d& b = outline.points[loop[(k + 1) % loop.size()]];
    if ((a[1] > p[1]) == (b[1] > p[1])) continue;
    const int side = orient2d(a, b, p);
    if ((b[1] > a[1]) == (side > 0)) inside = !inside;
  }
  return inside;
}

bool runs_left(const Outline& outline, const Loop& loop)
{
  // At the lowest corner (the leftmost of them) the turn is that of the whole.
  const auto lower = [&](int i, int j) {
    const Vector2d &a = outline.points[i], &b = outline.points[j];
    return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
  };
  const std::size_t n = loop.size();
  const std::size_t k = std::min_element(loop.begin(), loop.end(), lower) - loop.begin();
  return outline.turn(loop[(k + n - 1) % n], loop[k], loop[(k + 1) % n]) > 0;
}

struct Region {
  Loop outer;               // counter-clockwise
  std::vector<Loop> holes;  // clockwise
};

std::vector<Region> regions_of(const Outline& outline)
{
  const std::size_t count = outline.loops.size();
  std::vector<std::vector<std::size_t>> around(count);  // the loops that enclose a loop
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      if (i != j && encloses(outline, outline.loops[j], outline.points[outline.loops[i][0]]))
        around[i].push_back(j);

  std::vector<Region> regions;
  std::vector<std::size_t> region_of(count);
  const auto oriented = [&](std::size_t i, bool left) {
    Loop loop = outline.loops[i];
    if (runs_left(outline, loop) != left) std::reverse(loop.begin(), loop.end());
    return loop;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (around[i].size() % 2 != 0) continue;
    region_of[i] = regions.size();
    regions.push_back({oriented(i, true), {}});
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (around[i].size() % 2 == 0) continue;
    for (const std::size_t j : around[i])  // the innermost of those around has all others around it
      if (around[j].size() + 1 == around[i].size())
        regions[region_of[j]].holes.push_back(oriented(i, false));
  }
  return regions;
}

// Does the way from corner k of the loop to vertex v start into the inside? Where a bridge ends,
// two corners have the same place, and only one of them has v in its angle.
bool starts_inside(const Outline& outline, const Loop& loop, std::size_t k, int v)
{
  const int before = loop[(k + loop.size() - 1) % loop.size()], at = loop[k];
  const int after = loop[(k + 1) % loop.size()];
  const bool left_of_first = outline.turn(before, at, v) > 0;
  const bool left_of_second = outline.turn(at, after, v) > 0;
  return outline.turn(before, at, after) > 0 ? left_of_first && left_of_second
                                             : left_of_first || left_of_second;
}

struct Bridge {
  std::size_t from, to;  // corners of the outer loop and of the hole
  double length;
};

// The shortest way from the loop to the hole that meets no side. There always is one.
Bridge find_bridge(const Outline& outline, const Loop& loop, const std::vector<Loop>& holes,
                   const Loop& hole)
{
  std::vector<Bridge> candidates;
  for (std::size_t k = 0; k < loop.size(); ++k)
    for (std::size_t m = 0; m < hole.size(); ++m)
      candidates.push_back({k, m, (outline.points[loop[k]] - outline.points[hole[m]]).norm()});
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Bridge& x, const Bridge& y) { return x.length < y.length; });
  std::vector<Edge> sides;
  append_sides(loop, sides);
  for (const Loop& other : holes) append_sides(other, sides);
  for (const Bridge& bridge : candidates) {
    const Edge way{loop[bridge.from], hole[bridge.to]};
    if (starts_inside(outline, loop, bridge.from, way[1]) &&
        std::none_of(sides.begin(), sides.end(),
                     [&](const Edge& side) { return conflict(outline, way, side); }))
      return bridge;
  }
  throw Error("outline: a hole cannot be reached from the contour around it");
}

// One loop that runs along the outer contour, over a bridge, around a hole and back, for each hole.
Loop without_holes(const Outline& outline, Region region)
{
  Loop loop = std::move(region.outer);
  while (!region.holes.empty()) {
    const Loop hole = region.holes.back();
    const Bridge bridge = find_bridge(outline, loop, region.holes, hole);
    region.holes.pop_back();
    Loop detour;
    for (std::size_t k = 0; k <= hole.size(); ++k)
      detour.push_back(hole[(bridge.to + k) % hole.size()]);
    detour.push_back(loop[bridge.from]);
    loop.insert(loop.begin() + static_cast<std::ptrdiff_t>(bridge.from) + 1, detour.begin(),
                detour.end());
  }
  return loop;
}

// Corner k is an ear when it turns left and the triangle that it makes with its neighbours has no
// other vertex in it or on its sides.
bool is_ear(const Outline& outline, const Loop& loop, std::size_t k)
{
  const int a = loop[(k + loop.size() - 1) % loop.size()], b = loop[k];
  const int c = loop[(k + 1) % loop.size()];
  if (outline.turn(a, b, c) <= 0) return false;
  return std::none_of(loop.begin(), loop.end(), [&](int p) {
    if (p == a || p == b || p == c) return false;  // the other end of a bridge, too
    return outline.turn(a, b, p) >= 0 && outline.turn(b, c, p) >= 0 && outline.turn(c, a, p) >= 0;
  });
}

void cut_ears(const Outline& outline, Loop loop, std::vector<Triangle>& triangles)
{
  std::size_t k = 0;
  for (std::size_t tried = 0; loop.size() > 3;) {
    if (tried > loop.size()) throw Error("outline: no triangle can be cut off; are points finite?");
    k %= loop.size();
    if (!is_ear(outline, loop, k)) {
      ++k;
      ++tried;
      continue;
    }
    const std::size_t n = loop.size();
    triangles.push_back({loop[(k + n - 1) % n], loop[k], loop[(k + 1) % n]});
    loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(k));
    ++k;  // not the next corner at once: that would cut long thin fans
    tried = 0;
  }
  triangles.push_back({loop[0], loop[1], loop[2]});
}

// Would the other diagonal of the quadrilateral a c b d, instead of a b, make the smaller angles
// larger? So it is where the angles at c and d are more than 180 degrees together. The margin keeps
// four points on a circle from flipping for ever.
bool flip_helps(const Outline& outline, int a, int b, int c, int d)
{
  if (outline.turn(c, d, a) * outline.turn(c, d, b) >= 0) return false;  // not convex
  const auto& p = outline.points;
  const auto angle = [&](int at) {
    const Vector2d u = p[a] - p[at], v = p[b] - p[at];
    return std::atan2(std::abs(u[0] * v[1] - u[1] * v[0]), u.dot(v));
  };
  return angle(c) + angle(d) > 3.14159265358979323846 + 1e-9;
}

// Lawson's flips. A pass flips diagonals of pairs of triangles that it has not changed yet.
bool flip_diagonals(const Outline& outline, std::vector<Triangle>& triangles)
{
  std::map<Edge, std::vector<std::array<int, 2>>> sides;  // {triangle, its corner opposite}
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][(k + 1) % 3], b = triangles[t][(k + 2) % 3];
      sides[{std::min(a, b), std::max(a, b)}].push_back({t, k});
    }
  std::vector<bool> changed(triangles.size(), false);
  bool any = false;
  for (const auto& [edge, owners] : sides) {
    if (owners.size() != 2) continue;  // a side of a contour
    const auto [s, i] = owners[0];
    const auto [t, j] = owners[1];
    if (changed[s] || changed[t]) continue;
    const int c = triangles[s][i], d = triangles[t][j];
    const int a = triangles[s][(i + 1) % 3], b = triangles[s][(i + 2) % 3];
    if (!flip_helps(outline, a, b, c, d)) continue;
    triangles[s] = {c, a, d};
    triangles[t] = {d, b, c};
    changed[s] = changed[t] = any = true;
  }
  return any;
}

}  // namespace

std::vector<Triangle> triangulate_outline(std::span<const Contour> contours)
{
  const Outline outline = numbered(contours);
  require_simple(outline);
  std::vector<Triangle> triangles;
  for (Region& region : regions_of(outline))
    cut_ears(outline, without_holes(outline, std::move(region)), triangles);
  while (flip_diagonals(outline, triangles)) {
  }
  return triangles;
}

}  // namespace tact
