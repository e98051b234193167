#include <tact/collision/corners.hpp>

#include <algorithm>
#include <numeric>

#include <Eigen/Geometry>

#include <tact/core/union_find.hpp>
#include <tact/geometry/distance.hpp>

namespace tact {
namespace {

CornerSide side_of(const FlatFaces& faces, std::span<const Vector3d> positions, int face,
                   const Vector3d& point)
{
  CornerSide side;
  side.face = face;
  side.triangle = faces.largest_triangle(face);
  const Triangle& corners = faces.triangles()[side.triangle];
  const Vector3d& x0 = positions[corners[0]];
  const Vector3d doubled = (positions[corners[1]] - x0).cross(positions[corners[2]] - x0);
  side.normal = doubled.normalized();
  side.gap = side.normal.dot(point - x0);
  const Vector3d foot = point - side.gap * side.normal;
  for (int k = 0; k < 3; ++k) {
    const Vector3d& next = positions[corners[(k + 1) % 3]];
    const Vector3d& last = positions[corners[(k + 2) % 3]];
    side.weights[k] = (next - foot).cross(last - foot).dot(doubled) / doubled.squaredNorm();
  }
  return side;
}

bool edge_within(std::span<const Vector3d> positions, const Edge& edge, const Vector3d& point,
                 double reach)
{
  return closest_edge_edge(point, point, positions[edge[0]], positions[edge[1]]).squared_distance <=
         reach * reach;
}

// Behind all faces: how deep, or how far in front of the widest one.
double widest_gap(const Corner& corner)
{
  double widest = corner.sides.front().gap;
  for (const CornerSide& side : corner.sides) widest = std::max(widest, side.gap);
  return widest;
}

// Every face in front of which the point is, as a plane of its own.
void add_planes(const Corner& corner, std::vector<Corner>& corners)
{
  for (const CornerSide& side : corner.sides)
    if (side.gap >= 0.0) corners.push_back({{side}});
}

// The faces within reach and how they hang together there, in ascending order.
class NearFaces {
 public:
  NearFaces(const FlatFaces& faces, std::span<const Vector3d> positions, const Vector3d& point,
            double reach)
      : faces_(faces), positions_(positions), point_(point), reach_(reach)
  {
  }

  void add(int triangle)
  {
    const int face = faces_.face_of(triangle);
    if (std::find(near_.begin(), near_.end(), face) != near_.end()) return;
    const Triangle& t = faces_.triangles()[triangle];
    const double squared =
        closest_vertex_face(point_, positions_[t[0]], positions_[t[1]], positions_[t[2]])
            .squared_distance;
    if (squared <= reach_ * reach_) near_.push_back(face);
  }

  // A face that is known to be near, and all that can be reached from it along edges that are.
  void spread_from(int face)
  {
    near_ = {face};
    for (std::size_t next = 0; next < near_.size(); ++next)
      for (const int index : faces_.creases_of(near_[next])) {
        const FlatFaces::Crease& crease = faces_.crease(index);
        const int beyond = crease.face_a == near_[next] ? crease.face_b : crease.face_a;
        if (std::find(near_.begin(), near_.end(), beyond) != near_.end()) continue;
        if (edge_within(positions_, crease.vertices, point_, reach_)) near_.push_back(beyond);
      }
  }

  std::vector<Corner> corners(int max_sides)
  {
    std::sort(near_.begin(), near_.end());
    const int count = static_cast<int>(near_.size());
    UnionFind parts(count);
    join_along_creases(parts);
    std::vector<Corner> corners;
    for (int first = 0; first < count; ++first) {
      if (parts.root(first) != first) continue;
      Corner corner;
      for (int i = first; i < count; ++i)
        if (parts.root(i) == first)
          corner.sides.push_back(side_of(faces_, positions_, near_[i], point_));
      if (is_saddle(parts, first)) {
        add_planes(corner, corners);
      } else {
        if (static_cast<int>(corner.sides.size()) > max_sides) keep_nearest(corner);
        corners.push_back(std::move(corner));
      }
    }
    return corners;
  }

