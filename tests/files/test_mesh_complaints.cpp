// What is wrong with a mesh file is told in one line, and nothing else happens.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tact/core/random.hpp>
#include <tact/files/mesh_io.hpp>
#include <tact/files/mesh_io_formats.hpp>

#include <files/messages.hpp>
#include <files/temporary_folder.hpp>

namespace tact {
namespace {

struct Complaint {
  std::string text;
  std::string words;  // what the message must say
};

template <class Parse>
void check_all(Parse parse, const std::string& name, const std::vector<Complaint>& cases)
{
  for (const Complaint& one : cases) {
    CAPTURE(one.text);
    const std::string message = message_of([&] { parse(name, one.text); });
    check_complaint(message, name, ":", one.words);
    CHECK(contains(message, "expected"));
  }
}

TEST_CASE("OBJ: complaints name the line, what was found and what was expected")
{
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  check_all(
      parse_obj, "bad.obj",
      {
          {"", "found 0 vertices and no face, expected at least one face"},
          {points, "found 3 vertices and no face"},
          {"v 0 0\n", "line 1: found the end of the line, expected a finite number"},
          {"v 0 0 zero\n", "line 1: found \"zero\", expected a finite number"},
          {"v 0 0 nan\n", "line 1: found \"nan\", expected a finite number"},
          {"v 0 0 1e999\n", "line 1: found \"1e999\", expected a finite number"},
          {"v 0 0 0x10\n", "line 1: found \"0x10\", expected a finite number"},
          {points + "f 1 2 4\n", "line 4: found \"4\", expected an earlier vertex from 1 to 3"},
          {points + "f 1 2 0\n", "line 4: found \"0\", expected an earlier vertex from 1 to 3"},
          {points + "f 1 2 -4\n", "line 4: found \"-4\", expected an earlier vertex from -3 to -1"},
          {points + "f 1 2 99999999999999999999\n", "line 4: found \"99999999999999999999\""},
          {points + "f 1 2\n", "line 4: found a face with 2 corners, expected at least 3"},
          {"f 1 2 3\n", "line 1: found \"1\", expected an earlier vertex, of which there are none"},
          {"curv 0 1 2\n", "line 1: found \"curv\", expected a line of a polygon mesh"},
          {std::string("\x7f"
                       "ELF\0\1",
                       6),
           "line 1"},
      });
}

TEST_CASE("STL: complaints name the line or the triangle")
{
  const std::string facet = "solid\nfacet normal 0 0 1\nouter loop\n";
  check_all(
      parse_stl, "bad.stl",
      {
          {"", "found 0 bytes, expected an STL file"},
          {"hello", "found 5 bytes, expected an STL file"},
          {"solid\nendsolid\n", "found no triangle"},
          {"solid\n", "line 1: found the end of the file, expected \"facet\" or \"endsolid\""},
          {facet, "line 3: found the end of the file, expected \"vertex\""},
          {facet + "vertex 0 0\nvertex 1 0 0\n", "line 5: found \"vertex\", expected a finite"},
          {facet + "vertex 0 0 x\n", "line 4: found \"x\", expected a finite number"},
          {"solid\nfacet normul 0 0 1\n", "line 2: found \"normul\", expected \"normal\""},
          {std::string(84, '\xff'), "found 84 bytes, expected 214748364834 for the 4294967295"},
          {std::string(80, ' ') + std::string("\1\0\0\0", 4) + std::string(50, '\xff'),
           "found a coordinate of triangle 0 that is not finite"},
      });
}

TEST_CASE("PLY: complaints name the line or the byte")
{
  const std::string start = "ply\nformat ascii 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  const std::string faces = "property list uchar int vertex_indices\nend_header\n";
  const std::string head = start + "element vertex 3\n" + xyz + "element face 1\n" + faces;
  const std::string binary = "ply\nformat binary_little_endian 1.0\nelement vertex 2000000000\n" +
                             xyz + "element face 1\n" + faces;
  check_all(
      parse_ply, "bad.ply",
      {
          {"", "expected \"ply\""},
          {"plie\n", "line 1: found \"plie\", expected \"ply\""},
          {"ply\nend_header\n", "line 2: found \"end_header\", expected a format"},
          {"ply\nformat utf8 1.0\n", "line 2: found \"utf8\", expected ascii, binary_little"},
          {start, "found the end of the file, expected end_header"},
          {start + "end_header\n", "found a header without a mesh"},
          {start + "element vertex -1\n", "line 3: found \"-1\", expected a number of elements"},
          {start + "property int x\n", "line 3: found \"property int x\", expected an element"},
          {start + "element vertex 1\nproperty quad x\n",
           "line 4: found \"quad\", expected a type"},
          {start + "element a 999999999\nelement vertex 1\n" + xyz + "element face 1\n" + faces,
           "found an element \"a\" without properties"},
          {head + "0 0 0 1 0 0 0 1\n", "expected a finite number"},
          {head + "0 0 0 1 0 0 0 1 0\n3 0 1 3\n",
           "line 11: found 3, expected a vertex from 0 to 2"},
          {head + "0 0 0 1 0 0 0 1 0\n3 0 1 0.5\n", "found 0.5, expected a vertex"},
          {head + "0 0 0 1 0 0 0 1 0\n2 0 1\n", "found face 0 with 2 corners, expected at least 3"},
          {head + "0 0 0 1 0 0 0 1 0\n-3 0 1 2\n", "found -3, expected the length of a list"},
          {head + "0 0 0 1 0 0 0 1 0\n2000000000 0\n", "found 2000000000, expected the length"},
          {binary, "found the end of the file, expected a number of 4 bytes"},
      });
}

TEST_CASE("Gmsh: complaints name the line")
{
  const std::string format = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  const std::string nodes =
      format + "$Nodes\n1 4 1 4\n3 0 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n";
  check_all(
      parse_msh, "bad.msh",
      {
          {"", "found the end of the file, expected \"$MeshFormat\""},
          {"$MeshFormat\n4.0 0 8\n", "line 2: found \"4.0\", expected version 4.1 or 2.2"},
          {"$MeshFormat\n4.1 1 8\n", "line 2: found \"1\", expected 0 for a text file"},
          {format, "found no tetrahedron"},
          {format + "Nodes\n", "line 4: found \"Nodes\", expected a section"},
          {format + "$Entities\n1 2 3\n", "found the end of the file, expected $EndEntities"},
          {format + "$Nodes\n1 2000000000 1 2\n3 0 0 2000000000\n1\n2\n",
           "line 8: found the end of the file, expected the tag of a node"},
          {format + "$Nodes\n1 2 1 2\n3 0 0 2\n7\n7\n0 0 0\n1 0 0\n$EndNodes\n",
           "line 10: found node 7 a second time, expected each node once"},
          {format + "$Nodes\n1 1 1 1\n3 0 0 1\n1\n0 0\n", "line 8: found the end of the line"},
          {nodes + "$Elements\n1 1 1 1\n3 0 4 1\n1 1 2 3 9\n",
           "line 19: found \"9\", expected the tag of a node in $Nodes"},
          {nodes + "$Elements\n1 1 1 1\n3 0 5 1\n1 1 2 3 4 1 2 3 4\n",
           "found an element of type 5, expected tetrahedra with four nodes"},
          {nodes + "$Elements\n1 1 1 1\n3 0 4 1\n1 1 2 3 4\n$EndNodes\n",
           "line 20: found \"$EndNodes\", expected $EndElements"},
      });
}

TEST_CASE("VTK: complaints name the line")
{
  const std::string head = "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  const std::string points = head + "POINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\n";
  check_all(
      parse_vtk, "bad.vtk",
      {
          {"", "found the end of the file, expected \"# vtk DataFile Version\""},
          {"# vtk DataFile Version 3.0\n\nBINARY\n", "line 3: found \"BINARY\", expected ASCII"},
          {"# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\n",
           "line 4: found \"POLYDATA\", expected UNSTRUCTURED_GRID"},
          {head, "found no tetrahedron"},
          {head + "LINES 1 2\n", "line 5: found \"LINES\", expected POINTS, CELLS"},
          {head + "POINTS 2000000000 float\n0 0 0\n", "found the end of the file"},
          {points + "CELLS 1 5\n4 0 1 2 3\n", "found 0 types for 1 cells, expected one each"},
          {points + "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n", "found point 4 in cell 0"},
          {points + "CELLS 1 5\n3 0 1 2\nCELL_TYPES 1\n10\n", "found cell 0 with 3 points"},
          {points + "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n", "found cell 0 of type 12"},
          {points + "CELLS 2 4\nOFFSETS int\n0 9\nCONNECTIVITY int\n0 1 2 3\nCELL_TYPES 1\n10\n",
           "found offsets that point outside"},
      });
}

TEST_CASE("Files that are not there and endings that are unknown are told")
{
  check_complaint(message_of([] { read_surface("no-such.obj"); }), "no-such.obj", "",
                  "no such file");
  check_complaint(message_of([] { read_mesh("a.step"); }), "a.step", "found the ending \".step\"",
                  "expected .obj, .ply, .stl, .gltf or .glb for a surface, .msh or .vtk for");
  check_complaint(message_of([] { read_tetrahedra("a.obj"); }), "a.obj",
                  "found the ending \".obj\"", "expected .msh or .vtk");
}

TEST_CASE("Cut off anywhere or with any byte changed, a file is read or complained about")
{
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string msh =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n3 0 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n"
      "0 1 0\n0 0 1\n$EndNodes\n$Elements\n1 1 1 1\n3 0 4 1\n1 1 2 3 4\n$EndElements\n";
  const std::string vtk =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
      "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n";
  const std::string stl = std::string(80, ' ') + std::string("\1\0\0\0", 4) + std::string(50, '\0');
  const auto try_all = [](auto parse, const std::string& text) {
    Random random(1);
    int outcomes = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto attempt = [&](std::string_view content) {
        try {
          parse("x", content);
        } catch (const Error&) {
        }
        ++outcomes;
      };
      attempt(std::string_view(text).substr(0, i));
      std::string changed = text;
      changed[i] = static_cast<char>(random.below(256));
      attempt(changed);
    }
    CHECK(outcomes == 2 * static_cast<int>(text.size()));
  };
  try_all(parse_ply, ply);
  try_all(parse_msh, msh);
  try_all(parse_vtk, vtk);
  try_all(parse_stl, stl);
  try_all(parse_obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1/1 2//3 3\nf -1 1 2 3\n");
}

}  // namespace
}  // namespace tact
