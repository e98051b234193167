#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <doctest/doctest.h>

#include <tact/bodies/midpoint_spin.hpp>
#include <tact/core/random.hpp>

using namespace tact;

namespace {

// |K y - E' l - sigma x (E' u)|, relative to |l| + |sigma| |u|.
double residual(const MidpointSpin& spin, const Vector3d& y)
{
  const double angle = 0.5 * spin.dt * y.norm();
  const Eigen::AngleAxisd back(-angle, y.normalized());
  const Vector3d f = spin.K * y - back * spin.l - spin.sigma.cross(back * spin.u);
  return f.norm() / (spin.l.norm() + spin.sigma.norm() * spin.u.norm());
}

// Moments of a real body, no larger than the sum of the other two, in random axes.
Matrix3d random_inertia(Random& random)
{
  const Vector3d squares(random.uniform(0.01, 1.0), random.uniform(0.01, 1.0),
                         random.uniform(0.01, 1.0));
  const Eigen::Vector4d parts(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1),
                              random.uniform(-1, 1));
  const Matrix3d R = Eigen::Quaterniond(parts.normalized()).toRotationMatrix();
  const Vector3d moments = squares.sum() * Vector3d::Ones() - squares;
  return R * moments.asDiagonal() * R.transpose();
}

}  // namespace

TEST_CASE("the midpoint equation is solved to 1e-13 up to 3 rad a step")
{
  Random random(11);
  double worst = 0.0;
  for (int k = 0; k < 2000; ++k) {
    MidpointSpin spin;
    spin.K = random_inertia(random);
    spin.dt = 0.01;
    spin.l = spin.K * random.in_cube(1.0).normalized() * random.uniform(0.0, 3.0) / spin.dt;
    if (k % 2 == 1) {
      spin.sigma = random.in_cube(0.1);
      spin.u = random.in_cube(10.0);
    }
    worst = std::max(worst, residual(spin, solve(spin)));
  }
  CHECK(worst <= 1e-13);  // ten times what the solver aims at
}

TEST_CASE("the midpoint equation has finite answers for any step, of a needle too")
{
  Random random(12);
  for (int k = 0; k < 2000; ++k) {
    MidpointSpin spin;
    spin.K = random_inertia(random) + Vector3d(1e-6, 1.0, 1.0).asDiagonal().toDenseMatrix();
    spin.dt = 1.0;
    spin.l = spin.K * random.in_cube(1.0) * std::pow(10.0, random.uniform(-3.0, 3.0));
    REQUIRE(solve(spin).allFinite());
  }
}

TEST_CASE("nothing spins: the midpoint equation has the answer zero")
{
  CHECK(solve({.K = Matrix3d::Identity(), .dt = 0.1}) == Vector3d::Zero());
}

TEST_CASE("a spin that keeps energy has an inertia that takes it to the momentum, down to no spin")
{
  Random random(13);
  for (int k = 0; k < 2000; ++k) {
    MidpointSpin spin;
    spin.K = random_inertia(random);
    spin.dt = 0.01;
    const double turn = k % 10 == 0 ? 0.0 : std::pow(10.0, random.uniform(-300.0, 1.5));  // rad
    spin.l = spin.K * random.in_cube(1.0).normalized() * turn / spin.dt;
    const KeepingSpin found = solve_keeping_energy(spin);
    CAPTURE(turn);
    REQUIRE(found.inertia.allFinite());
    CHECK(found.inertia.llt().info() == Eigen::Success);
    const double angle = 0.5 * spin.dt * found.y.norm();
    const Vector3d m = Eigen::AngleAxisd(-angle, found.y.stableNormalized()) * spin.l;
    CHECK((found.inertia * found.y - m).norm() <= 1e-9 * spin.l.norm());
  }
}

TEST_CASE("a free turn keeps the energy at any length of the step")
{
  Random random(14);
  for (int k = 0; k < 500; ++k) {
    MidpointSpin spin;
    spin.K = random_inertia(random);
    spin.dt = 0.01;
    const double turn = std::pow(10.0, random.uniform(-4.0, 2.0));  // rad
    spin.l = spin.K * random.in_cube(1.0).normalized() * turn / spin.dt;
    const Vector3d after = turn_freely(spin).conjugate() * spin.l;
    const double energy = spin.l.dot(spin.K.inverse() * spin.l);
    CHECK(std::abs(after.dot(spin.K.inverse() * after) - energy) <= 1e-11 * energy);
  }
}
