#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include <tbb/parallel_for.h>
#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include <linalg/block_problems.hpp>
#include <tact/core/error.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/elimination.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

// Backward stability: |b - A x| is a few units of round-off of |A| |x|, whatever the condition.
double backward_error(const BlockMatrix& A, const VectorXd& x, const VectorXd& b)
{
  VectorXd product;
  multiply(A, x, product);
  double norm = 0.0;
  for (const Matrix3d& block : A.blocks) norm += block.squaredNorm();
  return (b - product).norm() / (std::sqrt(norm) * x.norm());
}
constexpr double stable = 1e-14;

// Right sides in lanes: column k of B in lane k, rows in the order of elimination.
LaneBuffer in_lanes(const BlockCholesky& cholesky, const MatrixXd& B)
{
  LaneBuffer y(8 * B.rows(), 0.0);
  for (int k = 0; k < B.rows(); ++k) {
    for (int j = 0; j < B.cols(); ++j) y[8 * k + j] = B(3 * cholesky.order()[k / 3] + k % 3, j);
  }
  return y;
}

MatrixXd from_lanes(const BlockCholesky& cholesky, const LaneBuffer& y, int columns)
{
  const int rows = static_cast<int>(y.size()) / 8;
  MatrixXd B(rows, columns);
  for (int k = 0; k < rows; ++k) {
    for (int j = 0; j < columns; ++j) B(3 * cholesky.order()[k / 3] + k % 3, j) = y[8 * k + j];
  }
  return B;
}

MatrixXd random_columns(int rows, int columns, Random& random)
{
  MatrixXd B(rows, columns);
  for (int j = 0; j < columns; ++j) B.col(j) = random_vector(rows, random);
  return B;
}

// Scalar entries of the factor that Eigen computes with minimum degree on the whole matrix.
long eigen_entries(const MatrixXd& A)
{
  const Eigen::SparseMatrix<double> sparse = A.sparseView();
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> llt(sparse);
  REQUIRE(llt.info() == Eigen::Success);
  return Eigen::SparseMatrix<double>(llt.matrixL()).nonZeros();
}

}  // namespace

TEST_CASE("the factor solves A x = b on every kind of graph, stably")
{
  Random random(1);
  for (const double shift : {1.0, 1e-6}) {
    for (const NamedPattern& named : all_patterns(random)) {
      CAPTURE(named.name);
      CAPTURE(shift);
      const BlockMatrix A = random_spd(named.pattern, random, shift);
      const VectorXd b = random_vector(A.size(), random);
      BlockCholesky cholesky(*A.pattern);
      REQUIRE(cholesky.factor(A));
      VectorXd x = b;
      cholesky.solve(x);
      if (A.size() == 0) continue;
      CHECK(backward_error(A, x, b) < stable);
      if (shift < 1.0) continue;  // only well-conditioned answers can be compared
      const VectorXd dense = to_dense(A).llt().solve(b);
      CHECK((x - dense).norm() <= 1e-12 * dense.norm());
    }
  }
}

TEST_CASE("a sparse factorisation of Eigen gives the same answer and hardly less fill")
{
  Random random(2);
  for (const SharedPattern& pattern : {grid(32, 32), tet_box(2, 2, 8), random_tree(300, random)}) {
    const BlockMatrix A = random_spd(pattern, random);
    const MatrixXd dense = to_dense(A);
    const Eigen::SparseMatrix<double> sparse = dense.sparseView();
    const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> llt(sparse);
    const VectorXd b = random_vector(A.size(), random);
    BlockCholesky cholesky(*pattern);
    REQUIRE(cholesky.factor(A));
    VectorXd x = b;
    cholesky.solve(x);
    const VectorXd expected = llt.solve(b);
    CHECK((x - expected).norm() <= 1e-10 * expected.norm());  // condition below 1e4
    // Zeros inside of supernodes are counted; they are worth their time up to about a third.
    CHECK(9 * cholesky.factor_block_count() <= 1.5 * eigen_entries(dense));
  }
}

TEST_CASE("a tree is factored without fill, whatever the numbers of its nodes")
{
  Random random(3);
  const SharedPattern pattern = random_tree(200, random);
  const BlockCholesky cholesky(*pattern);
  // 200 diagonal and 199 other blocks; joined columns of supernodes may add half as many zeros.
  CHECK(cholesky.factor_block_count() >= 399);
  CHECK(cholesky.factor_block_count() <= 600);
}

