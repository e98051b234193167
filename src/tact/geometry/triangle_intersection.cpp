#include <tact/geometry/triangle_intersection.hpp>

#include <algorithm>

#include <tact/geometry/predicates.hpp>

namespace tact {
namespace {

using FlatTriangle = std::array<Vector2d, 3>;

// ---- In a plane -------------------------------------------------------------------------------

bool in_box_of(const Vector2d& p, const Vector2d& a, const Vector2d& b)
{
  return std::min(a[0], b[0]) <= p[0] && p[0] <= std::max(a[0], b[0]) &&
         std::min(a[1], b[1]) <= p[1] && p[1] <= std::max(a[1], b[1]);
}

bool segments_meet(const Vector2d& a, const Vector2d& b, const Vector2d& c, const Vector2d& d)
{
  const int c_side = orient2d(a, b, c), d_side = orient2d(a, b, d);
  const int a_side = orient2d(c, d, a), b_side = orient2d(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) return true;
  return (c_side == 0 && in_box_of(c, a, b)) || (d_side == 0 && in_box_of(d, a, b)) ||
         (a_side == 0 && in_box_of(a, c, d)) || (b_side == 0 && in_box_of(b, c, d));
}

bool contains(const FlatTriangle& t, const Vector2d& p)
{
  const int s0 = orient2d(t[0], t[1], p), s1 = orient2d(t[1], t[2], p),
            s2 = orient2d(t[2], t[0], p);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

bool segment_meets_triangle(const Vector2d& p, const Vector2d& q, const FlatTriangle& t)
{
  return contains(t, p) || segments_meet(p, q, t[0], t[1]) || segments_meet(p, q, t[1], t[2]) ||
         segments_meet(p, q, t[2], t[0]);
}

bool triangles_meet(const FlatTriangle& s, const FlatTriangle& t)
{
  return segment_meets_triangle(s[0], s[1], t) || segment_meets_triangle(s[1], s[2], t) ||
         segment_meets_triangle(s[2], s[0], t) || contains(s, t[0]);
}

// Drops one coordinate, so that the triangle which chose it keeps its area. Any one will do:
// projecting a plane along a direction outside of it loses nothing.
class Projection {
 public:
  explicit Projection(const TrianglePoints& t)
  {
    for (int axis = 0; axis < 3; ++axis) {
      i_ = (axis + 1) % 3;
      j_ = (axis + 2) % 3;
      if (orient2d((*this)(t[0]), (*this)(t[1]), (*this)(t[2])) != 0) return;
    }
  }

  Vector2d operator()(const Vector3d& p) const { return {p[i_], p[j_]}; }
  FlatTriangle operator()(const TrianglePoints& t) const
  {
    return {(*this)(t[0]), (*this)(t[1]), (*this)(t[2])};
  }

 private:
  int i_ = 0, j_ = 1;
};

// ---- In space ---------------------------------------------------------------------------------

int side_of(const TrianglePoints& plane, const Vector3d& p)
{
  return orient3d(plane[0], plane[1], plane[2], p);
}

// The segment from p to q, whose ends lie on these sides of the plane of t, against t.
bool segment_meets_triangle(const Vector3d& p, int p_side, const Vector3d& q, int q_side,
                            const TrianglePoints& t)
{
  if (p_side * q_side > 0) return false;
  if (p_side == 0 && q_side == 0) {
    const Projection flat(t);
    return segment_meets_triangle(flat(p), flat(q), flat(t));
  }
  // The line crosses the plane in one point; it is in t when the line passes all sides alike.
  const int s0 = orient3d(p, q, t[0], t[1]);
  const int s1 = orient3d(p, q, t[1], t[2]);
  if (s0 * s1 < 0) return false;
  const int s2 = orient3d(p, q, t[2], t[0]);
  return s0 * s2 >= 0 && s1 * s2 >= 0;
}

using Sides = std::array<int, 3>;

Sides sides_of(const TrianglePoints& plane, const TrianglePoints& t)
{
  return {side_of(plane, t[0]), side_of(plane, t[1]), side_of(plane, t[2])};
}

bool all_on_one_side(const Sides& sides)
{
  return sides[0] == sides[1] && sides[1] == sides[2] && sides[0] != 0;
}

bool any_edge_meets(const TrianglePoints& s, const Sides& sides, const TrianglePoints& t)
{
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (segment_meets_triangle(s[k], sides[k], s[next], sides[next], t)) return true;
  }
  return false;
}

// The shortest way (m) along the normal of t after which s lies on one side of its plane.
double way_out(const TrianglePoints& s, const TrianglePoints& t)
{
  const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  double above = 0.0, below = 0.0;
  for (const Vector3d& p : s) {
    const double height = n.dot(p - t[0]);
    above = std::max(above, height);
    below = std::max(below, -height);
  }
  return std::min(above, below);
}

}  // namespace

bool triangles_intersect(const TrianglePoints& s, const TrianglePoints& t)
{
  const Sides s_sides = sides_of(t, s);
  if (all_on_one_side(s_sides)) return false;
  if (s_sides == Sides{0, 0, 0}) {
    const Projection flat(t);
    return triangles_meet(flat(s), flat(t));
  }
  const Sides t_sides = sides_of(s, t);
  if (all_on_one_side(t_sides)) return false;
  return any_edge_meets(s, s_sides, t) || any_edge_meets(t, t_sides, s);
}

// The intersection is convex and contains the shared vertex; if it holds more, it reaches the
// opposite edge of one of the triangles.
bool triangles_intersect_beyond_vertex(const TrianglePoints& s, const TrianglePoints& t)
{
  return segment_meets_triangle(s[1], side_of(t, s[1]), s[2], side_of(t, s[2]), t) ||
         segment_meets_triangle(t[1], side_of(s, t[1]), t[2], side_of(s, t[2]), s);
}

bool triangles_intersect_beyond_edge(const Vector3d& e0, const Vector3d& e1, const Vector3d& apex_s,
                                     const Vector3d& apex_t)
{
  if (orient3d(e0, e1, apex_s, apex_t) != 0) return false;
  const Projection flat({e0, e1, apex_s});
  return orient2d(flat(e0), flat(e1), flat(apex_s)) == orient2d(flat(e0), flat(e1), flat(apex_t));
}

double reach_through(const TrianglePoints& s, const TrianglePoints& t)
{
  return std::min(way_out(s, t), way_out(t, s));
}

}  // namespace tact
