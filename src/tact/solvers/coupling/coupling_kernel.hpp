// One sweep of projected Gauss-Seidel over the contacts of a coupled problem, in two ways that make
// the same iterates to round-off.
//
//   lambda_c <- relax(lambda_c, u_c),   u_c = q_c + (B lambda)_c,   B = J P^-1 J' = B_s + B_d
//
// B_s is what nodes add, sparse; B_d what rigid bodies add, dense and of low rank: at most six a
// body ([Miguel11] Sec. 4).
//
//   low_rank   keeps w = P^-1 J' lambda, reads u_c = q_c + J_c w and adds P^-1 J_c' (change) to it:
//              O(1) a contact, nothing to build but rows. Nodes are treated like bodies, so that a
//              node with many contacts costs no more.       [Miguel11] eqs. (8), (9)
//   standard   builds B and reads a row of it: O(n) a contact where n are on one body. What the
//              paper compares with, and an independent check.
#pragma once

#include <cstddef>
#include <memory>

#include <tact/solvers/coupling/compact_rows.hpp>
#include <tact/solvers/coupling/kernel_kind.hpp>

namespace tact {

class CouplingKernel {
 public:
  virtual ~CouplingKernel() = default;

  // The rows may be rebased between sweeps; they must not be loaded anew.
  virtual void load(const CompactRows& rows) = 0;
  // Requires w = P^-1 J' lambda and keeps it so; three entries of lambda a contact, in the order of
  // the rows.
  virtual void sweep(const CompactRows& rows, VectorXd& lambda, VectorXd& w) = 0;
  // What is kept besides the rows.
  virtual std::size_t bytes() const = 0;
};

[[nodiscard]] std::unique_ptr<CouplingKernel> make_coupling_kernel(CouplingKernelKind kind);

}  // namespace tact
