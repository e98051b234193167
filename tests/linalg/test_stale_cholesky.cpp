#include <doctest/doctest.h>

#include <cmath>

#include <linalg/block_problems.hpp>
#include <tact/linalg/stale_cholesky.hpp>

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

TEST_CASE("the first solve factors and equals Cholesky")
{
  Random random(1);
  const BlockMatrix K = random_spd(grid(20, 20), random, 0.3);
  const VectorXd b = random_vector(K.size(), random);
  BlockCholesky cholesky(*K.pattern);
  REQUIRE(cholesky.factor(K));
  VectorXd exact = b, x;
  cholesky.solve(exact);
  StaleCholesky stale(*K.pattern);
  CHECK(stale.solve(K, b, x));
  CHECK(x == exact);
  CHECK(stale.factors() == 1);
  CHECK(stale.iterations() == 0);
  CHECK(stale.work() == 1.0);
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
    // The recurrence of the residual and the residual differ by round-off, far below this.
    CHECK(residual_in_norm_of(K, later, x, b) <= 1.001 * tolerance);
  }
  CHECK(stale.factors() == 1);
  CHECK(stale.iterations() > 0);
  CHECK(stale.work() > 1.0);
}

TEST_CASE("a matrix that changed much is factored anew and solved exactly")
{
  Random random(3);
  const BlockMatrix K = random_spd(grid(20, 20), random, 0.3);
  const BlockMatrix later = stiffened(K, 1e6);
  const VectorXd b = random_vector(K.size(), random);
  StaleCholesky stale(*K.pattern);
  VectorXd x;
  REQUIRE(stale.solve(K, b, x));
  CHECK(stale.solve(later, b, x, {.tolerance = 1e-8, .patience = 0.0}));
  CHECK(stale.factors() == 2);
  CHECK(residual_in_norm_of(later, later, x, b) < 1e-12);  // round-off of a direct solve
}

TEST_CASE("nothing to solve takes no iteration")
{
  Random random(4);
  const BlockMatrix K = random_spd(grid(6, 6), random, 0.3);
  StaleCholesky stale(*K.pattern);
  VectorXd x;
  REQUIRE(stale.solve(K, random_vector(K.size(), random), x));
  CHECK(stale.solve(K, VectorXd::Zero(K.size()), x));
  CHECK(x.isZero(0.0));
  CHECK(stale.iterations() == 0);
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
