#include <doctest/doctest.h>

#include <cmath>

#include <Eigen/LU>

#include <linalg/block_problems.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/block_pcg.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// |r| in the norm of D^-1, from the definition.
double preconditioned_norm(const BlockMatrix& A, const VectorXd& r)
{
  double sum = 0.0;
  for (int row = 0; row < A.rows(); ++row) {
    const Vector3d r_i = r.segment<3>(3 * row);
    sum += r_i.dot(A.blocks[A.pattern->diagonal_slot(row)].inverse() * r_i);
  }
  return std::sqrt(sum);
}

double relative_residual(const BlockMatrix& A, const VectorXd& x, const VectorXd& b)
{
  VectorXd product;
  multiply(A, x, product);
  return preconditioned_norm(A, b - product) / preconditioned_norm(A, b);
}

VectorXd solved_by_cholesky(const BlockMatrix& A, VectorXd b)
{
  BlockCholesky cholesky(*A.pattern);
  REQUIRE(cholesky.factor(A));
  cholesky.solve(b);
  return b;
}

}  // namespace

TEST_CASE("conjugate gradients to 1e-12 and Cholesky agree on every kind of graph")
{
  Random random(1);
  std::vector<NamedPattern> patterns = all_patterns(random);
  patterns.push_back({"cloth of 1,024 nodes", grid(32, 32)});
  for (const NamedPattern& named : patterns) {
    CAPTURE(named.name);
    const BlockMatrix A = random_spd(named.pattern, random, 0.3);
    const VectorXd b = random_vector(A.size(), random);
    const VectorXd exact = solved_by_cholesky(A, b);
    BlockPcg pcg;
    REQUIRE(pcg.prepare(A));
    VectorXd x = VectorXd::Zero(A.size());
    const PcgReport report = pcg.solve(A, b, x, {.tolerance = 1e-12});
    CHECK(report.converged);
    // The error is the residual times the condition of D^-1 A, which is below 1e3 here.
    CHECK((x - exact).norm() <= 1e-9 * exact.norm());
    if (A.size() == 0) continue;
    CHECK(report.residual <= 1e-12);
    // The report measures what a reader would. Both residuals are round-off of b - A x, near 1e-16.
    CHECK(std::abs(report.residual - relative_residual(A, x, b)) < 1e-14);
  }
}

TEST_CASE("a block-diagonal matrix takes one iteration: the preconditioner is its inverse")
{
  Random random(2);
  BlockMatrix A = zero_matrix(pattern_of(20, {}));
  for (Matrix3d& block : A.blocks) {
    Matrix3d G;
    for (int j = 0; j < 3; ++j) G.col(j) = random.in_cube(1.0);
    block = G * G.transpose() + Matrix3d::Identity();
  }
  BlockPcg pcg;
  REQUIRE(pcg.prepare(A));
  VectorXd x = VectorXd::Zero(60);
  const PcgReport report = pcg.solve(A, random_vector(60, random), x);
  CHECK(report.converged);
  CHECK(report.iterations == 1);
}

TEST_CASE("conjugate gradients end after as many iterations as there are unknowns")
{
  Random random(3);
  const BlockMatrix A = random_spd(complete(4), random, 1.0);
  BlockPcg pcg;
  REQUIRE(pcg.prepare(A));
  VectorXd x = VectorXd::Zero(12);
  const PcgReport report = pcg.solve(A, random_vector(12, random), x);
  CHECK(report.converged);
  CHECK(report.iterations <= 12);
}

TEST_CASE("the answer as first guess takes no iteration and stays as it is")
{
  Random random(4);
  const BlockMatrix A = random_spd(grid(10, 10), random);
  const VectorXd b = random_vector(A.size(), random);
  BlockPcg pcg;
  REQUIRE(pcg.prepare(A));
  VectorXd x = VectorXd::Zero(A.size());
  REQUIRE(pcg.solve(A, b, x, {.tolerance = 1e-10}).converged);
  const VectorXd answer = x;
  const PcgReport again = pcg.solve(A, b, x, {.tolerance = 1e-10});
  CHECK(again.converged);
  CHECK(again.iterations == 0);
  CHECK(x == answer);
}

