#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <tact/core/random.hpp>
#include <tact/core/types.hpp>
#include <tact/linalg/rotation_lanes.hpp>

using namespace tact;

namespace {

using Group = std::array<Matrix3d, lane_width>;

Group nearest_rotations(const Group& F)
{
  Matrix3Lanes lanes;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < lane_width; ++k) lanes[i][j][k] = F[k](i, j);
    }
  }
  const Matrix3Lanes result = nearest_rotation(lanes);
  Group R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < lane_width; ++k) R[k](i, j) = result[i][j][k];
    }
  }
  return R;
}

Matrix3d nearest_rotation_of(const Matrix3d& F)
{
  Group group;
  group.fill(F);
  return nearest_rotations(group)[0];
}

Matrix3d random_rotation(Random& random)
{
  Eigen::Quaterniond q;
  do {
    const Vector3d v = random.in_cube(1.0);
    q = Eigen::Quaterniond(random.uniform(-1.0, 1.0), v[0], v[1], v[2]);
  } while (q.norm() < 0.1 || q.norm() > 1.0);
  return q.normalized().toRotationMatrix();
}

// U diag(s) V' with random rotations U, V.
Matrix3d with_singular_values(const Vector3d& s, Random& random)
{
  return random_rotation(random) * s.asDiagonal() * random_rotation(random).transpose();
}

// U diag(1, 1, det(U V')) V': the rotation nearest to F in the Frobenius norm.
Matrix3d nearest_by_svd(const Matrix3d& F)
{
  const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix3d &U = svd.matrixU(), &V = svd.matrixV();
  const double sign = (U * V.transpose()).determinant() > 0.0 ? 1.0 : -1.0;
  return U * Vector3d(1.0, 1.0, sign).asDiagonal() * V.transpose();
}

void check_rotation(const Matrix3d& R)
{
  CHECK((R.transpose() * R - Matrix3d::Identity()).norm() < 1e-14);
  CHECK(R.determinant() == doctest::Approx(1.0).epsilon(1e-14));
}

// Stationary: F R' is symmetric. Nearest: tr(R' F) is as large as the SVD can make it.
void check_nearest(const Matrix3d& F, const Matrix3d& R, double tolerance)
{
  check_rotation(R);
  const Matrix3d M = F * R.transpose();
  CHECK((M - M.transpose()).norm() <= tolerance * F.norm());
  CHECK((R.transpose() * F).trace() >=
        (nearest_by_svd(F).transpose() * F).trace() - tolerance * F.norm());
}

// What the kinds of matrices below are made of, smallest first.
void check_kind(const std::vector<Vector3d>& singular_values, double tolerance, Random& random)
{
  for (int trial = 0; trial < 200; ++trial) {
    Group F;
    for (Matrix3d& each : F) {
      const int kind = random.below(static_cast<int>(singular_values.size()));
      each = with_singular_values(singular_values[kind], random);
    }
    const Group R = nearest_rotations(F);
    for (int k = 0; k < lane_width; ++k) check_nearest(F[k], R[k], tolerance);
  }
}

constexpr double round_off = 2e-14;  // stationary to a few units of round-off of |F|

}  // namespace

TEST_CASE("the rotation of R S with S positive definite is R")
{
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Matrix3d expected = random_rotation(random), V = random_rotation(random);
    const Vector3d s(random.uniform(0.3, 3.0), random.uniform(0.3, 3.0), random.uniform(0.3, 3.0));
    const Matrix3d R = nearest_rotation_of(expected * V * s.asDiagonal() * V.transpose());
    check_rotation(R);
    // |error| <= round-off |F| / (s_2 + s_3): at most 3 / 0.6.
    CHECK((R - expected).norm() < 1e-13);
  }
}

