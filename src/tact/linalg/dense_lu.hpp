// LU with partial pivoting that keeps its memory: for the small kernels of pivoting methods, where
// the size changes from solve to solve and an allocation would cost more than the arithmetic.
#pragma once

#include <vector>

namespace tact {

class DenseLu {
 public:
  // Makes room for `largest` rows.
  void reserve(int largest);

  // Starts a matrix of `size` rows; fill it through (row, column), then factor().
  void begin(int size);
  double& operator()(int row, int column) { return lu_[index(row, column)]; }

  // False for a singular matrix (a pivot is zero or not finite): solve() must not be called then.
  bool factor();

  // x <- K^-1 x
  void solve(double* x) const;

 private:
  std::size_t index(int row, int column) const
  {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(column);
  }

  int size_ = 0;
  std::vector<double> lu_;
  std::vector<int> swaps_;
};

}  // namespace tact
