// Small worlds for the tests of the sim layer.
#pragma once

#include <memory>

#include <tact/bodies/cloth.hpp>
#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/rigid_body.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/sim/world.hpp>

namespace tact::test {

inline std::unique_ptr<Body> box(const std::string& name, const Vector3d& position,
                                 double density = 1000.0, const Vector3d& size = {0.1, 0.1, 0.1})
{
  RigidOptions options;
  options.surface = make_box(size);
  options.mass = mass_properties(options.surface, density);
  options.position = position;
  return make_rigid_body(name, std::move(options));
}

// n x n vertices, level, one corner at the origin's height; 1 m wide.
inline std::unique_ptr<Body> sheet(const std::string& name, int n, double height,
                                   const ClothStiffness& stiffness = {})
{
  ClothOptions options;
  options.surface = make_cloth(1.0, 1.0, n, n);
  for (Vector3d& x : options.surface.positions) x.y() += height;
  options.springs = grid_springs(options.surface, n, n, stiffness);
  return make_cloth_body(name, std::move(options));
}

inline std::unique_ptr<Body> jelly(const std::string& name, const Vector3d& position, double young,
                                   int cells = 2)
{
  SoftOptions options;
  options.mesh = make_tet_box({0.1, 0.1, 0.1}, {cells, cells, cells});
  for (Vector3d& x : options.mesh.positions) x += position;
  options.young = young;
  return make_soft_body(name, std::move(options));
}

inline std::unique_ptr<Body> turntable(const std::string& name, double angular_speed)
{
  ObstacleOptions options;
  options.surface = make_box({1.0, 0.1, 1.0});
  for (int k = 0; k <= 40; ++k) {
    const double t = 0.1 * k;
    options.motion.push_back({.t = t,
                              .position = Vector3d::Zero(),
                              .orientation = Eigen::Quaterniond(
                                  Eigen::AngleAxisd(angular_speed * t, Vector3d::UnitY()))});
  }
  return make_obstacle(name, std::move(options));
}

}  // namespace tact::test
