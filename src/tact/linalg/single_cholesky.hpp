// Cholesky factorisation in single precision: half the time and half the memory of BlockCholesky,
// and seven digits less the condition of A. Good as a preconditioner (StaleCholesky), not as an
// answer.
#pragma once

#include <memory>

#include <tact/linalg/block_matrix.hpp>
#include <tact/linalg/lanes.hpp>

namespace tact {

struct Elimination;

class SingleCholesky {
 public:
  // Keeps the memory of an earlier elimination.
  void begin(std::shared_ptr<const Elimination> elimination);

  // False: A is not positive definite to single precision, and the factor is useless.
  bool factor(const BlockMatrix& A);

  // x := about A^-1 b
  void solve(const VectorXd& b, VectorXd& x);

 private:
  std::shared_ptr<const Elimination> elimination_;
  std::vector<float, LaneAllocator<float>> values_;  // the panels, see elimination.hpp
  std::vector<float, LaneAllocator<float>> nodes_;   // scratch: four numbers a node
};

}  // namespace tact
