#include <tact/geometry/mesh_check.hpp>

#include <cmath>

#include <doctest/doctest.h>

#include <tact/geometry/mesh_findings.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

// Puts a copy of `other` beside the mesh.
TriMesh joined(TriMesh mesh, const TriMesh& other, const Vector3d& offset)
{
  const int count = mesh.vertex_count();
  for (const Vector3d& p : other.positions) mesh.positions.push_back(p + offset);
  for (const auto& [a, b, c] : other.triangles)
    mesh.triangles.push_back({a + count, b + count, c + count});
  return mesh;
}

TEST_CASE("Sound closed shapes have no findings, and Euler's number of their genus")
{
  const std::vector<Contour> plate_with_hole = {{{0, 0}, {4, 0}, {4, 3}, {0, 3}},
                                                {{1, 1}, {2, 1}, {2, 2}, {1, 2}}};
  const std::vector<std::pair<TriMesh, int>> shapes{
      {make_box({1, 1, 1}, 3), 2},     {make_icosphere(1, 3), 2},
      {make_cylinder(1, 1, 16, 3), 2}, {make_capsule(1, 1, 16, 5), 2},
      {make_torus(1, 0.3, 24, 12), 0}, {make_extrusion(plate_with_hole, 0.5, 2), 0},
  };
  for (const auto& [mesh, euler] : shapes) {
    const SurfaceCheck result = check(mesh);
    CHECK(findings(result).empty());
    CHECK(result.euler == euler);
    CHECK(result.components == 1);
    CHECK(result.closed());
    CHECK(result.manifold());
    CHECK(result.oriented());
    CHECK(result.volume > 0.0);
    CHECK(2 * result.edges == 3 * result.triangles);
  }
}

TEST_CASE("A cloth is open, which is a note and no defect")
{
  const SurfaceCheck result = check(make_cloth(1, 1, 4, 4));
  CHECK_FALSE(result.closed());
  CHECK(result.euler == 1);
  CHECK(result.boundary_edges.count == 12);
  REQUIRE(findings(result).size() == 1);
  CHECK(findings(result)[0].severity == Severity::note);
}

TEST_CASE("A triangle turned over makes three edges mismatched")
{
  TriMesh mesh = make_icosphere(1, 1);
  std::swap(mesh.triangles[7][0], mesh.triangles[7][1]);
  const SurfaceCheck result = check(mesh);
  CHECK(result.mismatched_edges.count == 3);
  CHECK(result.manifold());
  CHECK_FALSE(result.oriented());
  CHECK(has_defects(findings(result)));
}

TEST_CASE("A mesh inside out is a defect, though all its triangles agree")
{
  TriMesh mesh = make_box({1, 1, 1});
  for (Triangle& t : mesh.triangles) std::swap(t[0], t[1]);
  const SurfaceCheck result = check(mesh);
  CHECK(result.oriented());
  CHECK(result.volume == doctest::Approx(-1.0));
  CHECK(has_defects(findings(result)));
}

TEST_CASE("Two boxes joined in one vertex are pinched there, in one edge overfull there")
{
  const TriMesh box = make_box({1, 1, 1});
  const auto weld = [](TriMesh mesh, const std::vector<Edge>& pairs) {
    for (Triangle& t : mesh.triangles)
      for (int& v : t)
        for (const auto& [keep, gone] : pairs)
          if (v == gone) v = keep;
    return mesh;
  };
  const auto vertex_at = [](const TriMesh& mesh, int from, const Vector3d& p) {
    for (int i = from; i < mesh.vertex_count(); ++i)
      if (mesh.positions[i] == p) return i;
    return -1;
  };
  const TriMesh corner = joined(box, box, {1, 1, 1});
  const Vector3d tip(0.5, 0.5, 0.5);
  const int keep = vertex_at(corner, 0, tip), gone = vertex_at(corner, 8, tip);
  const SurfaceCheck pinched = check(weld(corner, {{keep, gone}}));
  CHECK(pinched.pinched_vertices.count == 1);
  CHECK(pinched.pinched_vertices.first == keep);
  CHECK(pinched.overfull_edges.count == 0);
  CHECK(pinched.components == 1);
  CHECK(pinched.unused_vertices.count == 1);

  const TriMesh side = joined(box, box, {1, 1, 0});
  const Vector3d low(0.5, 0.5, -0.5);
  const int keep_low = vertex_at(side, 0, low), gone_low = vertex_at(side, 8, low);
  const int keep_high = vertex_at(side, 0, tip), gone_high = vertex_at(side, 8, tip);
  const SurfaceCheck overfull = check(weld(side, {{keep_low, gone_low}, {keep_high, gone_high}}));
  CHECK(overfull.overfull_edges.count == 1);
  CHECK(overfull.overfull_edges.first ==
        Edge{std::min(keep_low, keep_high), std::max(keep_low, keep_high)});
  CHECK_FALSE(overfull.manifold());
}

