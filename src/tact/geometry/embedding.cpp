#include <tact/geometry/embedding.hpp>

#include <algorithm>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>
#include <tact/geometry/box_tree.hpp>

namespace tact {
namespace {

// A vertex this far outside, measured in altitudes, counts as inside: surfaces are often made of
// the very faces of the solid, and rounding moves them.
constexpr double tolerance = 1e-9;

// Ratios of volumes, taken from the point itself: at a node three of them are exactly zero.
std::array<double, 4> weights_of(const Vector3d& point, const std::array<Vector3d, 4>& corners)
{
  const Vector3d a = corners[0] - point, b = corners[1] - point;
  const Vector3d c = corners[2] - point, d = corners[3] - point;
  std::array<double, 4> weights{d.dot(b.cross(c)), d.dot(c.cross(a)), d.dot(a.cross(b)),
                                -a.dot(b.cross(c))};
  const double whole = weights[0] + weights[1] + weights[2] + weights[3];
  for (double& w : weights) w /= whole;
  return weights;
}

Aabb padded_box(const std::array<Vector3d, 4>& corners)
{
  Aabb box = box_of(corners[0], corners[1], corners[2], corners[3]);
  const Vector3d pad = Vector3d::Constant(tolerance * box.extent().maxCoeff());
  return {box.low - pad, box.high + pad};
}

}  // namespace

EmbeddedSurface embed(const TriMesh& surface, const TetMesh& solid)
{
  validate(surface);
  validate(solid);
  std::vector<Aabb> boxes;
  boxes.reserve(solid.tetrahedra.size());
  for (int t = 0; t < solid.tetrahedron_count(); ++t) boxes.push_back(padded_box(solid.corners(t)));
  const BoxTree tree(boxes);

  EmbeddedSurface embedded{surface.triangles, {}};
  embedded.vertices.reserve(surface.positions.size());
  for (int v = 0; v < surface.vertex_count(); ++v) {
    const Vector3d& point = surface.positions[v];
    Barycentric best;
    double best_depth = -tolerance;  // of the point inside of the tetrahedron, in altitudes
    bool found = false;
    tree.for_each_overlap(Aabb{point, point}, [&](int t) {
      const std::array<double, 4> weights = weights_of(point, solid.corners(t));
      const double depth = *std::min_element(weights.begin(), weights.end());
      if (depth < best_depth || (found && depth == best_depth)) return;
      best = {solid.tetrahedra[t], weights};
      best_depth = depth;
      found = true;
    });
    if (!found)
      throw Error(
          fmt::format("embed: vertex {} at ({:g}, {:g}, {:g}) is outside of all {} "
                      "tetrahedra; expected a solid that encloses the surface",
                      v, point[0], point[1], point[2], solid.tetrahedron_count()));
    embedded.vertices.push_back(best);
  }
  return embedded;
}

}  // namespace tact
