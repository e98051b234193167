#include <tact/linalg/dense_lu.hpp>

#include <algorithm>
#include <cmath>

namespace tact {

void DenseLu::reserve(int largest)
{
  const auto rows = static_cast<std::size_t>(largest);
  lu_.reserve(rows * rows);
  swaps_.reserve(rows);
}

void DenseLu::begin(int size)
{
  size_ = size;
  const auto rows = static_cast<std::size_t>(size);
  lu_.assign(rows * rows, 0.0);
  swaps_.assign(rows, 0);
}

bool DenseLu::factor()
{
  for (int k = 0; k < size_; ++k) {
    int pivot = k;
    for (int i = k + 1; i < size_; ++i) {
      if (std::abs(lu_[index(i, k)]) > std::abs(lu_[index(pivot, k)])) pivot = i;
    }
    swaps_[k] = pivot;
    const double size_of_pivot = std::abs(lu_[index(pivot, k)]);
    if (!(size_of_pivot > 0.0) || !std::isfinite(size_of_pivot)) return false;
    double* row_k = &lu_[index(k, 0)];
    if (pivot != k) std::swap_ranges(row_k, row_k + size_, &lu_[index(pivot, 0)]);
    const double inverse = 1.0 / row_k[k];
    for (int i = k + 1; i < size_; ++i) {
      double* row_i = &lu_[index(i, 0)];
      const double factor = row_i[k] *= inverse;
      if (factor == 0.0) continue;
      for (int j = k + 1; j < size_; ++j) row_i[j] -= factor * row_k[j];
    }
  }
  return true;
}

void DenseLu::solve(double* x) const
{
  for (int k = 0; k < size_; ++k) std::swap(x[k], x[swaps_[k]]);
  for (int i = 1; i < size_; ++i) {
    const double* row = &lu_[index(i, 0)];
    for (int j = 0; j < i; ++j) x[i] -= row[j] * x[j];
  }
  for (int i = size_ - 1; i >= 0; --i) {
    const double* row = &lu_[index(i, 0)];
    for (int j = i + 1; j < size_; ++j) x[i] -= row[j] * x[j];
    x[i] /= row[i];
  }
}

}  // namespace tact
