#include <doctest/doctest.h>

#include <Eigen/LU>

#include <solvers/cone/friction_cases.hpp>
#include <tact/core/error.hpp>

using namespace tact;

namespace {

MatrixXd random_matrix(int rows, int columns, Random& random)
{
  MatrixXd matrix(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) matrix(i, j) = random.uniform(-1.0, 1.0);
  return matrix;
}

VectorXd random_vector(int size, Random& random)
{
  return random_matrix(size, 1, random);
}

// Two bodies of n unknowns each, m contacts in 3D on both; `joints` couple them.
GlobalFrictionProblem two_bodies(int n, int m, int joints, Random& random)
{
  MatrixXd M = MatrixXd::Zero(2 * n, 2 * n);
  for (int body = 0; body < 2; ++body) {
    const MatrixXd S = random_matrix(n, n, random);
    M.block(n * body, n * body, n, n) = S * S.transpose() + MatrixXd::Identity(n, n);
  }
  GlobalFrictionProblem problem;
  problem.M = M.sparseView();
  problem.H = random_matrix(2 * n, 3 * m, random).sparseView();
  if (joints > 0) problem.G = random_matrix(2 * n, joints, random).sparseView();
  problem.f = random_vector(2 * n, random);
  problem.w = random_vector(3 * m, random);
  problem.b = random_vector(joints, random);
  problem.mu = VectorXd::Constant(m, 0.5);
  return problem;
}

}  // namespace

TEST_CASE("eliminating bodies gives W = H' M^-1 H and q = H' M^-1 f + w")
{
  Random random(3);
  for (const int n : {3, 40}) {  // dense and sparse bodies: two of 40 are one of 80 with joints
    CAPTURE(n);
    const GlobalFrictionProblem problem = two_bodies(n, 2, 0, random);
    const FrictionProblem local = condensed(problem);
    const MatrixXd H = problem.H;
    const MatrixXd inverse = MatrixXd(problem.M).inverse();
    CHECK((MatrixXd(local.W) - H.transpose() * inverse * H).norm() < 1e-11);
    CHECK((local.q - H.transpose() * inverse * problem.f - problem.w).norm() < 1e-11);
  }
}

TEST_CASE("joints hold for any impulses, and momentum is balanced but for what they carry")
{
  Random random(5);
  for (const int n : {4, 40}) {
    CAPTURE(n);
    const GlobalFrictionProblem problem = two_bodies(n, 2, 2, random);
    const FrictionProblem local = condensed(problem);
    const VectorXd lambda = random_vector(6, random);
    const VectorXd v = body_velocities(problem, lambda);
    CHECK((problem.G.transpose() * v + problem.b).norm() < 1e-10);
    CHECK((problem.H.transpose() * v + problem.w - local.W * lambda - local.q).norm() < 1e-9);
    // M v - H lambda - f = G kappa for some kappa.
    const VectorXd rest = problem.M * v - problem.H * lambda - problem.f;
    const MatrixXd G = problem.G;
    const VectorXd kappa = (G.transpose() * G).inverse() * (G.transpose() * rest);
    CHECK((rest - G * kappa).norm() < 1e-9);
  }
}

TEST_CASE("contacts of different bodies do not meet in W")
{
  // Two free points, each on the ground: W is block diagonal.
  GlobalFrictionProblem problem;
  problem.M = (2.0 * MatrixXd::Identity(6, 6)).sparseView();
  problem.H = MatrixXd::Identity(6, 6).sparseView();
  problem.f = VectorXd::Ones(6);
  problem.w = VectorXd::Zero(6);
  problem.mu = VectorXd::Ones(2);
  const FrictionProblem local = condensed(problem);
  CHECK(local.W.nonZeros() == 6);
  CHECK(MatrixXd(local.W) == 0.5 * MatrixXd::Identity(6, 6));
  CHECK(local.q == VectorXd::Constant(6, 0.5));
}

TEST_CASE("a body without mass is refused")
{
  GlobalFrictionProblem problem = box_on_corners(Vector3d::Zero(), 0.5);
  problem.M.coeffRef(2, 2) = 0.0;
  CHECK_THROWS_WITH_AS(static_cast<void>(condensed(problem)), doctest::Contains("M is singular"),
                       Error);
  problem.w.resize(3);
  CHECK_THROWS_WITH_AS(validate(problem), doctest::Contains("entries in w, expected 12"), Error);
}
