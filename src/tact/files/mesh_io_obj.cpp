// Wavefront OBJ: `v` and `f` lines. All 17 digits count: bodies that are apart stay apart.
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include <tact/files/mesh_io_formats.hpp>
#include <tact/files/mesh_io_text.hpp>
#include <tact/geometry/polygon.hpp>

namespace tact {
namespace {

// What a file may say beyond its shape.
constexpr std::array<std::string_view, 17> ignored{
    "vt", "vn",  "vp",     "o",      "g",      "s",          "l",         "p",    "usemtl",
    "mg", "lod", "mtllib", "usemap", "maplib", "shadow_obj", "trace_obj", "bevel"};

void read_vertex(MeshText& text, TriMesh& mesh)
{
  Vector3d p;
  for (double& x : p) x = text.finite(text.word());
  // A weight or a colour may follow; both are numbers.
  for (std::string_view more = text.word(); !more.empty(); more = text.word()) text.finite(more);
  mesh.positions.push_back(p);
}

// "7", "7/1", "7//3" or "7/1/3": the vertex is the first. Negative ones count back from the last.
int read_corner(const MeshText& text, std::string_view word, int vertex_count)
{
  const std::string_view number = word.substr(0, word.find('/'));
  if (number.starts_with('-'))
    return vertex_count +
           static_cast<int>(text.integer(number, -vertex_count, -1, "an earlier vertex"));
  return static_cast<int>(text.integer(number, 1, vertex_count, "an earlier vertex")) - 1;
}

void read_face(MeshText& text, TriMesh& mesh, std::vector<int>& corners)
{
  corners.clear();
  for (std::string_view word = text.word(); !word.empty(); word = text.word())
    corners.push_back(read_corner(text, word, mesh.vertex_count()));
  if (corners.size() < 3)
    text.complain(fmt::format("a face with {} corners", corners.size()), "at least 3");
  if (corners.size() > max_nonconvex_corners && !is_convex(mesh.positions, corners))
    text.complain(fmt::format("a face with {} corners that is not convex", corners.size()),
                  fmt::format("at most {}", max_nonconvex_corners));
  triangulate(mesh.positions, corners, mesh.triangles);
}

}  // namespace

TriMesh parse_obj(std::string_view name, std::string_view content)
{
  TriMesh mesh;
  MeshText text(name, content, '#');
  std::vector<int> corners;
  while (text.next_line()) {
    const std::string_view keyword = text.word();
    if (keyword == "v")
      read_vertex(text, mesh);
    else if (keyword == "f")
      read_face(text, mesh, corners);
    else if (std::find(ignored.begin(), ignored.end(), keyword) == ignored.end())
      text.reject(keyword, "a line of a polygon mesh: v, vt, vn, f, o, g, s, usemtl or mtllib");
  }
  if (mesh.triangles.empty())
    text.complain(fmt::format("{} vertices and no face", mesh.vertex_count()), "at least one face");
  return mesh;
}

}  // namespace tact
