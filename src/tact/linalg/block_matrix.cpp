#include <tact/linalg/block_matrix.hpp>

#include <algorithm>
#include <cassert>

#include <tact/linalg/padded3.hpp>
#include <tact/linalg/row_chunks.hpp>

namespace tact {

BlockMatrix zero_matrix(std::shared_ptr<const BlockPattern> pattern)
{
  const auto count = static_cast<std::size_t>(pattern->block_count());
  return {.pattern = std::move(pattern), .blocks = std::vector<Matrix3d>(count, Matrix3d::Zero())};
}

void set_zero(BlockMatrix& A)
{
  std::fill(A.blocks.begin(), A.blocks.end(), Matrix3d::Zero());
}

void multiply_rows(const BlockMatrix& A, RowChunk rows, const double* x, double* y)
{
  const BlockPattern& pattern = *A.pattern;
  for (int row = rows.first; row < rows.last; ++row) {
    Padded3 sum[3] = {};
    const double* block = A.blocks[pattern.first_slot(row)].data();
    for (const int column : pattern.columns(row)) {
      const double* x_j = x + 3 * column;
      for (int j = 0; j < 3; ++j) sum[j] += load3(block + 3 * j) * x_j[j];
      block += 9;
    }
    store3(sum[0] + sum[1] + sum[2], y + 3 * row);
  }
}

void multiply(const BlockMatrix& A, const VectorXd& x, VectorXd& y)
{
  assert(x.size() == A.size() && &x != &y);
  y.resize(A.size());
  for_row_chunks(*A.pattern, [&](RowChunk rows) { multiply_rows(A, rows, x.data(), y.data()); });
}

MatrixXd to_dense(const BlockMatrix& A)
{
  MatrixXd dense = MatrixXd::Zero(A.size(), A.size());
  for (int row = 0; row < A.rows(); ++row) {
    int slot = A.pattern->first_slot(row);
    for (const int column : A.pattern->columns(row)) {
      dense.block<3, 3>(3 * row, 3 * column) = A.blocks[slot++];
    }
  }
  return dense;
}

}  // namespace tact
