#include <cmath>

#include <doctest/doctest.h>

#include <tact/lcp/equilibration.hpp>

#include "families.hpp"

namespace tact {

TEST_CASE("equilibration undoes scaling over twenty orders of magnitude, by powers of two alone")
{
  Random random(1);
  const int n = 20;
  VectorXd row(n), column(n);
  for (int i = 0; i < n; ++i) {
    row[i] = std::pow(10.0, random.uniform(-10.0, 0.0));
    column[i] = std::pow(10.0, random.uniform(-5.0, 5.0));
  }
  const MatrixXd M = row.asDiagonal() * families::unsymmetric(n, random) * column.asDiagonal();
  Equilibration scale;
  scale.fit(M);
  const MatrixXd scaled = scale.row.asDiagonal() * M * scale.column.asDiagonal();
  for (int i = 0; i < n; ++i) {
    int exponent;
    CHECK(std::frexp(scale.row[i], &exponent) == 0.5);
    CHECK(std::frexp(scale.column[i], &exponent) == 0.5);
    // Rounding to powers of two may cost a factor of 2 on either side; Ruiz ends within another 2.
    CHECK(scaled.row(i).cwiseAbs().maxCoeff() <= 8.0);
    CHECK(scaled.row(i).cwiseAbs().maxCoeff() >= 1.0 / 8.0);
    CHECK(scaled.col(i).cwiseAbs().maxCoeff() <= 8.0);
    CHECK(scaled.col(i).cwiseAbs().maxCoeff() >= 1.0 / 8.0);
  }
}

TEST_CASE("a symmetric matrix stays symmetric, rows of zeros stay as they are")
{
  Random random(4);
  MatrixXd M = families::positive_definite(6, random);
  M.row(2).setZero();
  M.col(2).setZero();
  M(4, 4) = 1e8;
  Equilibration scale;
  scale.fit(M);
  CHECK(scale.row == scale.column);
  CHECK(scale.row[2] == 1.0);
}

}  // namespace tact
