// Screws: every displacement of a rigid body is a turn about an axis and a way along it.
#include <random>

#include <doctest/doctest.h>

#include <tact/geometry/screw.hpp>

using namespace tact;

namespace {

Vector3d random_vector(std::mt19937& random, double size)
{
  std::normal_distribution<double> number;
  return size * Vector3d(number(random), number(random), number(random));
}

Eigen::Isometry3d displacement(std::mt19937& random, double angle)
{
  Eigen::Isometry3d D = Eigen::Isometry3d::Identity();
  D.linear() = Eigen::AngleAxisd(angle, random_vector(random, 1.0).normalized()).toRotationMatrix();
  D.translation() = random_vector(random, 1.0);
  return D;
}

}  // namespace

TEST_CASE("a screw ends where its displacement does, and its axis only moves along itself")
{
  std::mt19937 random(1);
  for (const double angle : {1e-3, 0.1, 0.5, 2.0, 3.1}) {
    CAPTURE(angle);
    for (int k = 0; k < 20; ++k) {
      const Eigen::Isometry3d D = displacement(random, angle);
      const Vector3d x = random_vector(random, 1.0);
      const Screw screw = screw_of(D, x);
      CHECK(screw.angle == doctest::Approx(angle).epsilon(1e-9));
      // The axis lies 1 / angle away, and so do digits.
      CHECK((screw.part(1.0) * x - D * x).norm() < 1e-14 / angle);
      CHECK((screw.part(0.0) * x - x).norm() < 1e-14 / angle);
      const Vector3d carried = D * screw.about - screw.about;
      CHECK((carried - screw.advance * screw.axis).norm() < 1e-12 / angle);
      // Two halves make the whole, and radii stay.
      const Eigen::Isometry3d half = screw.part(0.5);
      CHECK((half * (half * x) - D * x).norm() < 1e-13 / angle);
      CHECK(screw.radius(screw.part(0.3) * x) == doctest::Approx(screw.radius(x)));
    }
  }
}

TEST_CASE("without a turn a screw is the way itself")
{
  Eigen::Isometry3d D = Eigen::Isometry3d::Identity();
  D.translation() = Vector3d(3.0, 0.0, 4.0);
  const Screw screw = screw_of(D, Vector3d(1.0, 2.0, 3.0));
  CHECK(screw.angle == 0.0);
  CHECK(screw.advance == doctest::Approx(5.0));
  CHECK((screw.part(0.5).translation() - Vector3d(1.5, 0.0, 2.0)).norm() < 1e-15);
  CHECK(screw_of(Eigen::Isometry3d::Identity(), Vector3d::Zero()).advance == 0.0);
}
