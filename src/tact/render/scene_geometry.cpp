#include <tact/render/scene_geometry.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr double largest_coordinate = 1e9;  // m; single precision is of no use beyond

bool in_range(const Vector3d& p)
{
  return (p.array().abs() <= largest_coordinate).all();  // false for NaN
}

void validate(const RenderMesh& mesh, int number)
{
  const auto bad_vertex = std::find_if_not(mesh.vertices.begin(), mesh.vertices.end(), in_range);
  if (bad_vertex != mesh.vertices.end())
    throw Error(fmt::format(
        "render: mesh {}: vertex {} is at ({}, {}, {}), expected finite numbers up to {:g}", number,
        bad_vertex - mesh.vertices.begin(), bad_vertex->x(), bad_vertex->y(), bad_vertex->z(),
        largest_coordinate));
  if (!(mesh.crease_angle >= 0.0 && mesh.crease_angle <= 180.0))
    throw Error(fmt::format("render: mesh {}: crease angle is {} degrees, expected 0 to 180",
                            number, mesh.crease_angle));
  const int count = static_cast<int>(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const int vertex : mesh.triangles[i])
      if (vertex < 0 || vertex >= count)
        throw Error(fmt::format("render: mesh {}: triangle {} names vertex {}, there are {}",
                                number, i, vertex, count));
}

}  // namespace

void validate(const RenderScene& scene)
{
  for (std::size_t k = 0; k < scene.meshes.size(); ++k)
    validate(scene.meshes[k], static_cast<int>(k));
  for (const RenderLine& line : scene.lines)
    if (!in_range(line.from) || !in_range(line.to))
      throw Error("render: a line ends out of range, expected finite coordinates");
  if (!scene.ground) return;
  const Ground& g = *scene.ground;
  if (!in_range(g.centre) || !(std::abs(g.height) <= largest_coordinate) || !(g.radius > 0.0) ||
      !(g.square > 0.0))
    throw Error("render: the ground needs finite numbers, a radius > 0 and squares > 0");
}

SceneGeometry gather_geometry(const RenderScene& scene, const Vector3d& eye)
{
  SceneGeometry geometry;
  for (std::size_t k = 0; k < scene.meshes.size(); ++k) {
    const RenderMesh& mesh = scene.meshes[k];
    const int first = static_cast<int>(geometry.vertices.size());
    for (const Vector3d& vertex : mesh.vertices)
      geometry.vertices.push_back((vertex - eye).cast<float>());
    for (const Triangle& t : mesh.triangles)
      geometry.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    const auto normals = corner_normals(mesh.vertices, mesh.triangles, mesh.crease_angle);
    geometry.normals.insert(geometry.normals.end(), normals.begin(), normals.end());
    geometry.mesh.insert(geometry.mesh.end(), mesh.triangles.size(), static_cast<int>(k));
  }
  return geometry;
}

std::vector<Eigen::Vector3f> vertex_normals(const SceneGeometry& geometry)
{
  std::vector<Eigen::Vector3f> normals(geometry.vertices.size(), Eigen::Vector3f::Zero());
  for (int i = 0; i < geometry.triangle_count(); ++i)
    for (int k = 0; k < 3; ++k) normals[geometry.triangles[i][k]] += geometry.normals[i][k];
  for (Eigen::Vector3f& normal : normals) normal.normalize();
  return normals;
}

std::vector<Corners> shadow_casters(const SceneGeometry& geometry, const RenderScene& scene)
{
  std::vector<Corners> casters;
  casters.reserve(geometry.triangles.size());
  for (int i = 0; i < geometry.triangle_count(); ++i)
    if (scene.meshes[geometry.mesh[i]].casts_shadow) casters.push_back(geometry.corners(i));
  return casters;
}

}  // namespace tact
