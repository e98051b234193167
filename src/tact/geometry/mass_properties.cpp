#include <tact/geometry/mass_properties.hpp>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// Integrals over a solid of 1, x and x x', from tetrahedra (o, a, b, c) with o at the origin:
//   V = a . (b x c) / 6,   int x = V (a + b + c) / 4,
//   int x x' = V (s s' + a a' + b b' + c c') / 20,   s = a + b + c.
// Signed volumes make a closed surface the sum over its triangles: the divergence theorem.
struct Moments {
  double volume = 0.0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();

  void add(const Vector3d& a, const Vector3d& b, const Vector3d& c)
  {
    const double v = a.dot(b.cross(c)) / 6.0;
    const Vector3d s = a + b + c;
    volume += v;
    first += (v / 4.0) * s;
    second += (v / 20.0) *
              (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
};

Moments moments_about(const Vector3d& origin, const TriMesh& surface)
{
  Moments moments;
  for (int t = 0; t < surface.triangle_count(); ++t) {
    const auto [a, b, c] = surface.corners(t);
    moments.add(a - origin, b - origin, c - origin);
  }
  return moments;
}

// A tetrahedron is the sum of the four that its faces span with the origin.
Moments moments_about(const Vector3d& origin, const TetMesh& solid)
{
  Moments moments;
  for (int t = 0; t < solid.tetrahedron_count(); ++t) {
    auto [a, b, c, d] = solid.corners(t);
    for (Vector3d* corner : {&a, &b, &c, &d}) *corner -= origin;
    moments.add(a, c, b);
    moments.add(a, b, d);
    moments.add(b, c, d);
    moments.add(a, d, c);
  }
  return moments;
}

// Twice over the mesh: about the middle of its box to find the centre, then about that.
template <class Mesh>
MassProperties measure(const Mesh& mesh, double density)
{
  const Vector3d middle = bounding_box(mesh.positions).centre();
  const Moments coarse = moments_about(middle, mesh);
  if (!(coarse.volume > 0.0))
    throw Error(
        fmt::format("mass properties: found a volume of {} m^3, expected a positive one: a "
                    "closed mesh whose triangles face outwards",
                    coarse.volume));
  const Vector3d centre = middle + coarse.first / coarse.volume;
  const Moments fine = moments_about(centre, mesh);
  const Matrix3d inertia = fine.second.trace() * Matrix3d::Identity() - fine.second;
  return {density * fine.volume, centre, density * inertia};
}

}  // namespace

MassProperties mass_properties(const TriMesh& surface, double density)
{
  return measure(surface, density);
}

MassProperties mass_properties(const TetMesh& solid, double density)
{
  return measure(solid, density);
}

}  // namespace tact
