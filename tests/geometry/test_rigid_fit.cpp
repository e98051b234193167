#include <cmath>

#include <doctest/doctest.h>

#include <tact/core/random.hpp>
#include <tact/geometry/rigid_fit.hpp>

using namespace tact;

namespace {

std::vector<Vector3d> relative(std::vector<Vector3d> points)
{
  const Vector3d middle = centroid(points);
  for (Vector3d& p : points) p -= middle;
  return points;
}

}  // namespace

TEST_CASE("a rotation and translation are found again, also of flat and straight bodies")
{
  Random random(5);
  for (const int dimensions : {3, 2, 1}) {
    for (int round = 0; round < 50; ++round) {
      std::vector<Vector3d> points;
      for (int i = 0; i < 12; ++i) {
        points.push_back(random.in_cube(1.0));
        for (int axis = dimensions; axis < 3; ++axis) points.back()[axis] = 0.0;
      }
      const std::vector<Vector3d> from = relative(points);
      const Eigen::Quaterniond turn(
          Eigen::AngleAxisd(random.uniform(-3.14, 3.14), random.in_cube(1.0).normalized()));
      const Vector3d place = random.in_cube(10.0);
      std::vector<Vector3d> to;
      for (const Vector3d& p : from) to.push_back(turn * p + place);
      const RigidFit fit = fit_rigid(from, to);
      // Rounding of coordinates around 10 is 1e-15; the eigenvector loses one more digit or two.
      CHECK(fit.error < 1e-13);
      CHECK((fit.place - place).norm() < 1e-14);
      if (dimensions > 1) CHECK(std::abs(fit.rotation.dot(turn)) > 1.0 - 1e-13);
    }
  }
}

TEST_CASE("what no rotation explains is the error of the fit")
{
  const std::vector<Vector3d> from{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
  std::vector<Vector3d> to = from;
  for (Vector3d& p : to) p *= 1.5;  // by symmetry the best rotation is none, 0.5 is left everywhere
  CHECK(fit_rigid(from, to).error == doctest::Approx(0.5));
  CHECK(fit_rigid({}, {}).error == 0.0);
}

TEST_CASE("a reflection is not taken for a rotation")
{
  const std::vector<Vector3d> from = relative({{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}});
  std::vector<Vector3d> to = from;
  for (Vector3d& p : to) p[0] = -p[0];
  const RigidFit fit = fit_rigid(from, to);
  CHECK(fit.rotation.toRotationMatrix().determinant() == doctest::Approx(1.0));
  CHECK(fit.error > 0.1);
}
