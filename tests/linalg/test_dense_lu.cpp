#include <doctest/doctest.h>

#include <Eigen/LU>

#include <tact/core/random.hpp>
#include <tact/linalg/dense_lu.hpp>

using namespace tact;

namespace {

MatrixXd random_matrix(int size, Random& random)
{
  MatrixXd matrix(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) matrix(i, j) = random.uniform(-1.0, 1.0);
  }
  return matrix;
}

bool factor(DenseLu& lu, const MatrixXd& matrix)
{
  const int size = static_cast<int>(matrix.rows());
  lu.begin(size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) lu(i, j) = matrix(i, j);
  }
  return lu.factor();
}

}  // namespace

TEST_CASE("LU solves what it factored, at every size and in the same memory")
{
  Random random(1);
  DenseLu lu;
  lu.reserve(30);
  for (const int size : {1, 2, 7, 8, 30, 3}) {
    CAPTURE(size);
    const MatrixXd K = random_matrix(size, random);
    const VectorXd x = random_matrix(size, random).col(0);
    REQUIRE(factor(lu, K));
    VectorXd solved = K * x;
    lu.solve(solved.data());
    // Backward stable: the error is a few units of round-off times the condition number.
    CHECK((solved - x).norm() <= 1e-13 * K.fullPivLu().inverse().norm() * K.norm() * x.norm());
  }
}

TEST_CASE("LU swaps rows where the first pivot is zero, and tells a singular matrix")
{
  DenseLu lu;
  MatrixXd swap(2, 2);
  swap << 0.0, 1.0, 1.0, 0.0;
  REQUIRE(factor(lu, swap));
  VectorXd b(2);
  b << 3.0, 5.0;
  lu.solve(b.data());
  CHECK(b[0] == 5.0);
  CHECK(b[1] == 3.0);

  MatrixXd singular(2, 2);
  singular << 1.0, 2.0, 2.0, 4.0;
  CHECK_FALSE(factor(lu, singular));
}
