#include <tact/scene/scene_shapes.hpp>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/files/mesh_io.hpp>
#include <tact/geometry/ideal_masses.hpp>
#include <tact/geometry/mesh_findings.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_shapes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

// Of one mesh. A step of so many vertices takes minutes: more is a slip of the pen, and would only
// end in a machine without memory.
constexpr double max_vertices = 1e6;
constexpr double max_cache = 5e7;  // vertices of all frames of a cache

JsonValue need(const JsonValue& object, const char* key)
{
  return object.member(key, "a value");
}

double number(const JsonValue& object, const char* key)
{
  return need(object, key).number();
}

int integer(const JsonValue& object, const char* key)
{
  return need(object, key).value().get<int>();
}

void require_count(const JsonValue& place, double count, const char* what)
{
  if (!(count <= max_vertices))
    place.reject(fmt::format("about {:.3g} {}", count, what),
                 fmt::format("at most {:g} of them", max_vertices));
}

// ---- Files --------------------------------------------------------------------------------------

// Complaints about the file follow the place in the scene that names it.
template <class Read>
auto read_named(const JsonValue& name, Read read)
{
  const fs::path file = name.text();
  if (!fs::is_regular_file(file)) name.reject(file.string() + ", which is no file", "a mesh");
  try {
    return read(file);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}: {}", name.file().string(), name.pointer(), error.what()));
  }
}

void require_sound(const JsonValue& name, const std::vector<Finding>& findings)
{
  if (has_defects(findings))
    name.reject(fmt::format("{} with {}", name.text(), findings.front().text),
                "a sound mesh (`tact check` tells more)");
}

enum class MeshKind { closed, open_or_closed };

TriMesh surface_from(const JsonValue& name, MeshKind kind)
{
  TriMesh mesh = read_named(name, [](const fs::path& file) { return read_surface(file); });
  const SurfaceCheck result = check(mesh);
  require_sound(name, findings(result));
  if (kind == MeshKind::closed && !result.closed())
    name.reject(fmt::format("{} with {} open edges (the first: vertices {} and {})", name.text(),
                            result.boundary_edges.count, result.boundary_edges.first[0],
                            result.boundary_edges.first[1]),
                "a closed surface");
  return mesh;
}

TetMesh tetrahedra_from(const JsonValue& name)
{
  TetMesh mesh = read_named(name, [](const fs::path& file) { return read_tetrahedra(file); });
  require_sound(name, findings(check(mesh)));
  return mesh;
}

// ---- Rigid bodies and obstacles -----------------------------------------------------------------

TriMesh box_surface(const JsonValue& box)
{
  return make_box(need(box, "size").vector(3), integer(box, "divisions"));
}

TriMesh sphere_surface(const JsonValue& sphere)
{
  return make_icosphere(number(sphere, "radius"), integer(sphere, "subdivisions"));
}

TriMesh capsule_surface(const JsonValue& capsule)
{
  require_count(capsule, 2.0 * integer(capsule, "segments") * integer(capsule, "rings"),
                "vertices");
  return make_capsule(number(capsule, "radius"), number(capsule, "height"),
                      integer(capsule, "segments"), integer(capsule, "rings"));
}

TriMesh cylinder_surface(const JsonValue& cylinder)
{
  require_count(cylinder, 1.0 * integer(cylinder, "segments") * integer(cylinder, "rings"),
                "vertices");
  return make_cylinder(number(cylinder, "radius"), number(cylinder, "height"),
                       integer(cylinder, "segments"), integer(cylinder, "rings"));
}

SolidShape unscaled_solid(const JsonValue& body)
{
  if (const auto box = body.find("box"))
    return {box_surface(*box), box_mass(need(*box, "size").vector(3))};
  if (const auto sphere = body.find("sphere"))
    return {sphere_surface(*sphere), sphere_mass(number(*sphere, "radius"))};
  if (const auto capsule = body.find("capsule"))
    return {capsule_surface(*capsule),
            capsule_mass(number(*capsule, "radius"), number(*capsule, "height"))};
  if (const auto cylinder = body.find("cylinder"))
    return {cylinder_surface(*cylinder),
            cylinder_mass(number(*cylinder, "radius"), number(*cylinder, "height"))};
  const TriMesh mesh = surface_from(need(need(body, "mesh"), "file"), MeshKind::closed);
  return {mesh, mass_properties(mesh, 1.0)};
}

