// Rotations and the vectors (axis times angle) they come from.
#pragma once

#include <cmath>

#include <Eigen/Geometry>

#include <tact/core/types.hpp>

namespace tact {

inline Matrix3d cross_matrix(const Vector3d& a)  // a x b as a product
{
  Matrix3d X;
  X << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return X;
}

// The turn by |turn| rad around `turn`. Below 1e-4 rad the next term of the series is under 1e-19.
inline Eigen::Quaterniond exp_rotation(const Vector3d& turn)
{
  const double half = 0.5 * turn.norm();
  const double sine_ratio = half > 1e-4 ? std::sin(half) / half : 1.0 - half * half / 6.0;
  Eigen::Quaterniond rotation;
  rotation.w() = std::cos(half);
  rotation.vec() = (0.5 * sine_ratio) * turn;
  return rotation;
}

// What a turn by the angle a is made of:
//   exp(turn) x = x + sine (turn x x) + cosine (turn x (turn x x))
struct TurnSeries {
  double sine = 1.0;       // sin(a) / a
  double cosine = 0.5;     // (1 - cos(a)) / a^2
  double remainder = 0.0;  // (a - sin(a)) / a^3
};

inline TurnSeries turn_series(const Vector3d& turn)
{
  const double square = turn.squaredNorm();
  if (square < 1e-6)  // the next terms are below 1e-16, and differences would lose digits
    return {1.0 - square / 6.0 * (1.0 - square / 20.0), 0.5 - square / 24.0,
            1.0 / 6.0 - square / 120.0};
  const double angle = std::sqrt(square);
  const double sine = std::sin(angle) / angle;
  return {sine, (1.0 - std::cos(angle)) / square, (1.0 - sine) / square};
}

// R S R', symmetric to the last bit where S is symmetric.
inline Matrix3d rotated(const Matrix3d& R, const Matrix3d& S)
{
  const Matrix3d T = R * S * R.transpose();
  return 0.5 * (T + T.transpose());
}

}  // namespace tact
