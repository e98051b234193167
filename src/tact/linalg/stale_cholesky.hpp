// K x = b for a symmetric positive definite K that changes little from one call to the next, as in
// Newton's method: conjugate gradients with the factor of an earlier K as preconditioner, and a new
// factor where these take too long.
//
// Where K differs from the K that was factored in few places, few eigenvalues of the preconditioned
// matrix differ from 1, and few iterations are needed; one takes a twentieth or so of the time of a
// factorisation.
#pragma once

#include <tact/linalg/block_cholesky.hpp>

namespace tact {

struct StaleCholeskyOptions {
  // Of conjugate gradients, on |b - K x| / |b| in the norm of the inverse of the factor's matrix.
  double tolerance = 1e-2;
  double patience = 0.6;  // factorisations' worth of iterations, before a new factor is made
};

class StaleCholesky {
 public:
  explicit StaleCholesky(const BlockPattern& pattern);

  // False: K is not positive definite to working precision. K must have the pattern of the
  // constructor. The first call factors.
  bool solve(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
             const StaleCholeskyOptions& options = {});

  int factors() const { return factors_; }
  int iterations() const { return iterations_; }
  // All calls so far, in factorisations: counted, not timed, so that it is the same on every run.
  double work() const { return factors_ + iterations_ * iteration_work_; }

 private:
  bool descend(const BlockMatrix& K, const VectorXd& b, VectorXd& x,
               const StaleCholeskyOptions& options);

  BlockCholesky factor_;
  double iteration_work_ = 0.0;  // factorisations
  int factors_ = 0;
  int iterations_ = 0;
  VectorXd r_, z_, p_, q_;  // b - K x, preconditioned, direction, K p
};

}  // namespace tact