TEST_CASE("conjugate gradients asked for an energy of the error leave no more, with less work")
{
  Random random(7);
  for (const double hold : {1e-1, 1e-2, 1e-3}) {  // the less, the worse the condition
    const BlockMatrix A = random_spd(grid(40, 40), random, hold);
    const VectorXd b = random_vector(A.size(), random);
    const VectorXd exact = solved_by_cholesky(A, b);
    BlockPcg pcg;
    REQUIRE(pcg.prepare(A));
    VectorXd all = VectorXd::Zero(A.size());
    const int whole = pcg.solve(A, b, all, {.tolerance = 1e-12}).iterations;
    int before = 0;
    for (const double share : {1e-2, 1e-4, 1e-6}) {
      CAPTURE(hold);
      CAPTURE(share);
      const double energy = share * exact.dot(b);  // of x = 0, whose error is the answer
      VectorXd x = VectorXd::Zero(A.size()), Ae;
      const PcgReport report = pcg.solve(A, b, x, {.tolerance = 1e-12, .error_energy = energy});
      CHECK(report.converged);
      const VectorXd e = x - exact;
      multiply(A, e, Ae);
      CHECK(e.dot(Ae) <= energy);
      CHECK(report.iterations > before);
      CHECK(report.iterations < whole);
      before = report.iterations;
      multiply(A, x, Ae);
      CHECK((pcg.residual() - (b - Ae)).norm() <= 1e-14 * b.norm());
    }
  }
}

TEST_CASE("a preconditioner of an earlier matrix costs iterations and no accuracy")
{
  Random random(5);
  const BlockMatrix before = random_spd(grid(10, 10), random);
  BlockMatrix A = before;
  for (int row = 0; row < A.rows(); ++row) {
    A.blocks[A.pattern->diagonal_slot(row)] += Vector3d(2.0, 0.0, 1.0).asDiagonal();
  }
  const VectorXd b = random_vector(A.size(), random);
  BlockPcg pcg;
  REQUIRE(pcg.prepare(before));
  VectorXd x;  // of no size: a zero guess
  REQUIRE(pcg.solve(A, b, x, {.tolerance = 1e-12}).converged);
  CHECK(relative_residual(A, x, b) < 1e-11);  // the norm is another one
}

TEST_CASE("no right side, no answer: b = 0 gives x = 0 from any guess")
{
  Random random(6);
  const BlockMatrix A = random_spd(path(5), random);
  BlockPcg pcg;
  REQUIRE(pcg.prepare(A));
  VectorXd x = random_vector(15, random);
  CHECK(pcg.solve(A, VectorXd::Zero(15), x).converged);
  CHECK(x.isZero(0.0));
}

