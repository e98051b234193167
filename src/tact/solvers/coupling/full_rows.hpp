// A matrix of 3 x 3 blocks between contacts, row by row, for kernels that read whole rows: blocks
// of neighbouring columns are one run of memory, so that a dense row is a dense product.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

class FullRows {
 public:
  // Room for so many blocks is made at once, if it is known.
  void begin(int rows, std::size_t blocks = 0);
  // Adds the next row: its columns, ascending. Returns where its entries go: three rows of
  // 3 x columns numbers.
  double* add_row(std::span<const int> columns);

  // (B x) of a row, x three entries a column.
  Vector3d times(int row, const double* x) const;

  std::size_t bytes() const;
  int rows() const { return static_cast<int>(first_run_.size()) - 1; }

 private:
  struct Run {
    int first, length;  // of columns
  };
  std::vector<int> first_run_ = {0};
  std::vector<std::size_t> first_entry_ = {0};
  std::vector<Run> runs_;
  std::vector<double> entries_;
};

}  // namespace tact
