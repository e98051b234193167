// The rotation and translation that carry one set of points onto another as well as any do.
#pragma once

#include <span>

#include <Eigen/Geometry>

#include <tact/core/types.hpp>

namespace tact {

// y = rotation * x + place, for x relative to the centroid of the points it was fitted to.
struct RigidFit {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vector3d place = Vector3d::Zero();
  double error = 0.0;  // m, the largest distance that is left
};

// The rotation R that maximises sum y . R x over some pairs of points, given S = sum x y' (Horn
// 1987: its quaternion is the eigenvector of a symmetric 4 x 4 matrix).
Eigen::Quaterniond best_rotation(const Matrix3d& S);

Vector3d centroid(std::span<const Vector3d> points);

// Least squares over all rotations. `from` is relative to its centroid and has as many points as
// `to`.
RigidFit fit_rigid(std::span<const Vector3d> from, std::span<const Vector3d> to);

}  // namespace tact
