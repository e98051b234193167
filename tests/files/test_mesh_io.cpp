#include <tact/files/mesh_io.hpp>

#include <cmath>
#include <cstring>
#include <string>

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <tact/core/random.hpp>
#include <tact/files/mesh_io_formats.hpp>
#include <tact/geometry/mesh_check.hpp>
#include <tact/geometry/shapes.hpp>

#include <files/temporary_folder.hpp>
#include "little_endian.hpp"

namespace tact {
namespace {

std::string binary_stl(const TriMesh& mesh)
{
  std::string file = std::string(80, ' ') + little_endian(std::uint32_t(mesh.triangle_count()));
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    file += std::string(12, '\0');
    for (const Vector3d& corner : mesh.corners(t))
      for (const double x : corner) file += little_endian(float(x));
    file += std::string(2, '\0');
  }
  return file;
}

std::string text_stl(const TriMesh& mesh)
{
  std::string file = "solid made by a test\n";
  for (int t = 0; t < mesh.triangle_count(); ++t) {
    file += " facet normal 0 0 nan\n  outer loop\n";
    for (const Vector3d& c : mesh.corners(t))
      file += fmt::format("   vertex {:.17g} {:.17g} {:.17g}\n", c[0], c[1], c[2]);
    file += "  endloop\n endfacet\n";
  }
  return file + "endsolid made by a test\n";
}

bool same(const TriMesh& a, const TriMesh& b)
{
  return a.positions == b.positions && a.triangles == b.triangles;
}

// Coordinates that use all 53 bits.
TriMesh random_mesh()
{
  TriMesh mesh = make_icosphere(1.0, 1);
  Random random(4);
  for (Vector3d& p : mesh.positions) p += random.in_cube(1e-3) + Vector3d(1e6, 0, -1e-7);
  return mesh;
}

TEST_CASE("OBJ: what is written reads back to the last bit")
{
  const TemporaryFolder folder;
  const TriMesh mesh = random_mesh(), box = make_box({1e-300, 1, 3e200});
  const std::vector<NamedSurface> one{{"ball", &mesh}};
  write_obj(folder.path() / "ball.obj", one);
  CHECK(same(read_surface(folder.path() / "ball.obj"), mesh));

  const std::vector<NamedSurface> two{{"ball", &mesh}, {"a box\n# 2", &box}};
  const std::string text = obj_text(two);
  CHECK(text.find("\no a_box___2\n") != std::string::npos);
  const TriMesh both = parse_obj("both.obj", text);
  CHECK(both.vertex_count() == mesh.vertex_count() + 8);
  CHECK(both.corners(mesh.triangle_count() + 3) == box.corners(3));
}

TEST_CASE("OBJ: all ways to write a face, and what is passed over")
{
  const TriMesh mesh = parse_obj("a.obj",
                                 "# a comment\r\nmtllib a.mtl\no thing\n"
                                 "v 0 0 0\nv +1 0 0 1.0\nv 0 1 0 0.5 0.5 0.5 # coloured\n"
                                 "vt 0 0\nvn 0 0 1\ns off\nusemtl red\n\n"
                                 "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\n"
                                 "f -3 -2 -1\nv 1e0 1.e-3 .5\nf 4 -2 1");
  CHECK(mesh.positions[3] == Vector3d(1, 1e-3, 0.5));
  CHECK(mesh.triangles ==
        std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {3, 2, 0}});
}

TEST_CASE("OBJ: polygons, also with dents and straight corners, are covered by n - 2 triangles")
{
  // An L of area 3 with a corner in the middle of a side, in a slanting plane.
  const TriMesh mesh = parse_obj("l.obj",
                                 "v 0 0 0\nv 1 0 1\nv 2 0 2\nv 2 1 2\nv 1 1 1\nv 1 2 1\nv 0 2 0\n"
                                 "f 1 2 3 4 5 6 7\n");
  CHECK(mesh.triangle_count() == 5);
  CHECK(area(mesh) == doctest::Approx(3 * std::sqrt(2.0)).epsilon(1e-15));
  const SurfaceCheck result = check(mesh);
  CHECK(result.triangles_without_area.count == 0);
  CHECK(result.intersections.pairs.empty());
  CHECK(result.mismatched_edges.count == 0);
  CHECK(result.boundary_edges.count == 7);
}

TEST_CASE("STL: corners are welded, so that a closed surface is closed again")
{
  const TriMesh sphere = make_icosphere(1.0, 2);
  const TriMesh from_text = parse_stl("a.stl", text_stl(sphere));
  const TriMesh from_bytes = parse_stl("b.stl", binary_stl(sphere));
  for (const TriMesh* mesh : {&from_text, &from_bytes}) {
    CHECK(mesh->vertex_count() == sphere.vertex_count());
    CHECK(mesh->triangle_count() == sphere.triangle_count());
    CHECK(build_topology(*mesh).boundary_edges.empty());
  }
  CHECK(volume(from_text) == doctest::Approx(volume(sphere)).epsilon(1e-14));
  CHECK(volume(from_bytes) == doctest::Approx(volume(sphere)).epsilon(1e-6));  // stores floats
}

