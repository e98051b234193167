#include <tact/solvers/cone/block_problem.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <tact/contact/judge.hpp>

namespace tact {
namespace {

// What is left of a row of W while a contact's rows are read side by side.
struct RowRest {
  const int* column;
  const int* end;
  const double* value;
};

RowRest whole_row(const SparseRows& W, int row)
{
  const int first = W.outerIndexPtr()[row];
  const int* counts = W.innerNonZeroPtr();  // null: the rows follow each other without gaps
  const int end = counts ? first + counts[row] : W.outerIndexPtr()[row + 1];
  return {W.innerIndexPtr() + first, W.innerIndexPtr() + end, W.valuePtr() + first};
}

}  // namespace

// The rows of a contact are merged: Eigen keeps the columns of each in order.
template <int D>
BlockProblem<D>::BlockProblem(const FrictionProblem& problem)
    : has_rows(problem.blocks() > problem.contacts()), norm_q(problem.q.norm())
{
  for (int c = 0; c < problem.blocks(); ++c) sets.push_back(problem.set(c));
  constexpr int none = std::numeric_limits<int>::max();
  const auto likely_blocks = static_cast<std::size_t>(problem.W.nonZeros() / (D * D)) + sets.size();
  column.reserve(likely_blocks);
  W.reserve(likely_blocks);
  first.assign(1, 0);
  for (int c = 0; c < contacts(); ++c) {
    std::array<RowRest, D> rows;
    for (int i = 0; i < D; ++i) rows[i] = whole_row(problem.W, D * c + i);
    bool has_own = false;  // also where it is all zeros
    for (;;) {
      int next = has_own ? none : c;
      for (const RowRest& row : rows)
        if (row.column != row.end) next = std::min(next, *row.column / D);
      if (next == none) break;
      if (next == c) {
        has_own = true;
        diagonal.push_back(static_cast<int>(column.size()));
      }
      column.push_back(next);
      Matrix& block = W.emplace_back(Matrix::Zero());
      for (int i = 0; i < D; ++i)
        for (; rows[i].column != rows[i].end && *rows[i].column < D * (next + 1);
             ++rows[i].column, ++rows[i].value)
          block(i, *rows[i].column - D * next) += *rows[i].value;
    }
    first.push_back(static_cast<int>(column.size()));
  }
  for (int c = 0; c < contacts(); ++c) {
    const double trace = own(c).trace();
    d.push_back(trace > 0.0 ? std::sqrt((sets[c].is_row ? 1 : D) / trace) : 1.0);
  }
  q = problem.q;
  for (int c = 0; c < contacts(); ++c) {
    part<D>(q, c) *= d[c];
    for (int k = first[c]; k < first[c + 1]; ++k) W[k] *= d[c] * d[column[k]];
  }
  const double largest = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0;
  if (largest > 0.0) beta = largest;
  q /= beta;
  for (int c = 0; c < contacts(); ++c) {
    sets[c].lower /= beta * d[c];
    sets[c].upper /= beta * d[c];
  }
}

template <int D>
void BlockProblem<D>::multiply(const VectorXd& lambda, VectorXd& product) const
{
  product.resize(size());
  for (int c = 0; c < contacts(); ++c)
    part<D>(product, c) = this->product(first[c], first[c + 1], lambda);
}

template <int D>
void BlockProblem<D>::velocities(const VectorXd& lambda, VectorXd& u) const
{
  multiply(lambda, u);
  u += q;
}

template <int D>
double BlockProblem<D>::rel_q(const VectorXd& lambda, const VectorXd& u) const
{
  NaturalSum sum;
  for (int c = 0; c < contacts(); ++c) {
    const Vector lambda_c = (beta * d[c]) * part<D>(lambda, c);
    const Vector u_c = (beta / d[c]) * part<D>(u, c);
    sum.add(natural_map<D>(u_c, lambda_c, unscaled_set(c), 1.0).norm());
  }
  return norm_q > 0.0 ? sum.norm() / norm_q : sum.norm();
}

// w_c |lambda_c - P(lambda_c - u^_c / w_c)| with w_c = 1 / d_c^2: scaled numbers need no step
// length.
template <int D>
double BlockProblem<D>::eps_nat(const VectorXd& lambda, const VectorXd& u) const
{
  NaturalSum sum;
  for (int c = 0; c < contacts(); ++c) {
    const double speed = beta / d[c];
    sum.add(speed * natural_map<D>(part<D>(u, c), part<D>(lambda, c), sets[c], 1.0).norm());
  }
  return sum.rms();
}

template <int D>
ImpulseSet BlockProblem<D>::unscaled_set(int contact) const
{
  ImpulseSet set = sets[contact];
  set.lower *= beta * d[contact];
  set.upper *= beta * d[contact];
  return set;
}

template <int D>
VectorXd BlockProblem<D>::unscaled(const VectorXd& lambda) const
{
  VectorXd original(size());
  for (int c = 0; c < contacts(); ++c) part<D>(original, c) = (beta * d[c]) * part<D>(lambda, c);
  return original;
}

template <int D>
VectorXd BlockProblem<D>::scaled(const VectorXd& lambda) const
{
  VectorXd ours(size());
  for (int c = 0; c < contacts(); ++c)
    part<D>(ours, c) = project<D>(part<D>(lambda, c) / (beta * d[c]), sets[c]);
  return ours;
}

template struct BlockProblem<2>;
template struct BlockProblem<3>;

}  // namespace tact
