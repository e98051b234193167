// Every update of the inverse against the inverse computed from scratch.
#include <doctest/doctest.h>

#include <Eigen/LU>

#include <linalg/block_problems.hpp>
#include <tact/core/random.hpp>
#include <tact/core/types.hpp>
#include <tact/linalg/updated_inverse.hpp>

using namespace tact;

namespace {

// A matrix and the inverse under test, changed together.
struct Pair {
  MatrixXd K;
  UpdatedInverse Z;
  LaneBuffer buffer, work;

  Pair(int size, Random& random, double diagonal = 2.0) : K(size, size)
  {
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j)
        K(i, j) = random.uniform(-1.0, 1.0) + (i == j ? diagonal : 0.0);
    }
    Z.reset(40);
    buffer.assign(48, 0.0);
    work.assign(48, 0.0);
    const MatrixXd inverse = K.inverse();
    Z.set_columns(size, [&](int p, double* column) {
      for (int i = 0; i < size; ++i) column[i] = inverse(i, p);
    });
  }

  int size() const { return static_cast<int>(K.rows()); }

  double error() const
  {
    const MatrixXd inverse = K.inverse();
    double worst = 0.0;
    for (int i = 0; i < size(); ++i) {
      for (int p = 0; p < size(); ++p) worst = std::max(worst, std::abs(Z(i, p) - inverse(i, p)));
      // Padding must stay zero: products run over whole groups of lanes.
      for (int p = size(); p < round_up_8(size()); ++p) worst = std::max(worst, std::abs(Z(i, p)));
    }
    return worst / inverse.cwiseAbs().maxCoeff();
  }

  const double* minus_zb(const VectorXd& b)
  {
    const VectorXd product = -(K.inverse() * b);
    std::fill(buffer.begin(), buffer.end(), 0.0);
    std::copy_n(product.data(), size(), buffer.begin());
    return buffer.data();
  }

  double* row_times_z(const VectorXd& c)
  {
    std::fill(buffer.begin(), buffer.end(), 0.0);
    std::copy_n(c.data(), size(), buffer.begin());
    Z.multiply_transposed(buffer.data(), work.data());
    return work.data();
  }
};

// Well-conditioned matrices of up to 17 rows: a rank-one update loses a digit or two at most.
constexpr double tolerance = 1e-11;

}  // namespace

TEST_CASE("bordering adds a row and a column")
{
  Random random(1);
  for (const int size : {1, 5, 7, 8, 15, 16}) {
    CAPTURE(size);
    Pair pair(size, random);
    const VectorXd b = random_vector(size, random), c = random_vector(size, random);
    const double e = 3.0, schur = e - c.dot(pair.K.inverse() * b);
    double* w = pair.row_times_z(c);
    pair.Z.border(pair.minus_zb(b), w, schur);
    MatrixXd larger(size + 1, size + 1);
    larger << pair.K, b, c.transpose(), e;
    pair.K = larger;
    CHECK(pair.Z.size() == size + 1);
    CHECK(pair.error() < tolerance);
  }
}

TEST_CASE("a matrix can grow from nothing")
{
  UpdatedInverse Z;
  Z.reset(4);
  LaneBuffer none(8, 0.0), w(8, 0.0);
  Z.multiply_transposed(none.data(), w.data());
  Z.border(none.data(), w.data(), 4.0);
  CHECK(Z(0, 0) == 0.25);
}

TEST_CASE("a column or a row is replaced")
{
  Random random(2);
  for (const int size : {1, 6, 8, 17}) {
    CAPTURE(size);
    // Diagonals outweigh their rows by 2 at least, whatever is drawn, so that all matrices on the
    // way have a condition below 20. (With 2 alone on the diagonal some have 2,000, and 34 updates
    // lose as they like.)
    const double diagonal = size + 2.0;
    // 34 updates of round-off 2e-16 in sums of 17: 2e-15 in 400 draws. 50 times as much is allowed.
    const double round_off = 1e-13;
    Pair pair(size, random, diagonal);
    for (int k = 0; k < size; ++k) {
      const VectorXd b = random_vector(size, random) + diagonal * VectorXd::Unit(size, k);
      pair.Z.replace_column(k, pair.minus_zb(b));
      pair.K.col(k) = b;
      CHECK(pair.error() < round_off);
      const VectorXd c = random_vector(size, random) + diagonal * VectorXd::Unit(size, k);
      pair.Z.replace_row(k, pair.row_times_z(c));
      pair.K.row(k) = c.transpose();
      CHECK(pair.error() < round_off);
    }
  }
}

TEST_CASE("removing a row and a column moves the last ones into the gaps")
{
  Random random(3);
  for (const int size : {2, 8, 9, 17}) {
    for (const int row : {0, size - 1}) {
      for (const int column : {0, size / 2, size - 1}) {
        CAPTURE(size);
        CAPTURE(row);
        CAPTURE(column);
        Pair pair(size, random);
        pair.Z.remove(row, column);
        MatrixXd smaller = pair.K;
        smaller.row(row) = pair.K.row(size - 1);
        MatrixXd moved = smaller;
        moved.col(column) = smaller.col(size - 1);
        pair.K = moved.topLeftCorner(size - 1, size - 1);
        CHECK(pair.error() <
              1e-9);  // the pivot may be small, and the smaller matrix ill-conditioned
      }
    }
  }
}

TEST_CASE("rotated rows and recombined columns keep the inverse")
{
  Random random(4);
  Pair pair(9, random);
  const double c = 0.8, s = 0.6;
  pair.Z.rotate_rows(2, 5, c, s);
  const VectorXd p = pair.K.row(2), e = pair.K.row(5);
  pair.K.row(2) = c * p - s * e;
  pair.K.row(5) = c * e + s * p;
  CHECK(pair.error() < tolerance);

  // Columns (a, b, n) become (a, b, n) T with coordinates x' = T^-1 x: a' and b' by Q, and n takes
  // the difference of the sums.
  const double Q[4] = {0.3, -0.7, 1.1, 0.4};
  Eigen::Matrix3d to_new;
  to_new << Q[0], Q[1], 0.0, Q[2], Q[3], 0.0, 1.0 - Q[0] - Q[2], 1.0 - Q[1] - Q[3], 1.0;
  pair.Z.recombine(1, 4, 7, Q);
  MatrixXd columns(9, 3);
  columns << pair.K.col(1), pair.K.col(4), pair.K.col(7);
  const MatrixXd renewed = columns * to_new.inverse();
  pair.K.col(1) = renewed.col(0);
  pair.K.col(4) = renewed.col(1);
  pair.K.col(7) = renewed.col(2);
  CHECK(pair.error() < tolerance);
}

TEST_CASE("products with the inverse agree with the dense ones")
{
  Random random(5);
  Pair pair(11, random);
  const VectorXd b = random_vector(11, random);
  std::fill(pair.buffer.begin(), pair.buffer.end(), 0.0);
  std::copy_n(b.data(), 11, pair.buffer.begin());
  pair.Z.multiply(pair.buffer.data(), pair.work.data());
  const VectorXd expected = pair.K.inverse() * b;
  for (int i = 0; i < 11; ++i) CHECK(pair.work[i] == doctest::Approx(expected[i]).epsilon(1e-12));
}
