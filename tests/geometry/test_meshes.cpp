#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_mesh.hpp>
#include <tact/geometry/tri_mesh.hpp>

namespace tact {
namespace {

std::vector<int> listed(std::span<const int> items)
{
  return {items.begin(), items.end()};
}

TEST_CASE("Topology: edges, and the triangles of edges and vertices, are those of brute force")
{
  Random random(8);
  const int vertices = 12;
  std::vector<Triangle> triangles;
  while (triangles.size() < 40) {
    const Triangle t{random.below(vertices), random.below(vertices), random.below(vertices)};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
  }
  const SurfaceTopology topology = build_topology(vertices, triangles);

  std::set<Edge> expected;
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      expected.insert({std::min(a, b), std::max(a, b)});
    }
  CHECK(topology.edges == std::vector<Edge>(expected.begin(), expected.end()));

  const int count = static_cast<int>(triangles.size());
  std::vector<int> boundary;
  for (int e = 0; e < static_cast<int>(topology.edges.size()); ++e) {
    std::vector<int> sharing;
    for (int t = 0; t < count; ++t) {
      const auto& sides = topology.triangle_edges[t];
      if (std::find(sides.begin(), sides.end(), e) != sides.end()) sharing.push_back(t);
    }
    CHECK(listed(topology.edge_triangles[e]) == sharing);
    if (sharing.size() == 1) boundary.push_back(e);
  }
  CHECK(topology.boundary_edges == boundary);
  for (int v = 0; v < vertices; ++v) {
    std::vector<int> around;
    for (int t = 0; t < count; ++t)
      if (std::find(triangles[t].begin(), triangles[t].end(), v) != triangles[t].end())
        around.push_back(t);
    CHECK(listed(topology.vertex_triangles[v]) == around);
  }
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const Edge& edge = topology.edges[topology.triangle_edges[t][k]];
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      CHECK(edge == Edge{std::min(a, b), std::max(a, b)});
    }
}

TEST_CASE("A cloth of nx x nz vertices has 2 (nx + nz - 2) boundary edges")
{
  const SurfaceTopology topology = build_topology(make_cloth(1, 2, 7, 5));
  CHECK(topology.boundary_edges.size() == 2 * (7 + 5 - 2));
  CHECK(topology.edges.size() == 6 * 5 + 7 * 4 + 6 * 4);  // along x, along z, diagonals
}

TEST_CASE("Meshes with vertices that do not exist or are not finite are refused with their place")
{
  TriMesh mesh = make_box({1, 1, 1});
  CHECK_NOTHROW(validate(mesh));
  mesh.triangles[5][1] = 8;
  CHECK_THROWS_WITH_AS(validate(mesh), "triangle mesh: triangle 5: found vertex 8, expected 0 to 7",
                       Error);
  mesh.triangles[5][1] = 0;
  mesh.positions[3][2] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH_AS(validate(mesh),
                       "triangle mesh: vertex 3 has a coordinate that is not finite", Error);
  TetMesh solid = make_tet_box({1, 1, 1}, {1, 1, 1});
  solid.tetrahedra[2][3] = -1;
  CHECK_THROWS_WITH_AS(validate(solid),
                       "tetrahedral mesh: tetrahedron 2: found vertex -1, expected 0 to 7", Error);
}

TEST_CASE("Compacting keeps the triangles where they are and drops unused vertices")
{
  const std::vector<Vector3d> positions{{9, 9, 9}, {0, 0, 0}, {8, 8, 8}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Triangle> triangles{{4, 1, 3}};
  const CompactSurface surface = compact(positions, triangles);
  CHECK(surface.old_vertex == std::vector<int>{1, 3, 4});
  REQUIRE(surface.mesh.triangles == std::vector<Triangle>{{2, 0, 1}});
  for (int k = 0; k < 3; ++k) CHECK(surface.mesh.corners(0)[k] == positions[triangles[0][k]]);
}

TEST_CASE("A box of tetrahedra fills its volume, and its boundary is the closed surface of the box")
{
  const TetMesh solid = make_tet_box({2, 3, 4}, {3, 2, 5});
  CHECK(solid.tetrahedron_count() == 6 * 30);
  CHECK(volume(solid) == doctest::Approx(24.0).epsilon(1e-14));
  CHECK(inverted_tetrahedra(solid).empty());
  CHECK(overfull_faces(solid).empty());

  const TriMesh surface = compact(solid.positions, boundary_faces(solid)).mesh;
  CHECK(surface.triangle_count() == 4 * (3 * 2 + 2 * 5 + 5 * 3));  // two a square, two sides
  CHECK(build_topology(surface).boundary_edges.empty());
  CHECK(volume(surface) == doctest::Approx(24.0).epsilon(1e-14));  // outward, or it were negative
  CHECK(area(surface) == doctest::Approx(2 * (2 * 3 + 3 * 4 + 4 * 2)).epsilon(1e-14));
}

TEST_CASE("Tetrahedra are inverted exactly when their volume is not positive")
{
  TetMesh solid{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 0.0}}, {{0, 1, 2, 3}, {0, 2, 1, 3}}};
  CHECK(inverted_tetrahedra(solid) == std::vector<int>{0, 1});
  solid.positions[3][2] = std::numeric_limits<double>::denorm_min();
  CHECK(inverted_tetrahedra(solid) == std::vector<int>{1});
}