TEST_CASE("PLY: text and both byte orders give the same mesh, to the last bit of a double")
{
  const std::string head =
      "comment by hand\nelement vertex 4\nproperty double x\nproperty double y\n"
      "property double z\nproperty uchar red\nelement face 2\nproperty list uchar int "
      "vertex_indices\nproperty float quality\nelement edge 1\nproperty int a\nend_header\n";
  const std::vector<std::array<double, 3>> points{
      {0.1, 0, 0}, {1, 1e-17, 0}, {1, 1.0000000000000002, 0}, {0, 1, 0}};
  std::string text = "ply\nformat ascii 1.0\n" + head;
  std::string little = "ply\nformat binary_little_endian 1.0\n" + head;
  std::string big = "ply\nformat binary_big_endian 1.0\n" + head;
  const auto add = [&](auto x, std::string_view end) {
    text += fmt::format("{}{}", x, end);
    const std::string raw = little_endian(x);
    little += raw;
    big.append(raw.rbegin(), raw.rend());
  };
  for (const auto& [x, y, z] : points) {
    add(x, " ");
    add(y, " ");
    add(z, " ");
    add(std::uint8_t(200), "\n");
  }
  add(std::uint8_t(3), " ");
  for (const int v : {0, 1, 2}) add(std::int32_t(v), " ");
  add(0.5f, "\n");
  add(std::uint8_t(4), " ");
  for (const int v : {3, 2, 1, 0}) add(std::int32_t(v), " ");
  add(0.25f, "\n");
  add(std::int32_t(7), "\n");

  const TriMesh mesh = parse_ply("a.ply", text);
  CHECK(mesh.positions[0][0] == 0.1);
  CHECK(mesh.positions[2][1] == 1.0000000000000002);
  CHECK(mesh.triangles == std::vector<Triangle>{{0, 1, 2}, {3, 2, 1}, {3, 1, 0}});
  CHECK(same(parse_ply("b.ply", little), mesh));
  CHECK(same(parse_ply("c.ply", big), mesh));
}

TEST_CASE("Gmsh 2.2 and 4.1 and VTK 3 and 5 give the same tetrahedra")
{
  const TetMesh version_4 = parse_msh(
      "a.msh",
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"solid\"\n$EndPhysicalNames\n"
      "$Nodes\n2 5 10 50\n2 1 0 2\n10\n20\n0 0 0\n1 0 0\n3 1 0 3\n30\n40\n50\n0 1 0\n0 0 1\n1 1 1\n"
      "$EndNodes\n$Elements\n2 3 1 3\n2 1 2 1\n1 10 20 30\n3 1 4 2\n2 10 20 30 40\n3 20 30 40 50\n"
      "$EndElements\n");
  const TetMesh version_2 = parse_msh(
      "b.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n"
      "50 1 1 1\n$EndNodes\n$Elements\n3\n1 2 2 0 1 10 20 30\n2 4 2 0 1 10 20 30 40\n"
      "3 4 0 20 30 40 50\n$EndElements\n");
  const std::string points = "POINTS 5 double\n0 0 0 1 0 0\n0 1 0 0 0 1\n1 1 1\n";
  const std::string head = "\na title\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  const TetMesh vtk_3 =
      parse_vtk("c.vtk", "# vtk DataFile Version 3.0" + head + points +
                             "CELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 3\n5 10 10\n"
                             "POINT_DATA 5\nSCALARS t double\nLOOKUP_TABLE default\n1 2 3 4 5\n");
  const TetMesh vtk_5 = parse_vtk(
      "d.vtk", "# vtk DataFile Version 5.1" + head + points +
                   "METADATA\nINFORMATION 0\n\nCELLS 4 11\nOFFSETS vtktypeint64\n0 3 7 11\n"
                   "CONNECTIVITY vtktypeint64\n0 1 2 0 1 2 3 1 2 3 4\nCELL_TYPES 3\n5\n10\n10\n");
  CHECK(version_4.positions[4] == Vector3d(1, 1, 1));
  CHECK(version_4.tetrahedra == std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}});
  for (const TetMesh* other : {&version_2, &vtk_3, &vtk_5}) {
    CHECK(other->positions == version_4.positions);
    CHECK(other->tetrahedra == version_4.tetrahedra);
  }
}

TEST_CASE("The ending of the name tells the format, in any case of letters")
{
  const TemporaryFolder folder;
  const auto surface = folder.file("A.OBJ", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  CHECK(std::holds_alternative<TriMesh>(read_mesh(surface)));
  CHECK(is_mesh_file("x/y.msh"));
  CHECK(is_mesh_file("x.Glb"));
  CHECK_FALSE(is_mesh_file("scene.json"));
  CHECK_FALSE(is_mesh_file("obj"));
}

}  // namespace
}  // namespace tact