void scale(std::vector<Vector3d>& positions, double factor)
{
  if (factor == 1.0) return;
  for (Vector3d& p : positions) p *= factor;
}

TriMesh ground_surface(const JsonValue& ground)
{
  const double size = number(ground, "size"), thickness = number(ground, "thickness");
  TriMesh slab = make_box({size, thickness, size}, integer(ground, "divisions"));
  for (Vector3d& p : slab.positions) p.y() -= 0.5 * thickness;
  return slab;
}

// ---- Vertex caches ------------------------------------------------------------------------------

std::vector<fs::path> files_in(const JsonValue& folder)
{
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder.text(), error))
    if (entry.path().extension() == ".obj") files.push_back(entry.path());
  if (error) folder.reject(folder.text() + ", which is no folder", "a folder of .obj files");
  std::sort(files.begin(), files.end());
  if (files.empty()) folder.reject(folder.text() + " without .obj files", "one a frame");
  return files;
}

std::vector<fs::path> cache_files(const JsonValue& cache)
{
  if (const auto folder = cache.find("folder")) return files_in(*folder);
  const JsonValue names = need(cache, "files");
  std::vector<fs::path> files;
  for (int i = 0; i < names.array_size(); ++i) {
    files.emplace_back(names.at(i).text());
    if (!fs::is_regular_file(files.back()))
      names.at(i).reject(files.back().string() + ", which is no file", "a mesh");
  }
  if (files.empty()) names.reject("at least one file");
  return files;
}

ObstacleShape cache_shape(const JsonValue& cache)
{
  ObstacleShape shape;
  shape.fps = number(cache, "fps");
  double vertices = 0.0;
  for (const fs::path& file : cache_files(cache)) {
    TriMesh mesh = read_surface(file);
    if (shape.frames.empty()) {
      shape.surface = mesh;
      const auto found = findings(check(mesh));
      if (has_defects(found))
        cache.reject(file.string() + " with " + found.front().text, "a sound mesh");
    }
    if (mesh.triangles != shape.surface.triangles ||
        mesh.vertex_count() != shape.surface.vertex_count())
      cache.reject(fmt::format("{} vertices and {} triangles in {}", mesh.vertex_count(),
                               mesh.triangle_count(), file.string()),
                   fmt::format("the {} vertices and {} triangles of the first frame",
                               shape.surface.vertex_count(), shape.surface.triangle_count()));
    vertices += mesh.vertex_count();
    if (vertices > max_cache)
      cache.reject(fmt::format("more than {:g} vertices in all frames", max_cache), "fewer");
    shape.frames.push_back(std::move(mesh.positions));
  }
  return shape;
}

// ---- Soft bodies --------------------------------------------------------------------------------

SoftShape from_lattice(Lattice lattice)
{
  return {std::move(lattice.solid), std::move(lattice.surface), std::move(lattice.fill)};
}

SoftShape embedded(const TriMesh& surface, const JsonValue& lattice)
{
  const double cell = lattice.number();
  const Vector3d extent = bounding_box(surface.positions).extent();
  require_count(lattice, ((extent.array() / cell).ceil() + 1.0).prod(), "lattice cells");
  return from_lattice(fit_lattice(surface, cell));
}

// The text is valid UTF-8, as all of a JSON file is: the first byte tells how many follow.
char32_t only_character(const JsonValue& value)
{
  const std::string text = value.text();
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (text.size() != bytes) value.reject("one character");
  char32_t character = bytes == 1 ? first : first & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i)
    character = (character << 6) | (static_cast<unsigned char>(text[i]) & 0x3fu);
  return character;
}

