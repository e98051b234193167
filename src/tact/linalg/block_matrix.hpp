// A symmetric matrix of 3 x 3 blocks. Both triangles are stored, so that the rows of a product do
// not depend on each other; whoever fills the matrix fills both.
#pragma once

#include <memory>
#include <vector>

#include <tact/core/types.hpp>
#include <tact/linalg/block_pattern.hpp>

namespace tact {

struct BlockMatrix {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<Matrix3d> blocks;  // one a slot of the pattern

  int rows() const { return pattern ? pattern->rows() : 0; }  // of blocks
  int size() const { return 3 * rows(); }                     // of numbers
};

[[nodiscard]] BlockMatrix zero_matrix(std::shared_ptr<const BlockPattern> pattern);
void set_zero(BlockMatrix& A);

// y = A x. Large products run on several threads, with the same bits for any number of them. Does
// not allocate when y has the right size already. x and y must not be the same vector.
void multiply(const BlockMatrix& A, const VectorXd& x, VectorXd& y);

[[nodiscard]] MatrixXd to_dense(const BlockMatrix& A);  // for tests and problem files

}  // namespace tact