 private:
  // Its place among those near, -1 where it is not.
  int place(int face) const
  {
    const auto found = std::lower_bound(near_.begin(), near_.end(), face);
    return found != near_.end() && *found == face ? static_cast<int>(found - near_.begin()) : -1;
  }

  void join_along_creases(UnionFind& parts)
  {
    for (int i = 0; i < static_cast<int>(near_.size()); ++i) {
      for (const int index : faces_.creases_of(near_[i])) {
        const FlatFaces::Crease& crease = faces_.crease(index);
        const int j = place(crease.face_b);
        if (crease.face_a != near_[i] || j < 0) continue;
        if (!edge_within(positions_, crease.vertices, point_, reach_)) continue;
        if (crease.convex)
          parts.merge(i, j);
        else
          reflex_.push_back({i, j});
      }
    }
  }

  // Both faces of a reflex edge in one part: the solid is not convex there.
  bool is_saddle(UnionFind& parts, int part) const
  {
    return std::any_of(reflex_.begin(), reflex_.end(), [&](const std::array<int, 2>& pair) {
      return parts.root(pair[0]) == part && parts.root(pair[1]) == part;
    });
  }

  static void keep_nearest(Corner& corner)
  {
    const auto widest =
        std::max_element(corner.sides.begin(), corner.sides.end(),
                         [](const CornerSide& a, const CornerSide& b) { return a.gap < b.gap; });
    corner.sides = {*widest};
  }

  const FlatFaces& faces_;
  std::span<const Vector3d> positions_;
  Vector3d point_;
  double reach_;
  std::vector<int> near_;                   // faces
  std::vector<std::array<int, 2>> reflex_;  // places of two that meet along a reflex edge
};

// Of corners that the point is behind of, the one that is least deep, and that only alone.
void drop_far_sides(std::vector<Corner>& corners)
{
  if (corners.empty()) return;
  const auto less_open = [](const Corner& a, const Corner& b) {
    return widest_gap(a) < widest_gap(b);
  };
  const Corner widest = *std::max_element(corners.begin(), corners.end(), less_open);
  std::erase_if(corners, [](const Corner& corner) { return widest_gap(corner) < 0.0; });
  if (corners.empty()) corners.push_back(widest);
}

}  // namespace

std::vector<Corner> corners_near(const FlatFaces& faces, std::span<const Vector3d> positions,
                                 std::span<const int> triangles, const Vector3d& point,
                                 const CornerOptions& options)
{
  NearFaces near(faces, positions, point, options.reach);
  for (const int triangle : triangles) near.add(triangle);
  std::vector<Corner> corners = near.corners(options.max_sides);
  drop_far_sides(corners);
  return corners;
}

std::vector<Corner> corners_around(const FlatFaces& faces, std::span<const Vector3d> positions,
                                   int face, const Vector3d& point, const CornerOptions& options)
{
  NearFaces near(faces, positions, point, options.reach);
  near.spread_from(face);
  std::vector<Corner> corners = near.corners(options.max_sides);
  drop_far_sides(corners);
  return corners;
}

std::vector<Corner> corners_near(const FlatFaces& faces, std::span<const Vector3d> positions,
                                 const Vector3d& point, const CornerOptions& options)
{
  std::vector<int> all(faces.triangles().size());
  std::iota(all.begin(), all.end(), 0);
  return corners_near(faces, positions, all, point, options);
}

std::vector<VertexCorners> corners_of_vertices(std::span<const Vector3d> vertices,
                                               const FlatFaces& faces,
                                               std::span<const Vector3d> positions,
                                               const CornerOptions& options)
{
  std::vector<VertexCorners> found;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    std::vector<Corner> corners = corners_near(faces, positions, vertices[v], options);
    if (!corners.empty()) found.push_back({static_cast<int>(v), std::move(corners)});
  }
  return found;
}

}  // namespace tact
