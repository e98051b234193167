// Cholesky factorisation A = L L' of a symmetric positive definite block matrix, for meshes that
// are factored anew in every step. docs/sparse.md tells how.
//
// The constructor analyses the pattern: it chooses an order of elimination with little fill and
// gathers columns of equal structure into supernodes, dense panels. factor() only computes. Copies
// share the analysis: bodies of the same mesh copy one BlockCholesky.
//
// Nothing but the constructor allocates. The const functions keep no scratch, so several threads
// can solve with one factor. factor() and solve() use several threads on large matrices; the bits
// are the same for any number.
#pragma once

#include <memory>
#include <vector>

#include <tact/linalg/block_matrix.hpp>
#include <tact/linalg/lanes.hpp>

namespace tact {

struct Elimination;

class BlockCholesky {
 public:
  explicit BlockCholesky(const BlockPattern& pattern);
  // With an analysis that others have made.
  explicit BlockCholesky(std::shared_ptr<const Elimination> elimination);

  // False: A is not positive definite to working precision, and the factor is useless. A must have
  // the pattern of the constructor; its lower and upper triangle must agree.
  bool factor(const BlockMatrix& A);

  // x := A^-1 x
  void solve(VectorXd& x) const;

  // Eight right sides at a time, one a lane: y holds 3 rows groups of eight doubles, on a 64-byte
  // boundary (see LaneBuffer). Row 3 k + i of y belongs to component i of node order()[k]: right
  // sides stand in the order of elimination, so that Y = L^-1 J' gives W = Y' Y as it is.
  //
  //   y := L^-1 y   first: all rows before block row `first` are zero; they are not touched.
  //                 Supernodes that a right side does not reach are passed over.
  //   y := L^-T y
  void solve_lower(double* y, int first = 0) const;
  void solve_upper(double* y) const;

  const std::vector<int>& order() const;     // order()[k]: the node that is eliminated as k-th
  const std::vector<int>& position() const;  // the inverse: position()[order()[k]] = k

  const Elimination& elimination() const { return *elimination_; }

  // Blocks on and below the diagonal of L, those included that are zero but stand in a supernode.
  int factor_block_count() const;
  double work() const;  // rough time to factor, in products of 3 x 3 blocks

 private:
  std::shared_ptr<const Elimination> elimination_;
  LaneBuffer values_;  // the panels, see elimination.hpp
};

}  // namespace tact
