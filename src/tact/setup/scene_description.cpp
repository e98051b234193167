#include <tact/setup/scene_description.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// For std::visit: one lambda an alternative.
template <class... Lambdas>
struct Overloaded : Lambdas... {
  using Lambdas::operator()...;
};
template <class... Lambdas>
Overloaded(Lambdas...) -> Overloaded<Lambdas...>;

Eigen::Isometry3d pose_of(const Vector3d& position, const Eigen::Quaterniond& orientation)
{
  return Eigen::Translation3d(position) * orientation.normalized();
}

TriMesh placed(const TriMesh& surface, const Eigen::Isometry3d& pose)
{
  TriMesh result = surface;
  for (Vector3d& p : result.positions) p = pose * p;
  return result;
}

TriMesh soft_surface(const SoftOptions& soft)
{
  if (!soft.surface) return compact(soft.mesh.positions, boundary_faces(soft.mesh)).mesh;
  TriMesh surface{.positions = {}, .triangles = soft.surface->triangles};
  for (const Barycentric& vertex : soft.surface->vertices) {
    Vector3d p = Vector3d::Zero();
    for (int k = 0; k < 4; ++k) p += vertex.weights[k] * soft.mesh.positions[vertex.nodes[k]];
    surface.positions.push_back(p);
  }
  return surface;
}

TriMesh obstacle_surface(const ObstacleOptions& obstacle)
{
  TriMesh surface = obstacle.surface;
  if (!obstacle.cache.vertices.empty()) surface.positions = obstacle.cache.vertices.front();
  return surface;
}

}  // namespace

void Place::reject(std::string_view found, std::string_view expected) const
{
  throw Error(fmt::format("{}: {}: found {}, expected {}", file,
                          pointer.empty() ? "top level" : pointer, found, expected));
}

std::int64_t RunOptions::steps() const
{
  return std::max<std::int64_t>(1, std::llround(time / dt));
}

PairFriction FrictionSettings::of(int a, int b) const
{
  const auto listed = std::find_if(pairs.rbegin(), pairs.rend(), [&](const PairFriction& pair) {
    return (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a);
  });
  if (listed != pairs.rend()) return *listed;
  const auto own = [&](int body) {
    const bool given = body < static_cast<int>(body_mu.size()) && body_mu[body];
    return given ? *body_mu[body] : mu;
  };
  const double mu_a = own(a), mu_b = own(b);
  return {a, b, mu_a == mu_b ? mu_a : std::sqrt(mu_a * mu_b), restitution};
}

int SceneDescription::find(std::string_view body) const
{
  const auto it = std::find_if(bodies.begin(), bodies.end(),
                               [&](const BodyDescription& b) { return b.name == body; });
  return it == bodies.end() ? -1 : static_cast<int>(it - bodies.begin());
}

TriMesh start_surface(const BodyOptions& options)
{
  return std::visit(Overloaded{[&](const RigidOptions& rigid) {
                                 return placed(rigid.surface, start_pose(options));
                               },
                               [](const ClothOptions& cloth) { return cloth.surface; },
                               [](const SoftOptions& soft) { return soft_surface(soft); },
                               [&](const ObstacleOptions& obstacle) {
                                 return placed(obstacle_surface(obstacle), start_pose(options));
                               }},
                    options);
}

Eigen::Isometry3d start_pose(const BodyOptions& options)
{
  if (const auto* rigid = std::get_if<RigidOptions>(&options))
    return pose_of(rigid->position, rigid->orientation);
  const auto* obstacle = std::get_if<ObstacleOptions>(&options);
  if (!obstacle || obstacle->motion.empty()) return Eigen::Isometry3d::Identity();
  const Keyframe& first = obstacle->motion.front();
  return pose_of(first.position, first.orientation);
}

}  // namespace tact
