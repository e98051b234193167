// Scenes of Rigid IPC (Ferguson et al. 2021) as they lie in $TACT_DATA/scenes: rigid bodies of
// meshes in $TACT_DATA/meshes/surface. What speaks of its solver is passed over, and so are
// torques.
#pragma once

#include <array>
#include <filesystem>
#include <numbers>
#include <string>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <tact/files/mesh_io.hpp>
#include <tact/files/text_file.hpp>
#include <tact/geometry/aabb.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/setup/scene_description.hpp>

namespace tact::test {

inline Vector3d ipc_vector(const nlohmann::json& body, const char* key)
{
  if (!body.contains(key)) return Vector3d::Zero();
  const auto v = body[key].get<std::array<double, 3>>();
  return {v[0], v[1], v[2]};
}

inline Vector3d ipc_scale(const nlohmann::json& body, const TriMesh& mesh)
{
  if (body.contains("dimensions")) {
    const Vector3d wanted = ipc_vector(body, "dimensions");
    const Vector3d extent = bounding_box(mesh.positions).extent();
    return (extent.array() > 0.0).select(wanted.cwiseQuotient(extent), Vector3d::Ones());
  }
  if (!body.contains("scale")) return Vector3d::Ones();
  if (body["scale"].is_number()) return Vector3d::Constant(body["scale"].get<double>());
  return ipc_vector(body, "scale");
}

// Degrees, R = Rz Ry Rx.
inline Eigen::Quaterniond ipc_rotation(const nlohmann::json& body)
{
  const Vector3d r = ipc_vector(body, "rotation") * (std::numbers::pi / 180.0);
  return Eigen::AngleAxisd(r.z(), Vector3d::UnitZ()) * Eigen::AngleAxisd(r.y(), Vector3d::UnitY()) *
         Eigen::AngleAxisd(r.x(), Vector3d::UnitX());
}

// A flat rectangle has no volume: as a plate, 1 m thick for its mass and thin for its moments. What
// its mass is does not matter where all that moves is of its kind.
inline MassProperties plate_mass(const TriMesh& mesh, double density)
{
  const Aabb box = bounding_box(mesh.positions);
  const Vector3d e = box.extent();
  const double m = density * e.x() * e.z();
  const Vector3d moments(e.z() * e.z(), e.x() * e.x() + e.z() * e.z(), e.x() * e.x());
  return {.mass = m, .centre = box.centre(), .inertia = (m / 12.0 * moments).asDiagonal()};
}

inline bool ipc_fixed(const nlohmann::json& body)
{
  if (body.value("type", "") == "static") return true;
  if (!body.contains("is_dof_fixed")) return false;
  const nlohmann::json& fixed = body["is_dof_fixed"];
  if (fixed.is_boolean()) return fixed.get<bool>();
  return std::all_of(fixed.begin(), fixed.end(),
                     [](const auto& f) { return f.template get<bool>(); });
}

inline BodyOptions ipc_body(const nlohmann::json& body, const std::filesystem::path& meshes)
{
  TriMesh mesh = read_surface(meshes / body["mesh"].get<std::string>());
  const Vector3d scale = ipc_scale(body, mesh);
  for (Vector3d& p : mesh.positions) p = p.cwiseProduct(scale);
  if (scale.prod() < 0.0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  const Vector3d position = ipc_vector(body, "position");
  const Eigen::Quaterniond rotation = ipc_rotation(body);
  if (ipc_fixed(body))
    return ObstacleOptions{.surface = std::move(mesh),
                           .motion = {{.t = 0.0, .position = position, .orientation = rotation}}};
  RigidOptions rigid;
  const bool flat = bounding_box(mesh.positions).extent().minCoeff() == 0.0;
  constexpr double density = 1000.0;  // kg/m^3
  rigid.mass = flat ? plate_mass(mesh, density) : mass_properties(mesh, density);
  rigid.surface = std::move(mesh);
  rigid.position = position;
  rigid.orientation = rotation;
  rigid.velocity = ipc_vector(body, "linear_velocity");
  rigid.angular_velocity = ipc_vector(body, "angular_velocity") * (std::numbers::pi / 180.0);
  rigid.force = ipc_vector(body, "force");
  return rigid;
}

// `data` is $TACT_DATA, `name` such as "unit/edge-edge". Bodies are called b0, b1, ... in their
// order.
inline SceneDescription rigid_ipc_scene(const std::filesystem::path& data, const std::string& name)
{
  const auto json = nlohmann::json::parse(read_text(data / "scenes" / (name + ".json")));
  const nlohmann::json& problem = json["rigid_body_problem"];
  SceneDescription scene;
  scene.name = name;
  scene.run.dt = json["timestep"];
  scene.run.time = json["max_time"];
  scene.gravity = ipc_vector(problem, "gravity");
  scene.friction.mu = problem.value("coefficient_friction", 0.0);
  scene.friction.restitution = std::max(0.0, problem.value("coefficient_restitution", 0.0));
  for (const nlohmann::json& body : problem["rigid_bodies"])
    scene.bodies.push_back(
        {"b" + std::to_string(scene.bodies.size()), ipc_body(body, data / "meshes/surface"), {}});
  return scene;
}

}  // namespace tact::test
