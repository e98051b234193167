#include <tact/solvers/cone/linear_system.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <Eigen/SparseLU>

namespace tact {
namespace {

using SparseColumns = Eigen::SparseMatrix<double>;

constexpr int small_size = 60;
constexpr int largest_dense = 3000;   // 72 MB
constexpr double full_share = 0.12;   // of entries, above which dense LU is faster
constexpr double dense_speed = 3.0;   // operations of dense LU in the time of one of sparse LU
constexpr double per_factor = 4e4;    // operations, whatever the size of a sparse matrix
constexpr double per_entry = 120.0;   // operations to order and move one entry of a sparse matrix
constexpr double fill_growth = 40.0;  // measured: 40 entries^2 / size on contact problems

bool is_better_dense(int size, double entries)
{
  return size <= small_size ||
         (size <= largest_dense && entries > full_share * static_cast<double>(size) * size);
}

}  // namespace

struct LinearSystem::Factors {
  MatrixXd matrix;
  Eigen::PartialPivLU<MatrixXd> dense;
  SparseColumns sparse_matrix;
  Eigen::SparseLU<SparseColumns, Eigen::COLAMDOrdering<int>> sparse;
};

LinearSystem::LinearSystem() : factors_(std::make_unique<Factors>())
{
}
LinearSystem::~LinearSystem() = default;

void LinearSystem::begin(int size)
{
  size_ = size;
  entries_.clear();
}

bool LinearSystem::factor()
{
  ++factorisations_;
  Factors& f = *factors_;
  dense_ = is_better_dense(size_, static_cast<double>(entries_.size()));
  if (dense_) {
    f.matrix.setZero(size_, size_);
    for (const auto& entry : entries_) f.matrix(entry.row(), entry.col()) += entry.value();
    f.dense.compute(f.matrix);
    const auto pivots = f.dense.matrixLU().diagonal().cwiseAbs();
    return f.dense.matrixLU().allFinite() && (size_ == 0 || pivots.minCoeff() > 0.0);
  }
  f.sparse_matrix.resize(size_, size_);
  f.sparse_matrix.setFromTriplets(entries_.begin(), entries_.end());
  f.sparse.analyzePattern(f.sparse_matrix);
  f.sparse.factorize(f.sparse_matrix);
  return f.sparse.info() == Eigen::Success;
}

void LinearSystem::solve(VectorXd& x)
{
  if (dense_)
    answer_ = factors_->dense.solve(x);
  else
    answer_ = factors_->sparse.solve(x);
  x.swap(answer_);
}

double factorisation_work(int size, double entries)
{
  const double n = size;
  const double full = 2.0 / 3.0 * n * n * n;
  if (size <= small_size) return full;
  if (is_better_dense(size, entries)) return full / dense_speed;
  return per_factor + std::min(full, fill_growth * entries * entries / n) + per_entry * entries;
}

}  // namespace tact
