#include <tact/files/mesh_io.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/core.h>
#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/files/mesh_io_formats.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view surface_endings = ".obj, .ply, .stl, .gltf or .glb";
constexpr std::string_view solid_endings = ".msh or .vtk";

std::string ending(const fs::path& file)
{
  std::string text = file.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <std::size_t size>
bool is_one_of(const std::string& text, const std::array<std::string_view, size>& known)
{
  return std::find(known.begin(), known.end(), text) != known.end();
}

bool is_surface(const std::string& ending)
{
  return is_one_of<5>(ending, {".obj", ".ply", ".stl", ".gltf", ".glb"});
}

bool is_solid(const std::string& ending)
{
  return is_one_of<2>(ending, {".msh", ".vtk"});
}

[[noreturn]] void reject_ending(const fs::path& file, std::string_view expected)
{
  throw Error(fmt::format("{}: found the ending {}, expected {}", file.string(),
                          excerpt(file.extension().string()), expected));
}

std::string object_name(std::string name)
{
  if (name.empty()) return "unnamed";
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == '#') c = '_';
  return name;
}

}  // namespace

TriMesh read_surface(const fs::path& file)
{
  const std::string kind = ending(file);
  if (!is_surface(kind)) reject_ending(file, surface_endings);
  const std::string name = file.string();
  return with_memory_for("the mesh " + name, [&] {
    const std::string text = read_text(file);
    if (kind == ".obj") return parse_obj(name, text);
    if (kind == ".ply") return parse_ply(name, text);
    if (kind == ".stl") return parse_stl(name, text);
    return parse_gltf(file, text);
  });
}

TetMesh read_tetrahedra(const fs::path& file)
{
  const std::string kind = ending(file);
  if (!is_solid(kind)) reject_ending(file, solid_endings);
  const std::string name = file.string();
  return with_memory_for("the mesh " + name, [&] {
    const std::string text = read_text(file);
    return kind == ".msh" ? parse_msh(name, text) : parse_vtk(name, text);
  });
}

std::variant<TriMesh, TetMesh> read_mesh(const fs::path& file)
{
  const std::string kind = ending(file);
  if (is_solid(kind)) return read_tetrahedra(file);
  if (is_surface(kind)) return read_surface(file);
  reject_ending(file,
                fmt::format("{} for a surface, {} for tetrahedra", surface_endings, solid_endings));
}

bool is_mesh_file(const fs::path& file)
{
  const std::string kind = ending(file);
  return is_surface(kind) || is_solid(kind);
}

std::string obj_text(std::span<const NamedSurface> surfaces)
{
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  int first = 1;
  for (const auto& [name, mesh] : surfaces) {
    fmt::format_to(out, "o {}\n", object_name(name));
    for (const Vector3d& p : mesh->positions)
      fmt::format_to(out, "v {:.17g} {:.17g} {:.17g}\n", p[0], p[1], p[2]);
    for (const auto& [a, b, c] : mesh->triangles)
      fmt::format_to(out, "f {} {} {}\n", a + first, b + first, c + first);
    first += mesh->vertex_count();
  }
  return fmt::to_string(text);
}

void write_obj(const fs::path& file, std::span<const NamedSurface> surfaces)
{
  write_text(file, obj_text(surfaces));
}

}  // namespace tact
