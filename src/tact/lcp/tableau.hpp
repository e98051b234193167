// The condensed tableau of pivoting methods: basic variables as affine functions of nonbasic ones.
#pragma once

#include <vector>

#include <tact/core/types.hpp>

namespace tact {

//   basic_r = constant_r + sum_c T_rc nonbasic_c
//
// Only nonbasic columns are stored, row after row in one block of memory; a pivot is a rank-one
// update of it in place, 2 rows x columns flops, at the speed of the memory that holds it.
// Variables are numbers: at first row r holds variable r and column c variable rows + c.
class Tableau {
 public:
  // Forgets everything: all entries zero, labels as above. Allocates only to grow.
  void reset(int rows, int columns);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double* row(int r) { return cells_.data() + index(r); }
  const double* row(int r) const { return cells_.data() + index(r); }
  double& constant(int r) { return constants_[r]; }
  double constant(int r) const { return constants_[r]; }

  int basic(int r) const { return basic_[r]; }
  int nonbasic(int c) const { return nonbasic_[c]; }
  bool is_basic(int variable) const { return place(variable) < rows_; }
  // Of a basic variable its row, of a nonbasic one its column.
  int row_of(int variable) const { return place(variable); }
  int column_of(int variable) const { return place(variable) - rows_; }

  // Gathers column c; valid until the next call of column() or pivot().
  const VectorXd& column(int c);

  // Exchanges the basic variable of row r and the nonbasic one of column c. T_rc must not be zero.
  void pivot(int r, int c);

 private:
  Eigen::Index index(int r) const { return static_cast<Eigen::Index>(r) * stride_; }
  int place(int variable) const { return place_[variable]; }

  int rows_ = 0;
  int columns_ = 0;
  int stride_ = 0;             // doubles from row to row
  VectorXd cells_;             // rows x stride, the padding zero
  VectorXd constants_;         // at least one a row
  VectorXd column_;            // the gathered column
  std::vector<int> basic_;     // variable of each row
  std::vector<int> nonbasic_;  // variable of each column
  std::vector<int> place_;     // of each variable: its row, or rows + its column
};

}  // namespace tact