TEST_CASE("Duplicates, unused vertices and triangles without area are counted and located")
{
  TriMesh mesh = make_box({1, 1, 1});
  mesh.positions.push_back(mesh.positions[2]);  // 8: again
  mesh.positions.push_back({7, 7, 7});          // 9: used by nothing
  mesh.triangles.push_back({mesh.triangles[3][1], mesh.triangles[3][2], mesh.triangles[3][0]});
  mesh.triangles.push_back({0, 0, 1});  // 13: no area
  const SurfaceCheck result = check(mesh);
  CHECK(result.duplicate_vertices.count == 1);
  CHECK(result.duplicate_vertices.first == 8);
  CHECK(result.unused_vertices.count == 2);
  CHECK(result.unused_vertices.first == 8);
  CHECK(result.duplicate_triangles.count == 1);
  CHECK(result.duplicate_triangles.first == 12);
  CHECK(result.triangles_without_area.count == 1);
  CHECK(result.triangles_without_area.first == 13);
}

TEST_CASE("Pieces apart are a note, pieces through each other a defect")
{
  const TriMesh box = make_box({1, 1, 1});
  const SurfaceCheck apart = check(joined(box, box, {3, 0, 0}));
  CHECK(apart.components == 2);
  CHECK(apart.euler == 4);
  CHECK_FALSE(has_defects(findings(apart)));
  const SurfaceCheck through = check(joined(box, box, {0.5, 0.25, 0.125}));
  CHECK_FALSE(through.intersections.pairs.empty());
  CHECK(has_defects(findings(through)));
}

TEST_CASE("Aspect: regular elements have 1, a right isosceles triangle sqrt(3), needles a lot")
{
  CHECK(check(make_icosphere(1, 0)).aspect.greatest == doctest::Approx(1.0).epsilon(1e-14));
  CHECK(check(make_cloth(1, 1, 3, 3)).aspect.mean ==
        doctest::Approx(std::sqrt(3.0)).epsilon(1e-14));
  const TriMesh needle{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0}}, {{0, 1, 2}}};
  CHECK(check(needle).aspect.greatest == doctest::Approx(0.5 * std::sqrt(3.0) * 1e6));
  const TetMesh regular{{{1, 1, 1}, {-1, -1, 1}, {1, -1, -1}, {-1, 1, -1}}, {{0, 1, 2, 3}}};
  CHECK(check(regular).aspect.greatest == doctest::Approx(1.0).epsilon(1e-14));
}

TEST_CASE("Sound boxes of tetrahedra have no findings, and a tetrahedron turned over is a defect")
{
  TetMesh solid = make_tet_box({1, 1, 1}, {2, 2, 2});
  const TetCheck sound = check(solid);
  CHECK(findings(sound).empty());
  CHECK(sound.volume == doctest::Approx(1.0).epsilon(1e-14));
  CHECK(sound.tetrahedron_volume.least == doctest::Approx(1.0 / 48).epsilon(1e-14));
  CHECK(sound.edge_length.greatest == doctest::Approx(std::sqrt(0.75)).epsilon(1e-14));

  std::swap(solid.tetrahedra[9][0], solid.tetrahedra[9][1]);
  solid.positions.push_back({0, 0, 0});
  const TetCheck bad = check(solid);
  CHECK(bad.inverted.count == 1);
  CHECK(bad.inverted.first == 9);
  CHECK(bad.unused_vertices.count == 1);
  CHECK(has_defects(findings(bad)));
}

TEST_CASE("An empty mesh is a defect, not a crash")
{
  CHECK(has_defects(findings(check(TriMesh{}))));
  CHECK(has_defects(findings(check(TetMesh{}))));
}

}  // namespace
}  // namespace tact
