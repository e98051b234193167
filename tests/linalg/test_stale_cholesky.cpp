#include <doctest/doctest.h>

#include <cmath>

#include <linalg/block_problems.hpp>
#include <tact/linalg/elimination.hpp>
#include <tact/linalg/single_cholesky.hpp>
#include <tact/linalg/stale_cholesky.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// |b - K x| / |b| in the norm of M^-1, from the definition.
double residual_in_norm_of(const BlockMatrix& M, const BlockMatrix& K, const VectorXd& x,
                           const VectorXd& b)
{
  BlockCholesky factor(*M.pattern);
  REQUIRE(factor.factor(M));
  VectorXd r;
  multiply(K, x, r);
  r = b - r;
  VectorXd z = r, y = b;
  factor.solve(z);
  factor.solve(y);
  return std::sqrt(r.dot(z) / b.dot(y));
}

// Stiffer by a factor at every fifth node, as contacts that close.
BlockMatrix stiffened(BlockMatrix K, double factor)
{
  for (int i = 0; i < K.rows(); i += 5) K.blocks[K.pattern->diagonal_slot(i)] *= factor;
  return K;
}

}  // namespace

TEST_CASE("the first solve factors in single precision and reaches any tolerance")
{
  Random random(1);
  const BlockMatrix K = random_spd(grid(20, 20), random, 0.3);
  const VectorXd b = random_vector(K.size(), random);
  BlockCholesky cholesky(*K.pattern);
  REQUIRE(cholesky.factor(K));
  VectorXd exact = b, x;
  cholesky.solve(exact);
  for (const double tolerance : {1e-2, 1e-6, 1e-12}) {
    StaleCholesky stale(*K.pattern);
    CHECK(stale.solve(K, b, x, {.tolerance = tolerance, .patience = 10.0}));
    CHECK(stale.factors() == 1);
    CHECK(stale.in_single());
    CHECK(stale.iterations() <=
          4);  // each gains the digits of single precision, less the condition
    CHECK((x - exact).norm() < 10.0 * tolerance * exact.norm());
  }
}

TEST_CASE("a factor in single precision solves to its digits less the condition")
{
  Random random(6);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const SharedPattern& pattern = named.pattern;
    if (pattern->rows() == 0) continue;
    const BlockMatrix K = random_spd(pattern, random, 1.0);
    const VectorXd b = random_vector(K.size(), random);
    SingleCholesky single;
    single.begin(std::make_shared<const Elimination>(analyse(*pattern)));
    REQUIRE(single.factor(K));
    VectorXd x, exact = b;
    single.solve(b, x);
    BlockCholesky cholesky(*pattern);
    REQUIRE(cholesky.factor(K));
    cholesky.solve(exact);
    CHECK((x - exact).norm() < 1e-4 * exact.norm());  // 1e-7 of round-off, conditions of 10 to 100
  }
}

TEST_CASE("a matrix beyond single precision is factored in double precision")
{
  Random random(7);
  BlockMatrix K = random_spd(grid(20, 20), random, 0.3);
  for (const int i :
       {0, 1}) {  // a stiff spring between two nodes, beside which all else is round-off
    for (const int j : {0, 1}) {
      K.blocks[K.pattern->slot(i, j)] += (i == j ? 1e9 : -1e9) * Matrix3d::Identity();
    }
  }
  const VectorXd b = random_vector(K.size(), random);
  StaleCholesky stale(*K.pattern);
  VectorXd x, product;
  REQUIRE(stale.solve(K, b, x, {.tolerance = 1e-6}));
  CHECK_FALSE(stale.in_single());
  multiply(K, x, product);
  CHECK((b - product).norm() < 1e-6 * b.norm());
  stale.begin(*K.pattern);
  CHECK(stale.in_single());  // a new matrix, a new chance
}

TEST_CASE("large matrices are solved with the same bits on any number of threads")
{
  Random random(8);
  const BlockMatrix K = random_spd(tet_box(11, 11, 11), random);
  const BlockMatrix later = stiffened(K, 1.5);
  const VectorXd b = random_vector(K.size(), random);
  const auto solve_on = [&](int threads) {
    VectorXd x;
    with_threads(threads, [&] {
      StaleCholesky stale(*K.pattern);
      REQUIRE(stale.solve(K, b, x));
      REQUIRE(stale.solve(later, b, x, {.tolerance = 1e-8, .patience = 10.0}));
    });
    return x;
  };
  const VectorXd one = solve_on(1);
  CHECK(solve_on(2) == one);
  CHECK(solve_on(4) == one);
}

TEST_CASE("a matrix that changed a little is solved to the tolerance without a new factor")
{
  Random random(2);
  const BlockMatrix K = random_spd(grid(20, 20), random, 0.3);
  const BlockMatrix later = stiffened(K, 1.5);
  const VectorXd b = random_vector(K.size(), random);
  StaleCholesky stale(*K.pattern);
  VectorXd x;
  REQUIRE(stale.solve(K, b, x));
  for (const double tolerance : {1e-1, 1e-2, 1e-4}) {
    CHECK(stale.solve(later, b, x, {.tolerance = tolerance, .patience = 10.0}));
    // The recurrence of the residual and the residual differ by round-off, and the norms of the
    // factor in single precision and of K by its digits, both far below this.
    CHECK(residual_in_norm_of(K, later, x, b) <= 1.001 * tolerance);
  }
  CHECK(stale.factors() == 1);
  CHECK(stale.iterations() > 0);
  CHECK(stale.work() > 1.0);
}

TEST_CASE("a matrix that changed much is factored anew")
{
  Random random(3);
  const BlockMatrix K = random_spd(grid(20, 20), random, 0.3);
  const BlockMatrix later = stiffened(K, 1e6);
  const VectorXd b = random_vector(K.size(), random);
  StaleCholesky stale(*K.pattern);
  VectorXd x;
  REQUIRE(stale.solve(K, b, x));
  CHECK(stale.solve(later, b, x, {.tolerance = 1e-2, .patience = 0.0}));
  CHECK(stale.factors() == 2);
  CHECK(residual_in_norm_of(later, later, x, b) < 1e-2);
}

TEST_CASE("nothing to solve takes no iteration")
{
  Random random(4);
  const BlockMatrix K = random_spd(grid(6, 6), random, 0.3);
  StaleCholesky stale(*K.pattern);
  VectorXd x;
  REQUIRE(stale.solve(K, random_vector(K.size(), random), x));
  const int before = stale.iterations();
  CHECK(stale.solve(K, VectorXd::Zero(K.size()), x));
  CHECK(x.isZero(0.0));
  CHECK(stale.iterations() == before);
}

TEST_CASE("a matrix that is not positive definite is refused with a stale factor and without")
{
  Random random(5);
  const BlockMatrix K = random_spd(grid(6, 6), random, 0.3);
  BlockMatrix indefinite = K;
  for (Matrix3d& block : indefinite.blocks) block = -block;
  const VectorXd b = random_vector(K.size(), random);
  VectorXd x;
  StaleCholesky fresh(*K.pattern), stale(*K.pattern);
  CHECK_FALSE(fresh.solve(indefinite, b, x));
  REQUIRE(stale.solve(K, b, x));
  CHECK_FALSE(stale.solve(indefinite, b, x));
}
