#include <tact/geometry/rigid_fit.hpp>

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/Eigenvalues>

namespace tact {

// The quaternion (w, x, y, z) is the eigenvector of N(S) to its largest eigenvalue.
Eigen::Quaterniond best_rotation(const Matrix3d& S)
{
  Eigen::Matrix4d N;
  N << S(0, 0) + S(1, 1) + S(2, 2), S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0),  //
      S(1, 2) - S(2, 1), S(0, 0) - S(1, 1) - S(2, 2), S(0, 1) + S(1, 0), S(2, 0) + S(0, 2),   //
      S(2, 0) - S(0, 2), S(0, 1) + S(1, 0), -S(0, 0) + S(1, 1) - S(2, 2), S(1, 2) + S(2, 1),  //
      S(0, 1) - S(1, 0), S(2, 0) + S(0, 2), S(1, 2) + S(2, 1), -S(0, 0) - S(1, 1) + S(2, 2);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(N);
  const Eigen::Vector4d q = solver.eigenvectors().col(3);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

Vector3d centroid(std::span<const Vector3d> points)
{
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& p : points) sum += p;
  return points.empty() ? sum : Vector3d(sum / static_cast<double>(points.size()));
}

RigidFit fit_rigid(std::span<const Vector3d> from, std::span<const Vector3d> to)
{
  assert(from.size() == to.size());
  RigidFit fit;
  fit.place = centroid(to);
  Matrix3d S = Matrix3d::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) S += from[i] * (to[i] - fit.place).transpose();
  if (S.squaredNorm() > 0.0) fit.rotation = best_rotation(S);
  const Matrix3d R = fit.rotation.toRotationMatrix();
  for (std::size_t i = 0; i < from.size(); ++i)
    fit.error = std::max(fit.error, (R * from[i] + fit.place - to[i]).norm());
  return fit;
}

}  // namespace tact
