#include <doctest/doctest.h>

#include <linalg/block_problems.hpp>
#include <tact/linalg/placed_matrix.hpp>
#include <threads.hpp>

using namespace tact;

TEST_CASE("a block product is the dense one")
{
  Random random(1);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const BlockMatrix A = random_spd(named.pattern, random);
    const VectorXd x = random_vector(A.size(), random);
    VectorXd y;
    multiply(A, x, y);
    // Sums of up to 120 products of size 10: 1e-13 is a few units of round-off of the sum.
    CHECK((y - to_dense(A) * x).norm() <= 1e-13 * (1.0 + x.norm()));
  }
}

TEST_CASE("a matrix that is set to zero has the pattern and no values")
{
  Random random(2);
  BlockMatrix A = random_spd(grid(3, 3), random);
  CHECK(to_dense(A).isApprox(to_dense(A).transpose(), 1e-15));
  set_zero(A);
  CHECK(to_dense(A).isZero(0.0));
  CHECK(static_cast<int>(A.blocks.size()) == A.pattern->block_count());
}

TEST_CASE("a large product has the same bits for any number of threads")
{
  Random random(3);
  const BlockMatrix A = random_spd(grid(80, 70), random);  // 38,902 blocks: enough for threads
  const VectorXd x = random_vector(A.size(), random);
  VectorXd alone, together;
  with_threads(1, [&] { multiply(A, x, alone); });
  for (const int threads : {2, 8}) {
    with_threads(threads, [&] { multiply(A, x, together); });
    CHECK(together == alone);
  }
}

TEST_CASE("a matrix placed in a larger one stands there and leaves the rest as it was")
{
  Random random(31);
  const BlockMatrix A = random_spd(grid(3, 3), random), B = random_spd(path(4), random);
  Couples couples = {{0, 12}, {3, 10}, {1, 8}};  // and some that neither has
  add_couples(*A.pattern, 0, couples);
  add_couples(*B.pattern, A.rows(), couples);
  BlockMatrix whole = zero_matrix(pattern_of(A.rows() + B.rows(), couples));
  place_blocks(A, 0, whole);
  place_blocks(B, A.rows(), whole);
  MatrixXd expected = MatrixXd::Zero(whole.size(), whole.size());
  expected.topLeftCorner(A.size(), A.size()) = to_dense(A);
  expected.bottomRightCorner(B.size(), B.size()) = to_dense(B);
  CHECK(to_dense(whole) == expected);
}