TEST_CASE("the order names every node once and position is its inverse")
{
  Random random(4);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const BlockCholesky cholesky(*named.pattern);
    std::vector<int> sorted = cholesky.order(), all(named.pattern->rows());
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      CHECK(cholesky.position()[cholesky.order()[k]] == static_cast<int>(k));
    }
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == all);
  }
}

TEST_CASE("matrices that are not positive definite are told, and a later one is factored")
{
  Random random(5);
  for (const SharedPattern& pattern : {pattern_of(1, {}), grid(5, 4), complete(30), star(20)}) {
    const BlockMatrix good = random_spd(pattern, random, 1.0);
    BlockCholesky cholesky(*pattern);
    const int rows = pattern->rows();
    for (const int row : {0, rows / 2, rows - 1}) {
      for (const double value : {-1e-3, 0.0, std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity()}) {
        BlockMatrix bad = good;  // a diagonal entry <= 0 contradicts e_i' A e_i > 0
        bad.blocks[pattern->diagonal_slot(row)](1, 1) = value;
        CHECK_FALSE(cholesky.factor(bad));
      }
    }
    CHECK(cholesky.factor(good));
  }
}

TEST_CASE("a singular matrix counts as not positive definite, though round-off hides it")
{
  // The graph Laplacian of a path of springs, each stiff in all directions: free to translate. Its
  // pivots are exact except for the last, which is zero but for round-off.
  const int rows = 40;
  BlockMatrix A = zero_matrix(path(rows));
  for (int k = 0; k + 1 < rows; ++k) {
    const Matrix3d stiffness = (1.0 + 0.1 * k) * Matrix3d::Identity();
    A.blocks[A.pattern->diagonal_slot(k)] += stiffness;
    A.blocks[A.pattern->diagonal_slot(k + 1)] += stiffness;
    A.blocks[A.pattern->slot(k, k + 1)] -= stiffness;
    A.blocks[A.pattern->slot(k + 1, k)] -= stiffness;
  }
  BlockCholesky cholesky(*A.pattern);
  CHECK_FALSE(cholesky.factor(A));
  A.blocks[A.pattern->diagonal_slot(7)] += 1e-6 * Matrix3d::Identity();  // held by a weak spring
  CHECK(cholesky.factor(A));
}

TEST_CASE("forward and backward solves with eight right sides make up the whole solve")
{
  Random random(6);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const BlockMatrix A = random_spd(named.pattern, random, 1.0);
    BlockCholesky cholesky(*A.pattern);
    REQUIRE(cholesky.factor(A));
    const MatrixXd B = random_columns(A.size(), 8, random);
    LaneBuffer y = in_lanes(cholesky, B);
    cholesky.solve_lower(y.data());
    cholesky.solve_upper(y.data());
    const MatrixXd X = from_lanes(cholesky, y, 8);
    for (int j = 0; j < 8; ++j) {
      VectorXd x = B.col(j);
      cholesky.solve(x);
      CHECK((X.col(j) - x).norm() <= 1e-12 * x.norm());
    }
  }
}

TEST_CASE("with Y = L^-1 J' from the forward solve alone, Y' Y is J A^-1 J'")
{
  Random random(7);
  const BlockMatrix A = random_spd(tet_box(2, 2, 8), random, 1.0);
  BlockCholesky cholesky(*A.pattern);
  REQUIRE(cholesky.factor(A));
  MatrixXd J = MatrixXd::Zero(8, A.size());  // contact rows: three nodes of a face each
  int first = A.rows();
  for (int row = 0; row < 8; ++row) {
    for (int corner = 0; corner < 3; ++corner) {
      const int node = random.below(A.rows());
      first = std::min(first, cholesky.position()[node]);
      J.block<1, 3>(row, 3 * node) = random.in_cube(1.0).transpose();
    }
  }
  const LaneBuffer right_sides = in_lanes(cholesky, J.transpose());
  LaneBuffer y = right_sides;
  cholesky.solve_lower(y.data(), first);
  const MatrixXd Y = from_lanes(cholesky, y, 8);  // rows permuted back: Y' Y does not see it
  const MatrixXd W = J * to_dense(A).llt().solve(J.transpose());
  CHECK((Y.transpose() * Y - W).norm() <= 1e-12 * W.norm());

  LaneBuffer from_the_top = right_sides;
  cholesky.solve_lower(from_the_top.data());
  CHECK(from_the_top == y);  // what is zero before `first` stays so
}

