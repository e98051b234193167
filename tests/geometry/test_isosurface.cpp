#include <algorithm>
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/geometry/isosurface.hpp>
#include <tact/geometry/mesh_check.hpp>

using namespace tact;
using std::numbers::pi;

namespace {

const Aabb box{{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}};

double ball(const Vector3d& x)
{
  return x.norm() - 1.0;
}

double torus(const Vector3d& x)
{
  return std::hypot(std::hypot(x.x(), x.z()) - 0.9, x.y()) - 0.35;
}

void check_sound(const TriMesh& mesh, int euler)
{
  const SurfaceCheck found = check(mesh);
  CHECK(found.closed());
  CHECK(found.manifold());
  CHECK(found.oriented());
  CHECK(found.components == 1);
  CHECK(found.euler == euler);
  CHECK(found.triangles_without_area.count == 0);
  CHECK(found.intersections.count == 0);
  CHECK(found.aspect.greatest < 6.0);
}

}  // namespace

TEST_CASE("the isosurface of a ball is closed, faces outwards and lies on the sphere")
{
  for (const double cell : {0.3, 0.1, 0.07}) {
    CAPTURE(cell);
    const TriMesh mesh = make_isosurface(ball, box, cell);
    check_sound(mesh, 2);
    // Triangles between points of a sphere: the volume is less by the square of their size.
    CHECK(volume(mesh) == doctest::Approx(4.0 / 3.0 * pi).epsilon(cell * cell));
    CHECK(area(mesh) == doctest::Approx(4.0 * pi).epsilon(cell * cell));
    double off = 0.0;
    for (const Vector3d& x : mesh.positions) off = std::max(off, std::abs(ball(x)));
    CHECK(off < 1e-6 * cell);
  }
}

TEST_CASE("the isosurface of a torus has its hole")
{
  const TriMesh mesh = make_isosurface(torus, box, 0.08);
  check_sound(mesh, 0);
  CHECK(volume(mesh) == doctest::Approx(2.0 * pi * pi * 0.9 * 0.35 * 0.35).epsilon(0.02));
}

TEST_CASE("isosurfaces that leave the box, or that are not there, are refused")
{
  const Aabb tight{{-0.9, -1.5, -1.5}, {1.5, 1.5, 1.5}};
  CHECK_THROWS_AS(make_isosurface(ball, tight, 0.1), Error);
  CHECK_THROWS_AS(make_isosurface([](const Vector3d&) { return 1.0; }, box, 0.1), Error);
  CHECK_THROWS_AS(make_isosurface(ball, box, 0.0), Error);
}
