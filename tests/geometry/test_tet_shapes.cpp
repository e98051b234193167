#include <cmath>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/geometry/mesh_check.hpp>
#include <tact/geometry/tet_shapes.hpp>

namespace tact {
namespace {

using std::numbers::pi;

// What every solid made by rule owes: positive volumes, faces that match, a closed surface of one
// piece without crossings.
TetCheck check_sound(const TetMesh& solid)
{
  const TetCheck found = check(solid);
  CHECK(found.inverted.count == 0);
  CHECK(found.overfull_faces.count == 0);
  CHECK(found.unused_vertices.count == 0);
  CHECK(found.surface.closed());
  CHECK(found.surface.manifold());
  CHECK(found.surface.oriented());
  CHECK(found.surface.components == 1);
  CHECK(found.surface.euler == 2);
  CHECK(found.surface.duplicate_vertices.count == 0);
  CHECK(found.surface.intersections.pairs.empty());
  CHECK(found.surface.volume == doctest::Approx(found.volume).epsilon(1e-12));
  return found;
}

TEST_CASE(
    "A ball of n layers has 20 n^3 sound tetrahedra of good shape and its surface on the sphere")
{
  for (const int n : {1, 2, 3, 4, 7, 12}) {
    CAPTURE(n);
    const TetMesh ball = make_tet_ball(0.7, n);
    CHECK(ball.tetrahedron_count() == 20 * n * n * n);
    const TetCheck found = check_sound(ball);
    CHECK(found.surface.triangles == 20 * n * n);
    CHECK(found.aspect.greatest < 3.5);
    for (const Triangle& face : boundary_faces(ball))
      for (const int v : face)
        CHECK(ball.positions[v].norm() == doctest::Approx(0.7).epsilon(1e-14));
  }
}

TEST_CASE("A cylinder has 18 rings^2 layers sound tetrahedra and its surface on the cylinder")
{
  for (const int n : {1, 2, 3, 5, 8}) {
    CAPTURE(n);
    const TetMesh solid =
        make_tet_cylinder(0.5, 2.0, n, 4 * n);  // layers as high as rings are wide
    CHECK(solid.tetrahedron_count() == 18 * n * n * 4 * n);
    const TetCheck found = check_sound(solid);
    CHECK(found.surface.triangles == 2 * 6 * n * n + 2 * 6 * n * 4 * n);
    CHECK(found.aspect.greatest < 4.5);
    for (const Triangle& face : boundary_faces(solid))
      for (const int v : face) {
        const Vector3d& p = solid.positions[v];
        const double radius = std::hypot(p[0], p[2]);
        const bool on_side = std::abs(radius - 0.5) < 1e-14;
        const bool on_cap = std::abs(std::abs(p[1]) - 1.0) < 1e-14;
        CHECK((on_side || on_cap));
        CHECK(radius < 0.5 + 1e-14);
      }
  }
}

TEST_CASE("A box of bricks of five tetrahedra is sound and fills its bricks")
{
  const TetMesh box = make_five_tet_box({2.0, 3.0, 4.0}, {3, 2, 5});
  CHECK(box.tetrahedron_count() == 5 * 3 * 2 * 5);
  CHECK(check_sound(box).volume == doctest::Approx(24.0).epsilon(1e-14));
  CHECK(boundary_faces(box).size() == 4 * (3 * 2 + 2 * 5 + 5 * 3));
  CHECK_THROWS_AS(make_five_tet_box({1.0, 1.0, 1.0}, {1, 0, 1}), Error);
}

TEST_CASE("Volumes of round solids approach the exact ones with the square of the refinement")
{
  const auto order = [](double coarse_error, double fine_error) {
    return std::log2(coarse_error / fine_error);
  };
  const double ball = 4.0 / 3.0 * pi * 0.008;
  CHECK(order(ball - volume(make_tet_ball(0.2, 6)), ball - volume(make_tet_ball(0.2, 12))) ==
        doctest::Approx(2.0).epsilon(0.05));
  CHECK(volume(make_tet_ball(0.2, 12)) == doctest::Approx(ball).epsilon(0.02));

  // Inscribed polygons are known exactly: 6 n corners.
  const double polygon = 0.5 * 48 * std::sin(2 * pi / 48) * 0.09;
  CHECK(volume(make_tet_cylinder(0.3, 2.0, 8, 3)) == doctest::Approx(2 * polygon).epsilon(1e-13));
  const double cylinder = pi * 0.09 * 2.0;
  CHECK(order(cylinder - volume(make_tet_cylinder(0.3, 2.0, 6, 3)),
              cylinder - volume(make_tet_cylinder(0.3, 2.0, 12, 3))) ==
        doctest::Approx(2.0).epsilon(0.05));
}

TEST_CASE("Round solids refuse sizes from which nothing can be made")
{
  CHECK_THROWS_WITH_AS(make_tet_ball(-1.0, 3),
                       "make_tet_ball: radius is -1 m, expected a positive length", Error);
  CHECK_THROWS_WITH_AS(make_tet_ball(1.0, 0), "make_tet_ball: layers is 0, expected 1 to 200",
                       Error);
  CHECK_THROWS_AS(make_tet_cylinder(1.0, 0.0, 3, 3), Error);
  CHECK_THROWS_AS(make_tet_cylinder(1.0, 1.0, 201, 3), Error);
}

}  // namespace
}  // namespace tact
