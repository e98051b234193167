// Ends of joints in the world and on rods, for laws about mechanisms.
#pragma once

#include <string>
#include <utility>

#include <Eigen/Geometry>

#include <laws/law_worlds.hpp>

namespace tact::test {

// A place in the world at the start, as the frame of a joint on a body that is put at `position`
// and turned by R.
inline JointEnd on(int body, const Vector3d& at, const Vector3d& axis, const Vector3d& position,
                   const Matrix3d& R = Matrix3d::Identity())
{
  return {
      .body = body,
      .local = {.at = R.transpose() * (at - position), .axes = R.transpose() * axes_along(axis)}};
}

inline JointEnd in_world(const Vector3d& at, const Vector3d& axis)
{
  return {.body = -1, .local = {.at = at, .axes = axes_along(axis)}};
}

// A rod of `length` along the direction from `from`, and its centre.
struct Rod {
  int body;
  Vector3d centre;
  Matrix3d R;
};

inline Rod add_rod(WorldBuilder& builder, const std::string& name, const Vector3d& from,
                   const Vector3d& direction, double length, double density = 1000.0,
                   double width = 0.02)
{
  RigidOptions rod = rigid_block({length, width, width}, from + 0.5 * length * direction, density);
  rod.orientation = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), direction).normalized();
  const Vector3d centre = rod.position;
  const Matrix3d R = rod.orientation.toRotationMatrix();
  return {builder.add(make_rigid_body(name, std::move(rod))), centre, R};
}

inline JointEnd on(const Rod& rod, const Vector3d& at, const Vector3d& axis = Vector3d::UnitZ())
{
  return on(rod.body, at, axis, rod.centre, rod.R);
}

}  // namespace tact::test
