// A friction problem as the solvers see it: blocks of D x D, scaled so that every contact answers
// alike to its own impulse.
//
//   w_c = trace(W_cc) / D,  d_c = 1 / sqrt(w_c),  W' = d W d,  q' = d q / beta,  beta = max |d q|
//   lambda = beta d lambda',  u = beta u' / d
//
// Of a bilateral row, which has one row of its block, w_c is its entry of W. One positive number a
// contact keeps cone and shift as they are; the same for all contacts of a problem in other units.
// The constants of the solvers (rho, alpha) assume this scaling.
#pragma once

#include <vector>

#include <tact/contact/friction_problem.hpp>
#include <tact/contact/law.hpp>
#include <tact/linalg/padded3.hpp>

namespace tact {

template <int D>
struct BlockProblem {
  using Vector = ContactVector<D>;
  using Matrix = ContactMatrix<D>;

  explicit BlockProblem(const FrictionProblem& problem);

  int contacts() const { return static_cast<int>(sets.size()); }  // and bilateral rows
  int size() const { return D * contacts(); }
  int block_count() const { return static_cast<int>(column.size()); }
  const Matrix& own(int contact) const { return W[diagonal[contact]]; }

  // The sum of W_k lambda over the blocks k of a row in [from, to).
  Vector product(int from, int to, const VectorXd& lambda) const;

  // u = W lambda + q, and W lambda alone, in scaled numbers. Do not allocate when u has its size.
  void velocities(const VectorXd& lambda, VectorXd& u) const;
  void multiply(const VectorXd& lambda, VectorXd& product) const;

  // e / |q| of judge.hpp: scaled numbers, but measured in the units of the problem.
  double rel_q(const VectorXd& lambda, const VectorXd& u) const;
  // eps_nat of judge.hpp, m/s: also of scaled numbers.
  double eps_nat(const VectorXd& lambda, const VectorXd& u) const;

  ImpulseSet unscaled_set(int contact) const;
  VectorXd unscaled(const VectorXd& lambda) const;
  VectorXd scaled(const VectorXd& lambda) const;  // and brought into their sets

  std::vector<int> first;     // of each contact's blocks, and their number at the end
  std::vector<int> column;    // of each block; ascending in a row
  std::vector<int> diagonal;  // the block of each contact on itself
  std::vector<Matrix> W;
  VectorXd q;
  std::vector<ImpulseSet> sets;  // limits in scaled numbers
  bool has_rows = false;         // bilateral ones
  std::vector<double> d;         // sqrt(kg)
  double beta = 1.0;             // m/s sqrt(kg)
  double norm_q = 0.0;           // |q|, m/s
};

// One accumulator a column of the blocks: sums that do not wait for each other.
template <int D>
inline ContactVector<D> BlockProblem<D>::product(int from, int to, const VectorXd& lambda) const
{
  if constexpr (D == 3) {
    Padded3 sum[3] = {};
    for (int k = from; k < to; ++k) {
      const double* w = W[k].data();
      const double* x = lambda.data() + 3 * column[k];
      sum[0] += load4(w) * x[0];  // what stands behind a column comes along and is dropped below
      sum[1] += load4(w + 3) * x[1];
      sum[2] += load3(w + 6) * x[2];
    }
    const Padded3 all = sum[0] + sum[1] + sum[2];
    return {all[0], all[1], all[2]};
  } else {
    Vector sum = Vector::Zero();
    for (int k = from; k < to; ++k) sum.noalias() += W[k] * part<D>(lambda, column[k]);
    return sum;
  }
}

extern template struct BlockProblem<2>;
extern template struct BlockProblem<3>;

}  // namespace tact
