// K x = b for a symmetric positive definite K that changes little from one call to the next, as in
// Newton's method: conjugate gradients with the factor of an earlier K as preconditioner, and a new
// factor where these take too long.
//
// Where K differs from the K that was factored in few places, few eigenvalues of the preconditioned
// matrix differ from 1, and few iterations are needed; one takes a twentieth or so of the time of a
// factorisation. Factors are in single precision as long as that will do.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include <tact/linalg/block_cholesky.hpp>
#include <tact/linalg/single_cholesky.hpp>

namespace tact {

struct StaleCholeskyOptions {
  // Of conjugate gradients, on |b - K x| / |b| in the norm of the inverse of the factor's matrix.
  double tolerance = 1e-2;
  double patience = 0.6;  // factorisations' worth of iterations, before a new factor is made
};

class StaleCholesky {
 public:
  StaleCholesky() = default;  // begin() must follow
  explicit StaleCholesky(const BlockPattern& pattern) { begin(pattern); }

  // Forgets all earlier calls, but keeps their memory. Without an order of elimination it takes one
  // of minimum degree.
  void begin(const BlockPattern& pattern, std::span<const int> order = {});

  // False: K is not positive definite to working precision. K must have the pattern that was given
  // last. The first call factors.
  bool solve(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
             const StaleCholeskyOptions& options = {});

  int factors() const { return factors_; }
  int iterations() const { return iterations_; }
  bool in_single() const { return !double_; }  // the factors so far
  // All calls so far, in factorisations: counted, not timed, so that it is the same on every run.
  double work() const { return factors_ + iterations_ * iteration_work_; }

 private:
  void precondition(const VectorXd& r, VectorXd& z);
  bool descend(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
               const StaleCholeskyOptions& options);

  std::shared_ptr<const Elimination> elimination_;
  SingleCholesky single_;
  std::optional<BlockCholesky> double_;  // from when on single precision did not do
  double iteration_work_ = 0.0;          // factorisations
  int factors_ = 0;
  int iterations_ = 0;
  VectorXd r_, z_, p_, q_;  // b - K x, preconditioned, direction, K p
};

}  // namespace tact