TEST_CASE("what does not converge is told in the report")
{
  Random random(7);
  const BlockMatrix A = random_spd(grid(20, 20), random, 1e-4);
  const VectorXd b = random_vector(A.size(), random);
  BlockPcg pcg;
  REQUIRE(pcg.prepare(A));
  SUBCASE("too few iterations")
  {
    VectorXd x = VectorXd::Zero(A.size());
    const PcgReport report = pcg.solve(A, b, x, {.max_iterations = 3});
    CHECK_FALSE(report.converged);
    CHECK(report.iterations == 3);
    CHECK(report.residual == doctest::Approx(relative_residual(A, x, b)).epsilon(1e-9));
  }
  SUBCASE("a tolerance below round-off")
  {
    VectorXd x = VectorXd::Zero(A.size());
    const PcgReport report = pcg.solve(A, b, x, {.tolerance = 1e-30, .max_iterations = 100000});
    CHECK_FALSE(report.converged);
    CHECK(report.iterations < 100000);
    CHECK(report.residual < 1e-10);
  }
  SUBCASE("an indefinite matrix")
  {
    BlockMatrix indefinite = zero_matrix(path(2));
    indefinite.blocks = {Matrix3d::Identity(), 2.0 * Matrix3d::Identity(),
                         2.0 * Matrix3d::Identity(), Matrix3d::Identity()};  // eigenvalues 3, -1
    REQUIRE(pcg.prepare(indefinite));
    VectorXd x = VectorXd::Zero(6), c(6);
    c << 1.0, 2.0, 3.0, -1.0, -2.0, -3.0;  // along the eigenvalue -1
    const PcgReport report = pcg.solve(indefinite, c, x);
    CHECK_FALSE(report.converged);
    CHECK(x.allFinite());
  }
  SUBCASE("a right side that is not a number")
  {
    VectorXd x = VectorXd::Zero(A.size());
    CHECK_FALSE(pcg.solve(A, VectorXd::Constant(A.size(), NAN), x).converged);
  }
}

TEST_CASE("a diagonal block that is not positive definite is told before solving")
{
  Random random(8);
  BlockMatrix A = random_spd(path(4), random);
  BlockPcg pcg;
  A.blocks[A.pattern->diagonal_slot(2)](2, 2) = -1.0;
  CHECK_FALSE(pcg.prepare(A));
  A.blocks[A.pattern->diagonal_slot(2)](2, 2) = NAN;
  CHECK_FALSE(pcg.prepare(A));
  A.blocks[A.pattern->diagonal_slot(2)] = -Matrix3d::Identity();
  CHECK_FALSE(pcg.prepare(A));
}

TEST_CASE("conjugate gradients have the same bits for any number of threads")
{
  Random random(9);
  const BlockMatrix A = random_spd(grid(60, 60), random);  // 24,722 blocks: enough for threads
  const VectorXd b = random_vector(A.size(), random);
  const auto answer = [&](int threads) {
    BlockPcg pcg;
    VectorXd x = VectorXd::Zero(A.size());
    with_threads(threads, [&] {
      REQUIRE(pcg.prepare(A));
      CHECK(pcg.solve(A, b, x).converged);
    });
    return x;
  };
  const VectorXd alone = answer(1);
  for (const int threads : {2, 8}) CHECK(answer(threads) == alone);
}

TEST_CASE("the expected number of iterations is that of a chain of springs, from its stiffness")
{
  // Masses m on a ring of springs k with h^2 k / m = s: D^-1 A has eigenvalues
  // (1 + 2 s (1 - cos)) / (1 + 2 s), so that its condition is 1 + 4 s, and 2 (1 + 2 s) bounds it.
  const int n = 400;
  std::vector<std::array<int, 2>> couples;
  for (int i = 0; i < n; ++i) couples.push_back({i, (i + 1) % n});
  for (const double s : {1.0, 30.0, 1000.0}) {
    CAPTURE(s);
    BlockMatrix A = zero_matrix(std::make_shared<const BlockPattern>(n, couples));
    for (int i = 0; i < n; ++i) {
      for (const int j : A.pattern->columns(i))
        A.blocks[A.pattern->slot(i, j)] = (i == j ? 1.0 + 2.0 * s : -s) * Matrix3d::Identity();
    }
    const double expected = 0.5 * std::sqrt(2.0 * (1.0 + 2.0 * s)) * std::log(2e8);
    CHECK(expected_pcg_iterations(A, 1e-8) == doctest::Approx(expected));
    BlockPcg pcg;
    REQUIRE(pcg.prepare(A));
    VectorXd x = VectorXd::Zero(A.size());
    const PcgReport report = pcg.solve(A, VectorXd::Random(A.size()), x, {.tolerance = 1e-8});
    CHECK(report.converged);
    CHECK(report.iterations <= 1.1 * expected);  // exact arithmetic: a bound
  }
}
