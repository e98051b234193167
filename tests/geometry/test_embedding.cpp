#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <Eigen/Geometry>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_shapes.hpp>

#include "lattice_check.hpp"

namespace tact {
namespace {

TEST_CASE("Embedded vertices follow every affine map of the solid")
{
  const TetMesh ball = make_tet_ball(1.0, 4);
  const TriMesh surface = make_icosphere(0.9, 3);
  const EmbeddedSurface embedded = embed(surface, ball);
  Matrix3d map;
  map << 1.1, 0.3, -0.2, 0.4, 0.7, 0.1, -0.3, 0.2, 1.6;
  const Vector3d shift(3.0, -2.0, 5.0);
  std::vector<Vector3d> moved;
  for (const Vector3d& p : ball.positions) moved.push_back(map * p + shift);
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const Barycentric& vertex = embedded.vertices[v];
    double sum = 0.0;
    for (const double w : vertex.weights) {
      CHECK(w >= -1e-9);
      sum += w;
    }
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-14));
    CHECK((vertex.at(moved) - map * surface.positions[v] - shift).norm() < 1e-13);
  }
}

TEST_CASE("A surface made of the solid's own faces gets weights of exactly 1")
{
  const TetMesh solid = make_tet_cylinder(0.3, 1.0, 3, 4);
  const CompactSurface own = compact(solid.positions, boundary_faces(solid));
  const EmbeddedSurface embedded = embed(own.mesh, solid);
  for (int v = 0; v < own.mesh.vertex_count(); ++v)
    for (int k = 0; k < 4; ++k) {
      const bool itself = embedded.vertices[v].nodes[k] == own.old_vertex[v];
      CHECK(embedded.vertices[v].weights[k] == (itself ? 1.0 : 0.0));
    }
}

TEST_CASE("A vertex outside of all tetrahedra is named with its place")
{
  TriMesh surface = make_box({1, 1, 1});
  surface.positions[5] = {2, 0.25, 0};
  CHECK_THROWS_WITH_AS(
      embed(surface, make_tet_box({1, 1, 1}, {2, 2, 2})),
      "embed: vertex 5 at (2, 0.25, 0) is outside of all 48 tetrahedra; expected a "
      "solid that encloses the surface",
      Error);
}

TEST_CASE("A lattice whose cells fit the box is the box itself and full")
{
  const TriMesh box = make_box({0.4, 0.2, 0.6}, 2);
  const Lattice lattice = fit_lattice(box, 0.1);
  check_lattice(box, lattice);
  CHECK(lattice.solid.tetrahedron_count() == 6 * 4 * 2 * 6);
  for (const double fill : lattice.fill) CHECK(fill == 1.0);
  CHECK(volume(lattice.solid) == doctest::Approx(volume(box)).epsilon(1e-13));
}

TEST_CASE("Round and turned surfaces lie in their lattice and fill it by their volume to 1 %")
{
  TriMesh turned = make_box({0.5, 0.3, 0.2}, 3);
  const Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  for (Vector3d& p : turned.positions) p = turn * p;
  for (const TriMesh& surface : {make_icosphere(0.5, 3), make_torus(0.5, 0.15, 40, 20),
                                 make_capsule(0.2, 0.7, 24, 6), turned})
    for (const double cell : {0.25, 0.1, 0.04}) {
      CAPTURE(cell);
      const Lattice lattice = fit_lattice(surface, cell);
      check_lattice(surface, lattice);
      CHECK(filled_volume(lattice) == doctest::Approx(volume(surface)).epsilon(0.01));
    }
}

TEST_CASE("Each tetrahedron's fill is right to 0.01 where a plane cuts it")
{
  // A box with a slanted top that reaches up to y = 0.3: floor and sides are walls of the lattice.
  const auto top = [](const Vector3d& p) { return 0.192 + 0.23 * p[0] - 0.31 * p[2]; };
  TriMesh box = make_box({0.4, 0.4, 0.4});
  for (Vector3d& p : box.positions)
    if (p[1] > 0.0) p[1] = top(p);
  const Lattice lattice = fit_lattice(box, 0.1);
  Random random(7);
  double worst = 0.0;
  for (int t = 0; t < lattice.solid.tetrahedron_count(); ++t) {
    const auto corners = lattice.solid.corners(t);
    int below = 0;
    constexpr int samples = 20000;  // standard deviation of the share: at most 0.0036
    for (int k = 0; k < samples; ++k) {
      std::array<double, 4> w;
      double sum = 0.0;
      for (double& x : w) sum += (x = -std::log(1.0 - random.uniform()));  // uniform in the simplex
      Vector3d p = Vector3d::Zero();
      for (int c = 0; c < 4; ++c) p += w[c] / sum * corners[c];
      if (p[1] <= top(p)) ++below;
    }
    worst = std::max(worst, std::abs(lattice.fill[t] - double(below) / samples));
  }
  CHECK(worst < 0.025);  // 0.01 and four deviations
}

