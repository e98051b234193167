// Conjugate gradients for A x = b with the inverse 3 x 3 diagonal blocks D^-1 as preconditioner,
// for meshes too large to factor in every step.
//
// Sums run over chunks of fixed size and are added in order: the same bits for any number of
// threads.
#pragma once

#include <vector>

#include <tact/linalg/block_matrix.hpp>

namespace tact {

struct PcgOptions {
  double tolerance =
      1e-10;  // on |b - A x| / |b|, both in the norm of D^-1. Round-off ends near 1e-14
  int max_iterations = 1000;  // products with A, apart from those that measure the residual
  // Also done where the error e has at most this e' A e, as the last iterations tell: what each
  // gains of it is known, and the error of some iterations ago is what was gained since and more.
  // [Hestenes and Stiefel 1952] Theorem 6:1. 0: not asked for.
  double error_energy = 0.0;
};

struct PcgReport {
  int iterations = 0;
  double residual = 0.0;  // |b - A x| / |b| in the norm of D^-1, measured on what is returned
  bool converged = false;
};

// How many iterations solve() will take to `tolerance`, from a bound on the condition of D^-1 A: in
// a mesh whose nodes hang on their own masses and on each other, the uniform motion is the slowest
// mode, and no mode is faster than 2.
[[nodiscard]] double expected_pcg_iterations(const BlockMatrix& A, double tolerance);

class BlockPcg {
 public:
  // Takes the preconditioner from A. False: a diagonal block is not positive definite, so A is not;
  // solve() must not be called then. Allocates when the size changes.
  bool prepare(const BlockMatrix& A);

  // x: on entry the first guess, on return the answer (best left as it was in the last step). A may
  // differ from the one prepared for: that costs iterations, not accuracy. Does not allocate.
  PcgReport solve(const BlockMatrix& A, const VectorXd& b, VectorXd& x,
                  const PcgOptions& options = {});

  // b - A x of the last solve.
  const VectorXd& residual() const { return r_; }

 private:
  struct Descent;
  struct Target;
  Descent descend(const BlockMatrix& A, VectorXd& x, double rz, const Target& target, int budget);
  double weighted_square(const BlockPattern& pattern, const VectorXd& v);
  double residual_squared(const BlockMatrix& A, const VectorXd& b, const VectorXd& x);

  std::vector<Matrix3d> inverse_diagonal_;
  VectorXd r_, z_, p_, q_;    // b - A x, D^-1 r, direction, A p
  std::vector<double> sums_;  // one a chunk
};

}  // namespace tact
