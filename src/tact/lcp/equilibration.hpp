// Scaling of rows and columns by powers of two, so that the largest entries of all of them are
// near 1.
#pragma once

#include <tact/core/types.hpp>

namespace tact {

// With positive diagonal R and C, w = M z + q and (R w) = (R M C) (C^-1 z) + R q have the same
// complementary bases, and scaling by powers of two rounds nothing.
class Equilibration {
 public:
  VectorXd row;     // the diagonal of R
  VectorXd column;  // the diagonal of C

  // Chooses R and C for M (Ruiz 2001: divide by the square roots of the largest entries, repeat).
  void fit(const Eigen::Ref<const MatrixXd>& M);

 private:
  VectorXd row_largest_, column_largest_;  // workspace
};

}  // namespace tact
