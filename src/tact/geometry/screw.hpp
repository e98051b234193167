// The screw that carries a rigid body from one place to another: a turn about an axis and a way
// along it (Chasles). What turns about something else does so along it, wherever its own centre is.
#pragma once

#include <Eigen/Geometry>

#include <tact/core/types.hpp>

namespace tact {

struct Screw {
  Vector3d axis = Vector3d::UnitZ();  // unit
  Vector3d about = Vector3d::Zero();  // m: a point of the axis
  double angle = 0.0, advance = 0.0;  // rad, 0 to pi; m along the axis

  // The motion from the start to a share (0 to 1) of the way.
  Eigen::Isometry3d part(double share) const;

  // m: from the axis.
  double radius(const Vector3d& x) const { return axis.cross(x - about).norm(); }
};

// Of the displacement x -> D x. `near`: a place of the body, for the sake of rounding.
Screw screw_of(const Eigen::Isometry3d& D, const Vector3d& near);

}  // namespace tact
