#include <tact/geometry/mass_properties.hpp>

#include <cmath>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

template <class Mesh>
Mesh placed(Mesh mesh, const Matrix3d& rotation, const Vector3d& offset)
{
  for (Vector3d& p : mesh.positions) p = rotation * p + offset;
  return mesh;
}

double relative_difference(const Matrix3d& a, const Matrix3d& b)
{
  return (a - b).norm() / b.norm();
}

Matrix3d box_inertia(double mass, const Vector3d& size)
{
  const Vector3d s = size.cwiseProduct(size);
  return (mass / 12.0) * Vector3d(s[1] + s[2], s[2] + s[0], s[0] + s[1]).asDiagonal();
}

TEST_CASE("A box has mass abc rho and inertia m (b^2 + c^2) / 12")
{
  const Vector3d size(1, 2, 3);
  const MassProperties of_surface = mass_properties(make_box(size, 2), 500.0);
  const MassProperties of_solid = mass_properties(make_tet_box(size, {2, 3, 1}), 500.0);
  for (const MassProperties& m : {of_surface, of_solid}) {
    CHECK(m.mass == doctest::Approx(3000.0).epsilon(1e-14));
    CHECK(m.centre.norm() < 1e-15);
    CHECK(relative_difference(m.inertia, box_inertia(3000.0, size)) < 1e-14);
  }
}

TEST_CASE("The corner tetrahedron has volume 1/6, centre 1/4 and the known inertia")
{
  const TriMesh corner{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                       {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  const MassProperties m = mass_properties(corner, 6.0);
  CHECK(m.mass == doctest::Approx(1.0).epsilon(1e-15));
  CHECK((m.centre - Vector3d::Constant(0.25)).norm() < 1e-15);
  // int x^2 = 1/60 and int x y = 1/120 over the corner, about the centre 3/80 and -1/80 per mass.
  Matrix3d expected = Matrix3d::Constant(1.0 / 80.0);
  expected.diagonal().setConstant(6.0 / 80.0);
  CHECK(relative_difference(m.inertia, expected) < 1e-14);
}

TEST_CASE("Spheres approach 2/5 m r^2 with the square of the edge length")
{
  double last = 0.0;
  for (int k = 1; k <= 5; ++k) {
    const MassProperties m = mass_properties(make_icosphere(1.0, k), 1.0);
    // Scaled by mass, as the inscribed sphere is too small in both.
    const double error = 0.4 - m.inertia(0, 0) / m.mass;
    CHECK(relative_difference(m.inertia, m.inertia(0, 0) * Matrix3d::Identity()) < 1e-14);
    CHECK(error > 0.0);
    if (k > 2) CHECK(last / error == doctest::Approx(4.0).epsilon(0.05));  // edges halve
    last = error;
  }
}

TEST_CASE("A thousand kilometres from the origin, inertia keeps what the coordinates keep")
{
  const Vector3d size(1, 2, 3), far(1e6, -1e6, 1e6);
  const Matrix3d rotation =
      Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Matrix3d expected = rotation * box_inertia(6.0, size) * rotation.transpose();
  for (const MassProperties& m :
       {mass_properties(placed(make_box(size, 3), rotation, far), 1.0),
        mass_properties(placed(make_tet_box(size, {2, 2, 2}), rotation, far), 1.0)}) {
    // Coordinates of 1e6 are rounded by 1e-10; nothing may be lost on top of that.
    CHECK(m.mass == doctest::Approx(6.0).epsilon(1e-9));
    CHECK((m.centre - far).norm() < 1e-9);
    CHECK(relative_difference(m.inertia, expected) < 1e-9);
  }
}

TEST_CASE("Two boxes in one mesh obey the parallel axis theorem")
{
  TriMesh pair = make_box({1, 1, 1});
  const int count = pair.vertex_count();
  const TriMesh other = placed(make_box({1, 1, 1}), Matrix3d::Identity(), {4, 0, 0});
  pair.positions.insert(pair.positions.end(), other.positions.begin(), other.positions.end());
  for (const auto& [a, b, c] : other.triangles)
    pair.triangles.push_back({a + count, b + count, c + count});
  const MassProperties m = mass_properties(pair, 1.0);
  CHECK((m.centre - Vector3d(2, 0, 0)).norm() < 1e-15);
  const Matrix3d expected = Vector3d(2.0 / 6, 2.0 / 6 + 2 * 4.0, 2.0 / 6 + 2 * 4.0).asDiagonal();
  CHECK(relative_difference(m.inertia, expected) < 1e-14);
}

TEST_CASE("Open, flat and inside-out meshes have no mass properties")
{
  TriMesh inside_out = make_box({1, 1, 1});
  for (Triangle& t : inside_out.triangles) std::swap(t[1], t[2]);
  CHECK_THROWS_AS(mass_properties(inside_out, 1.0), Error);
  CHECK_THROWS_AS(mass_properties(make_cloth(1, 1, 3, 3), 1.0), Error);
  CHECK_THROWS_AS(mass_properties(TriMesh{}, 1.0), Error);
}

}  // namespace
}  // namespace tact
