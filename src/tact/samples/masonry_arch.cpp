#include <tact/samples/masonry_arch.hpp>

#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/rigid_body.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {

World masonry_arch(const MasonryArch& arch)
{
  const double inner = 1.0 - 0.5 * arch.thickness, outer = 1.0 + 0.5 * arch.thickness;
  const double depth = 0.15, larger = 0.002;  // m
  // The faces of a joint are parallel, half a joint to both sides of its radius.
  const auto stone = [&](double from, double to, double more) {
    TriMesh mesh = make_box({2.0, 2.0, depth + 2.0 * more});
    for (Vector3d& x : mesh.positions) {
      const double angle = x.x() < 0.0 ? from : to;  // counted from the crown, clockwise
      const double r = x.y() < 0.0 ? inner - more : outer + more;
      const Vector3d radial(std::sin(angle), std::cos(angle), 0.0);
      const Vector3d along(std::cos(angle), -std::sin(angle), 0.0);
      x = r * radial + (x.x() < 0.0 ? 0.5 : -0.5) * arch.joint * along + Vector3d(0, 0, x.z());
    }
    return mesh;
  };
  WorldBuilder builder;
  builder.law.mu = 0.7;
  const double half = std::numbers::pi / 2.0, step = std::numbers::pi / arch.stones;
  for (int k = 0; k < arch.stones; ++k) {
    RigidOptions options;
    options.surface = stone(-half + k * step, -half + (k + 1) * step, k % 2 ? larger : 0.0);
    options.mass = mass_properties(options.surface, 2000.0);
    builder.add(make_rigid_body(fmt::format("stone{}", k), std::move(options)));
  }
  for (const double side : {-1.0, 1.0}) {
    ObstacleOptions abutment;
    abutment.surface = make_box({0.6, 0.2, 0.6});
    for (Vector3d& x : abutment.surface.positions)
      x += Vector3d(side, -0.1 - 0.5 * arch.joint, 0.0);
    builder.add(make_obstacle(side < 0.0 ? "left" : "right", std::move(abutment)));
  }
  return builder.build();
}

}  // namespace tact