SoftShape soft_letter(const JsonValue& letter)
{
  LetterOptions options;
  options.height = number(letter, "height");
  options.depth = number(letter, "depth");
  options.tetrahedra = integer(letter, "tetrahedra");
  const char32_t character = only_character(need(letter, "character"));
  try {
    return from_lattice(checked_soft_letter(character, options));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}: {}", letter.file().string(), letter.pointer(), error.what()));
  }
}

SoftShape soft_box(const JsonValue& box, const JsonValue& cells)
{
  const auto count = cells.value().get<std::array<int, 3>>();
  require_count(cells, (count[0] + 1.0) * (count[1] + 1.0) * (count[2] + 1.0), "vertices");
  return {make_tet_box(need(box, "size").vector(3), count), {}, {}};
}

SoftShape unscaled_soft(const JsonValue& body)
{
  if (const auto box = body.find("box")) return soft_box(*box, need(body, "cells"));
  if (const auto sphere = body.find("sphere"))
    return {make_tet_ball(number(*sphere, "radius"), integer(*sphere, "layers")), {}, {}};
  if (const auto cylinder = body.find("cylinder")) {
    const double rings = integer(*cylinder, "rings");
    require_count(*cylinder, 3.0 * rings * rings * integer(*cylinder, "layers"), "vertices");
    return {make_tet_cylinder(number(*cylinder, "radius"), number(*cylinder, "height"),
                              integer(*cylinder, "rings"), integer(*cylinder, "layers")),
            {},
            {}};
  }
  if (const auto file = body.find("tetrahedra"))
    return {tetrahedra_from(need(*file, "file")), {}, {}};
  if (const auto letter = body.find("letter")) return soft_letter(*letter);
  return embedded(surface_from(need(need(body, "mesh"), "file"), MeshKind::closed),
                  need(body, "lattice"));
}

}  // namespace

double SoftShape::volume() const
{
  double sum = 0.0;
  for (int t = 0; t < mesh.tetrahedron_count(); ++t)
    sum += (fill.empty() ? 1.0 : fill[t]) * tact::volume(mesh.corners(t));
  return sum;
}

SolidShape rigid_shape(const JsonValue& body)
{
  SolidShape shape = unscaled_solid(body);
  const double s = number(body, "scale");
  scale(shape.surface.positions, s);
  shape.unit_mass.mass *= s * s * s;
  shape.unit_mass.centre *= s;
  shape.unit_mass.inertia *= s * s * s * s * s;
  return shape;
}

ClothShape cloth_shape(const JsonValue& body)
{
  ClothShape shape;
  if (const auto grid = body.find("grid")) {
    const VectorXd size = need(*grid, "size").vector(2);
    const JsonValue vertices = need(*grid, "vertices");
    const auto count = vertices.value().get<std::array<int, 2>>();
    require_count(vertices, 1.0 * count[0] * count[1], "vertices");
    shape.surface = make_cloth(size[0], size[1], count[0], count[1]);
    shape.grid = {count[0], count[1]};
  } else {
    const JsonValue file = need(need(body, "mesh"), "file");
    shape.surface = surface_from(file, MeshKind::open_or_closed);
    if (const int unused = check(shape.surface).unused_vertices.count)
      file.reject(fmt::format("{} with {} vertices of no triangle", file.text(), unused),
                  "none, as they would have no mass");
  }
  scale(shape.surface.positions, number(body, "scale"));
  return shape;
}

SoftShape soft_shape(const JsonValue& body)
{
  SoftShape shape = unscaled_soft(body);
  scale(shape.mesh.positions, number(body, "scale"));
  return shape;
}

ObstacleShape obstacle_shape(const JsonValue& body)
{
  ObstacleShape shape;
  if (const auto cache = body.find("cache"))
    shape = cache_shape(*cache);
  else if (const auto ground = body.find("ground"))
    shape.surface = ground_surface(*ground);
  else if (const auto mesh = body.find("mesh"))
    shape.surface = surface_from(need(*mesh, "file"), MeshKind::open_or_closed);
  else
    shape.surface = unscaled_solid(body).surface;
  const double s = number(body, "scale");
  scale(shape.surface.positions, s);
  for (auto& frame : shape.frames) scale(frame, s);
  return shape;
}

}  // namespace tact