TEST_CASE("A face of three tetrahedra is overfull")
{
  const TetMesh solid{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0, 0, -1}},
                      {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 2, 1, 5}}};
  CHECK(overfull_faces(solid) == std::vector<Triangle>{{0, 1, 2}});
}

TEST_CASE("Shapes have the volumes and areas of what they approach")
{
  const double pi = 3.14159265358979323846;
  // Inscribed polyhedra miss an amount of the order of the square of the edge length.
  CHECK(volume(make_box({1, 2, 3}, 3)) == doctest::Approx(6.0).epsilon(1e-14));
  CHECK(area(make_box({1, 2, 3}, 3)) == doctest::Approx(22.0).epsilon(1e-14));
  CHECK(volume(make_icosphere(2.0, 5)) == doctest::Approx(32 * pi / 3).epsilon(2e-3));
  CHECK(area(make_icosphere(2.0, 5)) == doctest::Approx(16 * pi).epsilon(2e-3));
  CHECK(volume(make_capsule(0.5, 2, 128, 32)) ==
        doctest::Approx(pi * 0.25 * 2 + pi / 6).epsilon(2e-3));
  CHECK(volume(make_torus(2, 0.5, 128, 64)) ==
        doctest::Approx(2 * pi * pi * 2 * 0.25).epsilon(3e-3));
  // A prism over a regular polygon is known exactly.
  const double polygon = 0.5 * 12 * std::sin(2 * pi / 12) * 0.25;
  CHECK(volume(make_cylinder(0.5, 3, 12, 2)) == doctest::Approx(3 * polygon).epsilon(1e-14));
  CHECK(area(make_cloth(2, 3, 5, 9)) == doctest::Approx(6.0).epsilon(1e-14));
  // A cup: a prism of radius 2 and height 3 less one of radius 1 and height 2.
  const std::vector<Vector2d> cup = {{0, 0}, {2, 0}, {2, 3}, {1, 3}, {1, 1}, {0, 1}};
  CHECK(volume(make_lathe(cup, 12)) ==
        doctest::Approx(0.5 * 12 * std::sin(2 * pi / 12) * (4 * 3 - 2)).epsilon(1e-14));
  // A plate of 4 by 3 with a square hole of 1 by 1.
  const std::vector<Contour> plate = {{{0, 0}, {4, 0}, {4, 3}, {0, 3}},
                                      {{1, 1}, {2, 1}, {2, 2}, {1, 2}}};
  CHECK(volume(make_extrusion(plate, 0.5, 3)) == doctest::Approx(11 * 0.5).epsilon(1e-14));
  CHECK(area(make_extrusion(plate, 0.5)) == doctest::Approx(2 * 11 + 18 * 0.5).epsilon(1e-14));
}

TEST_CASE("Shapes refuse sizes from which nothing can be made")
{
  CHECK_THROWS_WITH_AS(make_box({1, 0, 1}), "make_box: a side is 0 m, expected a positive length",
                       Error);
  CHECK_THROWS_WITH_AS(make_cylinder(1, 1, 2), "make_cylinder: segments is 2, expected 3 to 10000",
                       Error);
  CHECK_THROWS_AS(make_torus(1, 1, 8, 8), Error);
  CHECK_THROWS_AS(make_icosphere(1, 9), Error);
  const std::vector<Contour> triangle = {{{0, 0}, {1, 0}, {0, 1}}};
  CHECK_THROWS_AS(make_extrusion(triangle, 0.0), Error);
  CHECK_THROWS_AS(make_extrusion(triangle, 1.0, 0), Error);
  CHECK_THROWS_AS(make_cloth(1, std::nan(""), 4, 4), Error);
}

}  // namespace
}  // namespace tact
