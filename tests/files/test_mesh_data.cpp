// The stored meshes against the table that comes with them.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tact/files/mesh_io.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/geometry/mesh_check.hpp>
#include <tact/geometry/mesh_findings.hpp>

#include "../data.hpp"

namespace tact {
namespace {

struct SurfaceRow {
  std::string file;
  int vertices, triangles, boundary_edges, euler;
  double volume;
  Vector3d extent;
};

const std::vector<SurfaceRow> surface_rows{
    {"arch/num_stones25/stone-01.obj", 8, 12, 0, 2, 670.271, {11.4682, 7.6718, 10}},
    {"bunny.obj", 1839, 3674, 0, 2, 194.288, {9.9073, 9.6579, 7.5405}},
    {"cube.obj", 8, 12, 0, 2, 1, {1, 1, 1}},
    {"cylinder.obj", 130, 256, 0, 2, 9.40965, {2, 3, 2}},
    {"erleben/cliff.obj", 8, 12, 0, 2, 1.58333, {1.5, 1, 1.5}},
    {"erleben/crack.obj", 20, 36, 0, 2, 7, {2, 1, 4}},
    {"erleben/hole.obj", 41, 78, 0, 2, 3.83333, {2, 1, 2}},
    {"erleben/internal_edges.obj", 14, 24, 0, 2, 4, {2, 1, 2}},
    {"erleben/spike.obj", 5, 6, 0, 2, 1, {1, 3, 1}},
    {"erleben/wedge.obj", 6, 8, 0, 2, 3, {1, 3, 2}},
    {"plane.obj", 4, 2, 4, 1, 0, {10, 0, 10}},
    {"sphere.obj", 642, 1280, 0, 2, 4.15268, {2, 2, 2}},
    {"spot.obj", 2930, 5856, 0, 2, 0.718259, {0.9431, 1.6904, 1.7179}},
    {"teapot.obj", 792, 992, 528, 32, 3172.52, {32.1406, 15.75, 20}},
    {"tet-corner.obj", 4, 4, 0, 2, 0.166667, {1, 1, 1}},
    {"tet-perp.obj", 4, 4, 0, 2, 0.117851, {1, 0.7071, 1}},
    {"tet-pyramid.obj", 4, 4, 0, 2, 0.102062, {1, 0.7071, 0.866}},
    {"torus.obj", 200, 400, 0, 0, 0.0726542, {1, 1, 0.1902}},
};

struct TetRow {
  std::string file;
  int vertices, tetrahedra;
  double least, volume;
  Vector3d extent;
};

const std::vector<TetRow> tet_rows{
    {"bar-186.msh", 86, 186, 0.000814, 5, {10, 0.5, 1}},
    {"bar-2523.msh", 886, 2523, 3.18e-06, 5, {10, 0.5, 1}},
    {"bar-6.msh", 8, 6, 0.833, 5, {10, 0.5, 1}},
    {"bar-651.msh", 292, 651, 2.54e-05, 5, {10, 0.5, 1}},
    {"bunny.msh", 4670, 19379, 9.24e-07, 6.0104, {3.11, 3.0794, 2.4159}},
    {"cube.msh", 8, 6, 0.167, 1, {1, 1, 1}},
    {"erleben/spike.msh", 5, 2, 0.5, 1, {1, 3, 1}},
    {"erleben/wedge.msh", 6, 3, 1, 3, {1, 3, 2}},
    {"mat20x20.msh", 800, 2166, 6e-06, 0.013, {1, 0.013, 1}},
    {"rod.msh", 630, 1722, 2.88e-07, 0.0012, {1, 0.04, 0.04}},
    {"sphere1K.msh", 1760, 6851, 3.53e-06, 0.518477, {0.9984, 0.997, 0.9971}},
    {"tet.msh", 4, 1, 0.167, 0.166667, {1, 1, 1}},
    {"torus.msh", 200, 491, 3.47e-05, 0.0726544, {1, 1, 0.1902}},
};

constexpr double four_decimals = 0.5e-4 + 1e-12;  // the table's extents are rounded there

TEST_CASE("Stored surfaces have the size, volume, Euler number and box of their table")
{
  const auto folder = test_data("meshes/surface");
  if (!folder) return;
  for (const SurfaceRow& row : surface_rows) {
    CAPTURE(row.file);
    const TriMesh mesh = read_surface(*folder / row.file);
    const SurfaceCheck result = check(mesh);
    CHECK(result.vertices == row.vertices);
    CHECK(result.triangles == row.triangles);
    CHECK(result.boundary_edges.count == row.boundary_edges);
    CHECK(result.euler == row.euler);
    CHECK((result.box.extent() - row.extent).cwiseAbs().maxCoeff() <= four_decimals);
    if (row.boundary_edges > 0) continue;  // the volume of an open surface depends on the origin
    CHECK(result.volume == doctest::Approx(row.volume).epsilon(5e-6));  // six digits
    CHECK(mass_properties(mesh, 1.0).mass == doctest::Approx(result.volume).epsilon(1e-12));
    CHECK_FALSE(has_defects(findings(result)));
  }
}

TEST_CASE("The teapot's open seams touch, which no simulation accepts")
{
  const auto folder = test_data("meshes/surface");
  if (!folder) return;
  const SurfaceCheck result = check(read_surface(*folder / "teapot.obj"));
  CHECK(result.duplicate_vertices.count > 0);
  CHECK_FALSE(result.intersections.pairs.empty());
  CHECK(has_defects(findings(result)));
}

TEST_CASE("Stored tetrahedra have the size, volume and box of their table, and a sound surface")
{
  const auto folder = test_data("meshes/tet");
  if (!folder) return;
  for (const TetRow& row : tet_rows) {
    CAPTURE(row.file);
    const TetMesh mesh = read_tetrahedra(*folder / row.file);
    const TetCheck result = check(mesh);
    CHECK(result.vertices == row.vertices);
    CHECK(result.tetrahedra == row.tetrahedra);
    CHECK(result.volume == doctest::Approx(row.volume).epsilon(5e-6));
    CHECK(result.tetrahedron_volume.least == doctest::Approx(row.least).epsilon(5e-2));
    CHECK((bounding_box(mesh.positions).extent() - row.extent).cwiseAbs().maxCoeff() <=
          four_decimals);
    CHECK(result.inverted.count == 0);
    CHECK(result.surface.closed());
    CHECK(result.surface.volume == doctest::Approx(result.volume).epsilon(1e-11));
    CHECK_FALSE(has_defects(findings(result)));
  }
}

}  // namespace
}  // namespace tact