TEST_CASE("a rotation is its own nearest rotation and the identity that of any stretch of axes")
{
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Matrix3d R = random_rotation(random);
    CHECK((nearest_rotation_of(R) - R).norm() < 1e-14);
  }
  for (const double tiny : {1.0, 1e-3, 1e-20}) {
    const Matrix3d stretch = Vector3d(tiny, 2.0, 1.0).asDiagonal();
    CHECK(nearest_rotation_of(stretch) == Matrix3d::Identity());
  }
}

TEST_CASE("random matrices agree with the polar factor of a singular value decomposition")
{
  Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    Group F;
    for (Matrix3d& each : F) {
      for (int j = 0; j < 3; ++j) each.col(j) = random.in_cube(1.0);  // half of them inverted
    }
    const Group R = nearest_rotations(F);
    for (int k = 0; k < lane_width; ++k) check_nearest(F[k], R[k], round_off);
  }
}

TEST_CASE("flat and nearly flat matrices have a nearest rotation too")
{
  Random random(4);
  check_kind({{1.0, 0.5, 0.0}, {1.0, 1.0, 0.0}, {1.0, 0.5, 1e-8}, {2.0, 0.3, 1e-15}}, round_off,
             random);
}

TEST_CASE("inverted matrices turn the least stretched axis")
{
  Random random(5);
  check_kind({{1.0, 0.8, -0.3}, {1.0, 0.5, -0.1}, {3.0, 0.2, -0.1}, {1.0, 0.9, -0.89}}, round_off,
             random);
  // diag(1, 2, -0.5): the rotation nearest to it is the identity.
  const Matrix3d inverted = Vector3d(1.0, 2.0, -0.5).asDiagonal();
  CHECK(nearest_rotation_of(inverted) == Matrix3d::Identity());
}

TEST_CASE("where several rotations are nearest it is one of them")
{
  Random random(6);
  check_kind({{1.0, 1.0, -1.0}, {1.0, 0.5, -0.5}, {1.0, 0.0, 0.0}}, round_off, random);
  // Nearly so: s_2 + s_3 is 1e-7, and tr changes by 1e-7 at most between the best and the worst.
  check_kind({{1.0, 0.5, -0.5 + 1e-7}, {1.0, 1e-9, -1e-9}, {1.0, 1e-12, 1e-13}}, 1e-8, random);
}

TEST_CASE("matrices of rank 1 and 0 give a rotation, and zero gives the identity")
{
  CHECK(nearest_rotation_of(Matrix3d::Zero()) == Matrix3d::Identity());
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3d a = random.in_cube(1.0), b = random.in_cube(1.0);
    const Matrix3d R = nearest_rotation_of(a * b.transpose());
    check_rotation(R);
    CHECK((R * b.normalized() - a.normalized()).norm() < 1e-13);  // b is turned onto a
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Matrix3d unit = Matrix3d::Zero();
      unit(i, j) = -1.0;
      const Matrix3d R = nearest_rotation_of(unit);
      check_rotation(R);
      CHECK(R(i, j) == doctest::Approx(-1.0).epsilon(1e-14));
    }
  }
}

TEST_CASE("the size of F does not matter, from 1e-250 to 1e250")
{
  Random random(8);
  Matrix3d F;
  for (int j = 0; j < 3; ++j) F.col(j) = random.in_cube(1.0);
  const Matrix3d R = nearest_rotation_of(F);
  for (const double size : {1e-250, 1e-20, 1e20, 1e250}) {
    const Matrix3d scaled = size * F;
    CHECK((nearest_rotation_of(scaled) - R).norm() < 1e-14);
  }
}

TEST_CASE("every lane has the bits it has alone, whatever stands in the other lanes")
{
  Random random(9);
  for (int trial = 0; trial < 200; ++trial) {
    Group F;
    for (Matrix3d& each : F) {
      for (int j = 0; j < 3; ++j) each.col(j) = random.in_cube(1.0);
    }
    F[1].setZero();
    F[2] = Vector3d(1.0, 1.0, -1.0).asDiagonal();
    const Group R = nearest_rotations(F);
    for (int k = 0; k < lane_width; ++k) CHECK(R[k] == nearest_rotation_of(F[k]));
  }
}
