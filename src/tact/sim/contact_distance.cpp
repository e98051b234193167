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
constexpr double of_extent = 0.02;
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
                                      ? of_extent * bounding_box(x).extent().minCoeff()
                                      : of_mean_edge * mean_edge(body.triangles(), x));
  }
  if (!std::isfinite(distance) || distance <= 0.0) return when_nothing_moves;
  const double clearance = clearance_at_start(world, distance);
  if (clearance >= distance) return distance;
  return std::max(of_clearance * clearance, least_of_shapes * distance);
}

}  // namespace tact
