#include <tact/scene/scene_writer.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/mesh_io.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_document.hpp>

namespace tact {
namespace {

using SceneJson = nlohmann::json;

SceneJson array_of(const Vector3d& v)
{
  return {v.x(), v.y(), v.z()};
}

std::string vtk_text(const TetMesh& mesh)
{
  std::string text = "# vtk DataFile Version 3.0\ntetrahedra\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  text += fmt::format("POINTS {} double\n", mesh.vertex_count());
  for (const Vector3d& p : mesh.positions)
    text += fmt::format("{:.17g} {:.17g} {:.17g}\n", p.x(), p.y(), p.z());
  text += fmt::format("CELLS {} {}\n", mesh.tetrahedron_count(), 5 * mesh.tetrahedron_count());
  for (const Tetrahedron& t : mesh.tetrahedra)
    text += fmt::format("4 {} {} {} {}\n", t[0], t[1], t[2], t[3]);
  text += fmt::format("CELL_TYPES {}\n", mesh.tetrahedron_count());
  for (int i = 0; i < mesh.tetrahedron_count(); ++i) text += "10\n";
  return text;
}

// The number that gives these mass properties to the last bit, where there is one near the
// quotient.
double density_for(const MassProperties& mass, const MassProperties& unit)
{
  const double quotient = mass.mass / unit.mass;
  constexpr double top = std::numeric_limits<double>::max();
  for (const double d : {quotient, std::nextafter(quotient, top), std::nextafter(quotient, -top)})
    if (unit.mass * d == mass.mass && unit.inertia * d == mass.inertia) return d;
  return quotient;
}

class BodyWriter {
 public:
  BodyWriter(const std::filesystem::path& scene, const std::string& name) : scene_(scene)
  {
    json_["name"] = name;
  }

  void operator()(const RigidOptions& body)
  {
    json_["type"] = "rigid";
    json_["mesh"] = write(body.surface);
    json_["density"] = density_for(body.mass, mass_properties(body.surface, 1.0));
    json_["position"] = array_of(body.position);
    const Eigen::Vector4d q = body.orientation.coeffs();
    json_["rotation"] = {{"quaternion", {q[0], q[1], q[2], q[3]}}};
    json_["angular_velocity"] = array_of(body.angular_velocity);
    write_motion(body);
  }
  void operator()(const SoftOptions& body)
  {
    if (body.surface || !body.fill.empty()) refuse("a soft body with an embedded surface");
    json_["type"] = "soft";
    const std::filesystem::path file = mesh_file(".vtk");
    write_text(file, vtk_text(body.mesh));
    json_["tetrahedra"] = file.filename().string();
    json_["density"] = body.density;
    json_["young"] = body.young;
    json_["poisson"] = body.poisson;
    json_["mass_damping"] = body.mass_damping;
    json_["stiffness_damping"] = body.stiffness_damping;
    json_["self_collision"] = body.self_collision;
    write_motion(body);
  }
  void operator()(const ClothOptions& body)
  {
    json_["type"] = "cloth";
    json_["mesh"] = write(body.surface);
    json_["density"] = body.area_density;
    write_stiffness(body);
    json_["damping"] = body.damping;
    json_["mass_damping"] = body.mass_damping;
    json_["self_collision"] = body.self_collision;
    write_motion(body);
  }
  void operator()(const ObstacleOptions&) { refuse("an obstacle"); }

  SceneJson take() { return std::move(json_); }

 private:
  template <class Options>
  void write_motion(const Options& body)
  {
    json_["velocity"] = array_of(body.velocity);
    json_["force"] = array_of(body.force);
    json_["drag"] = body.drag;
  }

  // Springs of surface_springs have one of two stiffnesses, the first that of edges.
  void write_stiffness(const ClothOptions& body)
  {
    ClothStiffness stiffness;
    if (!body.springs.empty()) {
      stiffness.stretch = stiffness.bend = body.springs.front().stiffness;
      for (const ClothSpring& spring : body.springs)
        if (spring.stiffness != stiffness.stretch) stiffness.bend = spring.stiffness;
    }
    const std::vector<ClothSpring> expected = surface_springs(body.surface, stiffness);
    const bool same = std::equal(expected.begin(), expected.end(), body.springs.begin(),
                                 body.springs.end(), [](const auto& a, const auto& b) {
                                   return a.a == b.a && a.b == b.b && a.stiffness == b.stiffness &&
                                          a.rest_length == b.rest_length;
                                 });
    if (!same) refuse("a cloth with springs of its own");
    json_["stretch"] = stiffness.stretch;
    json_["bend"] = stiffness.bend;
  }

  std::filesystem::path mesh_file(const char* ending) const
  {
    const std::string name =
        fmt::format("{}-{}{}", scene_.stem().string(), json_["name"].get<std::string>(), ending);
    return scene_.parent_path() / name;
  }
  std::string write(const TriMesh& mesh)
  {
    const std::filesystem::path file = mesh_file(".obj");
    write_obj(file, std::array{NamedSurface{json_["name"].get<std::string>(), &mesh}});
    return file.filename().string();
  }
  [[noreturn]] void refuse(const char* what) const
  {
    throw Error(
        fmt::format("write_scene: body {}: found {}, expected a rigid, cloth or soft body "
                    "that a scene file can name",
                    json_["name"].dump(), what));
  }

  const std::filesystem::path& scene_;
  SceneJson json_ = SceneJson::object();
};

}  // namespace

void write_scene(const std::filesystem::path& file, const SceneDescription& scene)
{
  if (!scene.springs.empty() || !scene.pins.empty() || !scene.joints.empty() ||
      !scene.friction.pairs.empty() || !scene.friction.body_mu.empty())
    throw Error(
        "write_scene: found springs, pins, joints or friction of pairs, expected free bodies");
  SceneJson json = settings_of(scene);
  for (const BodyDescription& body : scene.bodies) {
    BodyWriter writer(file, body.name);
    std::visit(writer, body.options);
    json["bodies"].push_back(writer.take());
  }
  write_text(file, json.dump(1) + "\n");
}

}  // namespace tact
