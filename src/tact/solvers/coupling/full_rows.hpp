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
  // First every row with its columns, ascending; then allot(), then entries.
  void begin(int rows);
  void add_row(std::span<const int> columns);
  // Memory for all rows, that of the last matrix where it is large enough. Nothing is written yet.
  void allot();

  // The entries of a row: three rows of 3 x columns numbers, `stride` apart.
  double* row(int row) { return entries_.data() + first_entry_[row]; }
  std::size_t stride(int row) const { return (first_entry_[row + 1] - first_entry_[row]) / 3; }
  int columns(int row) const { return static_cast<int>(stride(row) / 3); }
  // Which of the row's columns this is; it must be one.
  int place(int row, int column) const;

  // (B x) of a row, x three entries a column.
  Vector3d times(int row, const double* x) const;

  std::size_t bytes() const;
  int rows() const { return static_cast<int>(first_run_.size()) - 1; }

 private:
  struct Run {
    int first, length;  // of columns
    int place;          // of the first
  };
  std::vector<int> first_run_ = {0};
  std::vector<std::size_t> first_entry_ = {0};
  std::vector<Run> runs_;
  std::vector<double> entries_;  // and maybe more than are used
};

}  // namespace tact
