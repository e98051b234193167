#include <tact/render/projection.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tact {
namespace {

// Near plane and the four sides of the guard band. Each cut adds at most one corner.
constexpr int plane_count = 5;
constexpr int max_corners = 3 + plane_count;

struct Polygon {
  std::array<Vector3d, max_corners> corners;
  int size = 0;

  void add(const Vector3d& corner) { corners[size++] = corner; }
};

// Positive where a point may be drawn.
double distance_inside(const Projection& p, int plane, const Vector3d& v)
{
  const double reach = (guard_band - 1) * v.z();
  switch (plane) {
    case 0: return v.z() - p.near;
    case 1: return reach + p.focal * v.x();
    case 2: return reach - p.focal * v.x();
    case 3: return reach + p.focal * v.y();
    default: return reach - p.focal * v.y();
  }
}

// The part of the polygon where the plane's distance is not negative. The point where an edge is
// cut is computed from its inner to its outer end, so that neighbours, which run along the edge in
// opposite directions, get the same point.
Polygon cut(const Projection& p, int plane, const Polygon& polygon)
{
  Polygon kept;
  for (int k = 0; k < polygon.size; ++k) {
    const Vector3d& a = polygon.corners[k];
    const Vector3d& b = polygon.corners[(k + 1) % polygon.size];
    const double da = distance_inside(p, plane, a);
    const double db = distance_inside(p, plane, b);
    if (da >= 0.0) kept.add(a);
    if (da >= 0.0 && db < 0.0) kept.add(a + da / (da - db) * (b - a));
    if (da < 0.0 && db >= 0.0) kept.add(b + db / (db - da) * (a - b));
  }
  return kept;
}

void add_triangle(const Projection& p, const std::array<Vector3d, 3>& seen, std::uint32_t id,
                  bool two_sided, std::vector<ScreenTriangle>& out)
{
  const auto made =
      make_screen_triangle({p.screen(seen[0]), p.screen(seen[1]), p.screen(seen[2])}, id);
  // Counter-clockwise from outside means negative area where y points down.
  if (made && (two_sided || made->flipped)) out.push_back(made->triangle);
}

}  // namespace

Projection::Projection(const Camera& camera, int width, int height)
    : eye(camera.eye), axes(view_axes(camera)), centre(0.5 * width, 0.5 * height)
{
  focal = 0.5 * height / std::tan(0.5 * camera.fov * std::numbers::pi / 180.0);
  near = 1e-4 * (camera.target - camera.eye).norm();
}

ScreenCorner Projection::screen(const Vector3d& seen) const
{
  const double key = 1.0 / seen.z();
  return {centre.x() + focal * seen.x() * key, centre.y() + focal * seen.y() * key, key};
}

Vector3d Projection::ray(double x, double y) const
{
  return axes.transpose() * Vector3d((x - centre.x()) / focal, (y - centre.y()) / focal, 1.0);
}

void project_triangle(const Projection& projection, const std::array<Vector3d, 3>& seen,
                      std::uint32_t id, bool two_sided, std::vector<ScreenTriangle>& out)
{
  Polygon polygon{{seen[0], seen[1], seen[2]}, 3};
  for (int plane = 0; plane < plane_count; ++plane) {
    double least = distance_inside(projection, plane, seen[0]);
    double most = least;
    for (int k = 1; k < 3; ++k) {
      const double distance = distance_inside(projection, plane, seen[k]);
      least = std::min(least, distance);
      most = std::max(most, distance);
    }
    if (most < 0.0) return;
    if (least < 0.0) polygon = cut(projection, plane, polygon);
  }
  for (int k = 2; k < polygon.size; ++k)
    add_triangle(projection, {polygon.corners[0], polygon.corners[k - 1], polygon.corners[k]}, id,
                 two_sided, out);
}

}  // namespace tact