TEST_CASE("Parts thinner than a cell are kept, and a thin diagonal needle stays of one piece")
{
  TriMesh plate = make_box({0.9, 0.002, 0.7}, 4);
  check_lattice(plate, fit_lattice(plate, 0.1));

  // Square needle along the diagonal of the cells, through their corners.
  TriMesh needle = make_box({0.004, 2.0, 0.004}, 8);
  const Eigen::Quaterniond to_diagonal =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitY(), Vector3d(1, 1, 1).normalized());
  for (Vector3d& p : needle.positions) p = to_diagonal * p;
  check_lattice(needle, fit_lattice(needle, 0.1));
}

TEST_CASE("Two pieces far apart stay two, and a hollow is not filled")
{
  TriMesh two = make_icosphere(0.3, 2);
  const int count = two.vertex_count();
  const TriMesh other = make_icosphere(0.3, 2);
  for (const Vector3d& p : other.positions) two.positions.push_back(p + Vector3d(2, 0, 0));
  for (const Triangle& t : other.triangles)
    two.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  check_lattice(two, fit_lattice(two, 0.11), 2);

  TriMesh shell = make_icosphere(0.5, 3);
  const TriMesh inner = make_icosphere(0.4, 3);
  const int first = shell.vertex_count();
  for (const Vector3d& p : inner.positions) shell.positions.push_back(p);
  for (const Triangle& t : inner.triangles)
    shell.triangles.push_back({t[0] + first, t[2] + first, t[1] + first});
  const Lattice lattice = fit_lattice(shell, 0.05);
  check_lattice(shell, lattice);
  CHECK(filled_volume(lattice) == doctest::Approx(volume(shell)).epsilon(0.01));
  CHECK(volume(lattice.solid) < 0.9 * 4.0 / 3.0 * std::numbers::pi * 0.125);
}

TEST_CASE("The cell for a number of tetrahedra gives about that many")
{
  const TriMesh torus = make_torus(0.5, 0.15, 40, 20);
  for (const int count : {100, 500, 2000}) {
    const Lattice lattice = fit_lattice(torus, lattice_cell(torus, count));
    CHECK(lattice.solid.tetrahedron_count() == doctest::Approx(count).epsilon(0.1));
  }
  const TriMesh plate = make_box({1.0, 0.001, 1.0});
  CHECK(fit_lattice(plate, lattice_cell(plate, 600)).solid.tetrahedron_count() == 600);
  CHECK_THROWS_WITH_AS(lattice_cell(plate, 5), "lattice_cell: 5 tetrahedra, expected 6 or more",
                       Error);
}

TEST_CASE("Lattices refuse open and inside-out surfaces and cells of no use")
{
  TriMesh open = make_box({1, 1, 1});
  open.triangles.pop_back();
  CHECK_THROWS_WITH_AS(
      fit_lattice(open, 0.5),
      "fit_lattice: the surface is open: the edge between the vertices 1 and 2 has "
      "1 triangle, expected 2",
      Error);
  TriMesh inside_out = make_box({1, 1, 1});
  for (Triangle& t : inside_out.triangles) std::swap(t[0], t[1]);
  CHECK_THROWS_WITH_AS(fit_lattice(inside_out, 0.5),
                       "fit_lattice: the volume inside of the surface is -1 m^3, expected one "
                       "greater than 0 (a closed surface that faces outwards)",
                       Error);
  CHECK_THROWS_WITH_AS(fit_lattice(make_box({1, 1, 1}), 0.0),
                       "fit_lattice: the cell is 0 m, expected a positive length", Error);
  CHECK_THROWS_WITH_AS(fit_lattice(make_box({1, 1, 1}), 1e-3),
                       "fit_lattice: cells of 0.001 m make a lattice of 1e+09 cells, expected at "
                       "most 1e+07; choose a larger cell",
                       Error);
}

}  // namespace
}  // namespace tact
