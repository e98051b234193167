#include <tact/samples/bunny_mesh.hpp>

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/files/json_reader.hpp>
#include <tact/files/text_file.hpp>
#include <tact/geometry/mesh_findings.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The array that the text assigns to `exports.NAME`.
json exported_array(const fs::path& file, const std::string& text, const std::string& name)
{
  const std::string start = "exports." + name + "=";
  const std::size_t at = text.find(start);
  const std::size_t end = at == text.npos ? text.npos : text.find("]]", at);
  if (end == text.npos)
    throw Error(
        fmt::format("{}: found no \"{}[[...]]\", expected the bunny of npm", file.string(), start));
  return parse_json(file, text.substr(at + start.size(), end + 2 - at - start.size()));
}

// Onto y = 0, in the middle, with a height of 1.
void stand(TriMesh& mesh)
{
  const Aabb box = bounding_box(mesh.positions);
  const Vector3d foot(box.centre().x(), box.low.y(), box.centre().z());
  for (Vector3d& p : mesh.positions) p = (p - foot) / box.extent().y();
}

// An egg of 4,000 triangles with two ears. Ears raise the upper half by a function of x and z
// alone: it stays a graph over that plane and so cannot meet itself.
TriMesh stand_in()
{
  TriMesh mesh = make_capsule(1.0, 0.1, 50, 20);
  const auto ear = [](double x, double z) {
    return std::exp(-(std::pow(x / 0.2, 2.0) + std::pow(z / 0.16, 2.0)));
  };
  for (Vector3d& p : mesh.positions) {
    const double ears =
        p.y() > 0.0 ? ear(p.x() - 0.1, p.z() - 0.38) + ear(p.x() - 0.1, p.z() + 0.38) : 0.0;
    p = {1.1 * p.x(), std::max(p.y(), -0.9) + 1.1 * ears, 0.8 * p.z()};
  }
  return mesh;
}

}  // namespace

fs::path bunny_file()
{
  const char* given = std::getenv("TACT_BUNNY");
  return given ? given : TACT_BUNNY_FILE;
}

TriMesh parse_bunny(const fs::path& file, const std::string& text)
{
  const json positions = exported_array(file, text, "positions");
  const json cells = exported_array(file, text, "cells");
  const JsonValue places(file, "/positions", positions), corners(file, "/cells", cells);
  TriMesh mesh;
  for (int i = 0; i < places.array_size(); ++i) mesh.positions.push_back(places.at(i).vector(3));
  for (int i = 0; i < corners.array_size(); ++i) {
    const JsonValue cell = corners.at(i);
    cell.require_array(3);
    Triangle triangle;
    for (int k = 0; k < 3; ++k) triangle[k] = cell.at(k).integer_in(0, mesh.vertex_count() - 1);
    mesh.triangles.push_back(triangle);
  }
  const SurfaceCheck found = check(mesh);
  if (has_defects(findings(found)) || !found.closed())
    throw Error(
        fmt::format("{}: found an open or faulty surface, expected a closed one", file.string()));
  return mesh;
}

BunnyMesh make_bunny(const std::string& model)
{
  const fs::path file = bunny_file();
  const bool there = fs::is_regular_file(file);
  if (model == "package" && !there)
    throw Error(
        fmt::format("/model: found no {}, expected the bunny of npm (assets/bunny/install gets it)",
                    file.string()));
  const bool real = there && model != "stand-in";
  BunnyMesh bunny{real ? parse_bunny(file, read_text(file)) : stand_in(),
                  real ? "bunny" : "stand-in"};
  stand(bunny.surface);
  return bunny;
}

}  // namespace tact
