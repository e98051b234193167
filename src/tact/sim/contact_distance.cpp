#include <tact/sim/contact_distance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/collision/proximity.hpp>
#include <tact/sim/pair_targets.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {
namespace {

constexpr double of_mean_edge = 0.1;
constexpr double of_width = 0.02;
constexpr std::size_t faces_looked_at = 100;
constexpr double when_nothing_moves = 1e-3;  // m
constexpr double of_clearance = 0.5;
constexpr double least_of_shapes = 0.05;  // of what shapes alone would give

double mean_edge(std::span<const Triangle> triangles, std::span<const Vector3d> x)
{
  double sum = 0.0;
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) sum += (x[t[k]] - x[t[(k + 1) % 3]]).norm();
  return sum / (3.0 * static_cast<double>(triangles.size()));
}

double width_along(const Vector3d& direction, std::span<const Vector3d> x)
{
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vector3d& p : x) {
    low = std::min(low, direction.dot(p));
    high = std::max(high, direction.dot(p));
  }
  return high - low;
}

// m: the least from a face to what lies farthest behind it, of some faces spread over the surface:
// it does not depend on how the body is turned. Of a flat plate the same from its sides.
double least_width(std::span<const Triangle> triangles, std::span<const Vector3d> x)
{
  const double flat = 1e-9 * bounding_box(x).extent().maxCoeff();
  const std::size_t stride = std::max<std::size_t>(1, triangles.size() / faces_looked_at);
  double across = std::numeric_limits<double>::infinity(), along = across;
  for (std::size_t i = 0; i < triangles.size(); i += stride) {
    const Triangle& t = triangles[i];
    const Vector3d N = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).normalized();
    if (N.isZero(0.0)) continue;
    if (const double width = width_along(N, x); width > flat) {
      across = std::min(across, width);
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      const Vector3d side = x[t[(k + 1) % 3]] - x[t[k]];
      along = std::min(along, width_along(N.cross(side).normalized(), x));
    }
  }
  return std::isfinite(across) ? across : along;
}

// m: of bodies that enclose one another at the start, where that is within reach.
double clearance_at_start(const World& world, double reach)
{
  const WorldSurfaces surfaces = surfaces_of(world);
  std::vector<Vector3d> x;
  place_surfaces(world, world.start(), x);
  PairTargets targets(world, surfaces, reach);
  targets.begin(find_close_pairs(surfaces.set, x, reach), 0.0);
  return targets.least_clearance();
}

}  // namespace

double choose_contact_distance(const World& world)
{
  const State start = world.start();
  double distance = std::numeric_limits<double>::infinity();
  std::vector<Vector3d> x;
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    if (body.node_count() == 0 || body.triangles().empty()) continue;
    x.resize(body.vertex_count());
    body.place_surface(start.t, world.q(start, i), x);
    distance = std::min(distance, body.kind() == BodyKind::rigid
                                      ? of_width * least_width(body.triangles(), x)
                                      : of_mean_edge * mean_edge(body.triangles(), x));
  }
  if (!std::isfinite(distance) || distance <= 0.0) return when_nothing_moves;
  const double clearance = clearance_at_start(world, distance);
  if (clearance >= distance) return distance;
  return std::max(of_clearance * clearance, least_of_shapes * distance);
}

}  // namespace tact
