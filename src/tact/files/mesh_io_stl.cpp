// STL, text and binary. It stores the corners of each triangle apart, so they are welded here.
#include <cmath>

#include <fmt/core.h>

#include <tact/files/mesh_io_bytes.hpp>
#include <tact/files/mesh_io_formats.hpp>
#include <tact/files/mesh_io_text.hpp>

namespace tact {
namespace {

// A title of 80 bytes and the number of triangles; then for each its normal, three corners and two
// bytes that mean nothing.
constexpr std::size_t header_bytes = 84;
constexpr std::size_t triangle_bytes = 50;

std::uint32_t claimed_triangles(std::string_view bytes)
{
  MeshBytes header("", bytes, std::endian::little);
  header.skip(80);
  return header.take<std::uint32_t>("a count");
}

// Some text files begin like binary ones and the other way round; the length never lies.
bool is_binary(std::string_view bytes)
{
  return bytes.size() >= header_bytes &&
         bytes.size() == header_bytes + triangle_bytes * claimed_triangles(bytes);
}

void add_triangle(TriMesh& mesh, const std::array<Vector3d, 3>& corners)
{
  const int first = mesh.vertex_count();
  mesh.positions.insert(mesh.positions.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
}

TriMesh parse_binary(std::string_view name, std::string_view content)
{
  TriMesh mesh;
  MeshBytes bytes(name, content, std::endian::little);
  bytes.skip(header_bytes);
  while (bytes.bytes_left() >= triangle_bytes) {
    std::array<Vector3d, 3> corners;
    bytes.skip(3 * sizeof(float));
    for (Vector3d& corner : corners)
      for (double& x : corner) x = bytes.take<float>("a coordinate");
    if (!(corners[0] + corners[1] + corners[2]).allFinite())
      bytes.complain(
          fmt::format("a coordinate of triangle {} that is not finite", mesh.triangle_count()),
          "finite numbers");
    bytes.skip(2);
    add_triangle(mesh, corners);
  }
  return mesh;
}

void expect(MeshText& text, std::string_view wanted)
{
  const std::string_view found = text.word_anywhere();
  if (found != wanted) text.reject(found, fmt::format("\"{}\"", wanted));
}

Vector3d read_vector(MeshText& text)
{
  Vector3d v;
  for (double& x : v) x = text.finite(text.word_anywhere());
  return v;
}

// solid NAME / facet normal x y z / outer loop / 3 of: vertex x y z / endloop / endfacet / endsolid
TriMesh parse_text(std::string_view name, std::string_view content)
{
  TriMesh mesh;
  MeshText text(name, content);
  while (text.next_line()) {
    if (const auto word = text.word(); word != "solid") text.reject(word, "\"solid\"");
    if (!text.next_line()) text.reject({}, "\"facet\" or \"endsolid\"");
    std::string_view word = text.word();
    for (; word == "facet"; word = text.word_anywhere()) {
      // Normals are recomputed from the corners; some programs write nan for those of needles.
      expect(text, "normal");
      for (int k = 0; k < 3; ++k) text.word_anywhere();
      expect(text, "outer");
      expect(text, "loop");
      std::array<Vector3d, 3> corners;
      for (Vector3d& corner : corners) {
        expect(text, "vertex");
        corner = read_vector(text);
      }
      expect(text, "endloop");
      expect(text, "endfacet");
      add_triangle(mesh, corners);
    }
    if (word != "endsolid") text.reject(word, "\"facet\" or \"endsolid\"");
  }
  return mesh;
}

}  // namespace

TriMesh parse_stl(std::string_view name, std::string_view content)
{
  const bool binary = is_binary(content);
  if (!binary && !content.starts_with("solid")) {
    if (content.size() < header_bytes)
      throw Error(
          fmt::format("{}: found {} bytes, expected an STL file: text that begins with "
                      "\"solid\", or at least {} bytes",
                      name, content.size(), header_bytes));
    throw Error(fmt::format(
        "{}: found {} bytes, expected {} for the {} triangles that byte 80 claims", name,
        content.size(), header_bytes + triangle_bytes * claimed_triangles(content),
        claimed_triangles(content)));
  }
  const TriMesh mesh = binary ? parse_binary(name, content) : parse_text(name, content);
  if (mesh.triangles.empty())
    throw Error(fmt::format("{}: found no triangle, expected at least one", name));
  return welded(mesh);
}

}  // namespace tact
