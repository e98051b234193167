#include <tact/coulomb/block_problem.hpp>

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

// Block columns of one contact's rows, ascending, its own always among them.
template <int D>
void find_columns(const SparseRows& W, int contact, std::vector<int>& columns)
{
  columns.assign(1, contact);
  for (int row = D * contact; row < D * (contact + 1); ++row)
    for (SparseRows::InnerIterator it(W, row); it; ++it)
      columns.push_back(static_cast<int>(it.col()) / D);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

}  // namespace

template <int D>
BlockProblem<D>::BlockProblem(const FrictionProblem& problem)
    : mu(problem.mu.begin(), problem.mu.end()), norm_q(problem.q.norm())
{
  first.assign(1, 0);
  std::vector<int> columns;
  for (int c = 0; c < contacts(); ++c) {
    find_columns<D>(problem.W, c, columns);
    const auto own_column = std::lower_bound(columns.begin(), columns.end(), c);
    diagonal.push_back(first[c] + static_cast<int>(own_column - columns.begin()));
    column.insert(column.end(), columns.begin(), columns.end());
    first.push_back(static_cast<int>(column.size()));
    W.resize(column.size(), Matrix::Zero());
    for (int row = 0; row < D; ++row) {
      for (SparseRows::InnerIterator it(problem.W, D * c + row); it; ++it) {
        const int entry = static_cast<int>(it.col());
        const auto at = std::lower_bound(columns.begin(), columns.end(), entry / D);
        W[first[c] + (at - columns.begin())](row, entry % D) += it.value();
      }
    }
  }
  for (int c = 0; c < contacts(); ++c) {
    const double trace = own(c).trace();
    d.push_back(trace > 0.0 ? std::sqrt(D / trace) : 1.0);
  }
  q = problem.q;
  for (int c = 0; c < contacts(); ++c) {
    part<D>(q, c) *= d[c];
    for (int k = first[c]; k < first[c + 1]; ++k) W[k] *= d[c] * d[column[k]];
  }
  const double largest = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0;
  if (largest > 0.0) beta = largest;
  q /= beta;
}

template <int D>
void BlockProblem<D>::multiply(const VectorXd& lambda, VectorXd& product) const
{
  product.resize(size());
  for (int c = 0; c < contacts(); ++c) {
    Vector sum = Vector::Zero();
    for (int k = first[c]; k < first[c + 1]; ++k)
      sum.noalias() += W[k] * part<D>(lambda, column[k]);
    part<D>(product, c) = sum;
  }
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
  double squared = 0.0;
  for (int c = 0; c < contacts(); ++c) {
    const Vector lambda_c = (beta * d[c]) * part<D>(lambda, c);
    const Vector u_c = (beta / d[c]) * part<D>(u, c);
    squared += natural_map<D>(lambda_c, u_c, mu[c]).squaredNorm();
  }
  return norm_q > 0.0 ? std::sqrt(squared) / norm_q : std::sqrt(squared);
}

// w_c |lambda_c - P(lambda_c - u^_c / w_c)| with w_c = 1 / d_c^2: scaled numbers need no step length.
template <int D>
double BlockProblem<D>::eps_nat(const VectorXd& lambda, const VectorXd& u) const
{
  double squared = 0.0;
  for (int c = 0; c < contacts(); ++c) {
    const double speed = beta / d[c];
    squared +=
        speed * speed * natural_map<D>(part<D>(lambda, c), part<D>(u, c), mu[c]).squaredNorm();
  }
  return std::sqrt(squared / std::max(1, contacts()));
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
    part<D>(ours, c) = nearest_in_cone<D>(part<D>(lambda, c) / (beta * d[c]), mu[c]);
  return ours;
}

template struct BlockProblem<2>;
template struct BlockProblem<3>;

}  // namespace tact