TEST_CASE("copies share the analysis and keep factors of their own")
{
  Random random(8);
  const BlockMatrix A = random_spd(grid(6, 6), random), B = random_spd(A.pattern, random);
  BlockCholesky of_a(*A.pattern);
  BlockCholesky of_b = of_a;
  REQUIRE(of_a.factor(A));
  REQUIRE(of_b.factor(B));
  CHECK(&of_a.order() == &of_b.order());
  const VectorXd b = random_vector(A.size(), random);
  VectorXd x = b;
  of_a.solve(x);
  CHECK(backward_error(A, x, b) < stable);
  x = b;
  of_b.solve(x);
  CHECK(backward_error(B, x, b) < stable);
}

TEST_CASE("several threads solve with one factor and get the bits of one thread")
{
  Random random(9);
  const BlockMatrix A = random_spd(grid(20, 20), random);
  BlockCholesky cholesky(*A.pattern);
  REQUIRE(cholesky.factor(A));
  VectorXd expected = random_vector(A.size(), random);
  std::vector<VectorXd> x(64, expected);
  cholesky.solve(expected);
  tbb::parallel_for(0, 64, [&](int k) { cholesky.solve(x[k]); });
  for (const VectorXd& each : x) CHECK(each == expected);
}

TEST_CASE("the same matrix gives the same bits in every factorisation")
{
  Random random(10);
  const BlockMatrix A = random_spd(tet_box(3, 3, 3), random);
  const VectorXd b = random_vector(A.size(), random);
  BlockCholesky first(*A.pattern), second(*A.pattern);
  REQUIRE(second.factor(random_spd(A.pattern, random)));  // what it held before must not matter
  REQUIRE(first.factor(A));
  REQUIRE(second.factor(A));
  VectorXd x = b, y = b;
  first.solve(x);
  second.solve(y);
  CHECK(x == y);
}

TEST_CASE("a large factorisation gives the same bits on any number of threads")
{
  Random random(12);
  const BlockMatrix A = random_spd(complete(120), random);  // its panels are worth several threads
  const VectorXd b = random_vector(A.size(), random);
  const auto solve_on = [&](int threads) {
    VectorXd x = b;
    with_threads(threads, [&] {
      BlockCholesky cholesky(*A.pattern);
      REQUIRE(cholesky.factor(A));
      cholesky.solve(x);
    });
    return x;
  };
  const VectorXd one = solve_on(1);
  CHECK(backward_error(A, one, b) < stable);
  CHECK(solve_on(2) == one);
  CHECK(solve_on(4) == one);
}

TEST_CASE("a factorisation in tasks is stable and gives the same bits on any number of threads")
{
  Random random(13);
  const BlockMatrix A = random_spd(tet_box(11, 11, 11), random);
  const VectorXd b = random_vector(A.size(), random);
  BlockCholesky cholesky(*A.pattern);
  REQUIRE(cholesky.elimination().tasks.size() > 2);
  const auto solve_on = [&](int threads) {
    VectorXd x = b;
    with_threads(threads, [&] {
      REQUIRE(cholesky.factor(A));
      cholesky.solve(x);
    });
    return x;
  };
  const VectorXd one = solve_on(1);
  CHECK(backward_error(A, one, b) < stable);
  CHECK(solve_on(2) == one);
  CHECK(solve_on(4) == one);

  BlockMatrix indefinite = A;  // in a leaf of the tree, below the first task
  const int leaf = cholesky.elimination().tasks.back().supernodes.front();
  const int node = cholesky.order()[cholesky.elimination().supernodes[leaf].first_column];
  indefinite.blocks[A.pattern->diagonal_slot(node)] *= -1.0;
  CHECK_FALSE(cholesky.factor(indefinite));
}

TEST_CASE("a matrix of another pattern is refused")
{
  Random random(11);
  BlockCholesky cholesky(*grid(4, 4));
  CHECK_THROWS_WITH_AS(cholesky.factor(random_spd(path(3), random)),
                       "BlockCholesky: the matrix has 7 blocks, expected the 82 of the pattern "
                       "that was analysed",
                       Error);
}
