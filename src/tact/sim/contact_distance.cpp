#include <tact/sim/contact_distance.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tact {
namespace {

constexpr double of_mean_edge = 0.1;
constexpr double of_extent = 0.02;
constexpr double when_nothing_moves = 1e-3;  // m

double mean_edge(std::span<const Triangle> triangles, std::span<const Vector3d> x)
{
  double sum = 0.0;
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) sum += (x[t[k]] - x[t[(k + 1) % 3]]).norm();
  return sum / (3.0 * static_cast<double>(triangles.size()));
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
  return std::isfinite(distance) && distance > 0.0 ? distance : when_nothing_moves;
}

}  // namespace tact
