#include <tact/bodies/surface_area.hpp>

#include <Eigen/Geometry>

namespace tact {
namespace {

double triangle_area(const Vector3d& a, const Vector3d& b, const Vector3d& c)
{
  return 0.5 * (b - a).cross(c - a).norm();
}

}  // namespace

std::vector<double> vertex_areas(const TriMesh& surface)
{
  std::vector<double> areas(surface.positions.size(), 0.0);
  for (int t = 0; t < surface.triangle_count(); ++t) {
    const auto [a, b, c] = surface.corners(t);
    const double third = triangle_area(a, b, c) / 3.0;
    for (const int corner : surface.triangles[t]) areas[corner] += third;
  }
  return areas;
}

// Over a triangle of area S: int r = S s / 3 and int r r' = S (s s' + a a' + b b' + c c') / 12,
// with s = a + b + c.
AreaMoments area_moments(const TriMesh& surface, const Vector3d& origin)
{
  AreaMoments moments;
  for (int t = 0; t < surface.triangle_count(); ++t) {
    auto [a, b, c] = surface.corners(t);
    for (Vector3d* corner : {&a, &b, &c}) *corner -= origin;
    const double area = triangle_area(a, b, c);
    const Vector3d s = a + b + c;
    moments.area += area;
    moments.first += (area / 3.0) * s;
    moments.second += (area / 12.0) * (s * s.transpose() + a * a.transpose() + b * b.transpose() +
                                       c * c.transpose());
  }
  return moments;
}

}  // namespace tact
