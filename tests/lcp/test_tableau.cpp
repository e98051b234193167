#include <cmath>

#include <doctest/doctest.h>

#include <Eigen/LU>

#include <tact/lcp/tableau.hpp>

#include "families.hpp"

namespace tact {
namespace {

Tableau random_tableau(int rows, int columns, Random& random)
{
  Tableau tableau;
  tableau.reset(rows, columns);
  for (int r = 0; r < rows; ++r) {
    tableau.constant(r) = random.uniform(-1.0, 1.0);
    for (int c = 0; c < columns; ++c) tableau.row(r)[c] = random.uniform(-1.0, 1.0);
  }
  return tableau;
}

// The largest coefficient of a row: a pivot that no sane rule would refuse.
int largest_in_row(const Tableau& tableau, int r)
{
  int best = 0;
  for (int c = 1; c < tableau.columns(); ++c)
    if (std::abs(tableau.row(r)[c]) > std::abs(tableau.row(r)[best])) best = c;
  return best;
}

// The tableau for the same basis, from scratch: w = T y + q, with the columns of [I -T] that belong
// to basic variables as B and the others as N:  basic = B^-1 q - B^-1 N nonbasic.
void check_against_inverse(const Tableau& start, const Tableau& pivoted)
{
  const int rows = start.rows();
  const int columns = start.columns();
  MatrixXd all(rows, rows + columns);
  VectorXd q(rows);
  all.leftCols(rows).setIdentity();
  for (int r = 0; r < rows; ++r) {
    q[r] = start.constant(r);
    for (int c = 0; c < columns; ++c) all(r, rows + c) = -start.row(r)[c];
  }
  MatrixXd B(rows, rows), N(rows, columns);
  for (int r = 0; r < rows; ++r) B.col(r) = all.col(pivoted.basic(r));
  for (int c = 0; c < columns; ++c) N.col(c) = all.col(pivoted.nonbasic(c));
  const Eigen::PartialPivLU<MatrixXd> factors(B);
  const MatrixXd T = -factors.solve(N);
  const VectorXd constants = factors.solve(q);

  // Both sides lose about condition x eps; the pivots chosen keep the condition below 1e5 or so.
  const double tolerance = 1e-10 * (1.0 + T.cwiseAbs().maxCoeff());
  for (int r = 0; r < rows; ++r) {
    CHECK(std::abs(pivoted.constant(r) - constants[r]) < tolerance);
    for (int c = 0; c < columns; ++c) REQUIRE(std::abs(pivoted.row(r)[c] - T(r, c)) < tolerance);
  }
}

}  // namespace

TEST_CASE("a hundred pivots agree with the inverse of the basis made from scratch")
{
  for (const int rows : {1, 3, 8, 17, 40}) {
    CAPTURE(rows);
    Random random(static_cast<std::uint64_t>(rows));
    const Tableau start = random_tableau(rows, rows + 1, random);
    Tableau tableau = start;
    for (int k = 0; k < 100; ++k) {
      const int r = random.below(rows);
      tableau.pivot(r, largest_in_row(tableau, r));
    }
    check_against_inverse(start, tableau);
  }
}

TEST_CASE("the same pivot twice is no pivot")
{
  Random random(5);
  const Tableau start = random_tableau(6, 7, random);
  Tableau tableau = start;
  tableau.pivot(2, 3);
  CHECK(tableau.basic(2) == 6 + 3);
  CHECK(tableau.nonbasic(3) == 2);
  tableau.pivot(2, 3);
  for (int r = 0; r < 6; ++r) {
    CHECK(tableau.basic(r) == r);
    CHECK(tableau.constant(r) == doctest::Approx(start.constant(r)).epsilon(1e-13));
    for (int c = 0; c < 7; ++c)
      CHECK(tableau.row(r)[c] == doctest::Approx(start.row(r)[c]).epsilon(1e-12));
  }
}

TEST_CASE("every variable is found where its label says")
{
  Random random(9);
  Tableau tableau = random_tableau(5, 4, random);
  for (int k = 0; k < 20; ++k) {
    const int r = random.below(5);
    tableau.pivot(r, largest_in_row(tableau, r));
    for (int i = 0; i < 5; ++i) {
      CHECK(tableau.is_basic(tableau.basic(i)));
      CHECK(tableau.row_of(tableau.basic(i)) == i);
    }
    for (int c = 0; c < 4; ++c) {
      CHECK_FALSE(tableau.is_basic(tableau.nonbasic(c)));
      CHECK(tableau.column_of(tableau.nonbasic(c)) == c);
    }
  }
}

TEST_CASE("a tableau can be used again for a smaller problem and remembers nothing")
{
  Random random(2);
  Tableau tableau = random_tableau(9, 9, random);
  tableau.pivot(1, 1);
  tableau.reset(3, 4);
  for (int r = 0; r < 3; ++r) {
    CHECK(tableau.basic(r) == r);
    CHECK(tableau.constant(r) == 0.0);
    for (int c = 0; c < 4; ++c) CHECK(tableau.row(r)[c] == 0.0);
  }
}

}  // namespace tact
