#include <tact/solvers/pivoting/pyramid_lcp.hpp>

namespace tact {

void PyramidLcp::fill_column(int column, const Twist* sides, const int* body)
{
  columns_.col(column).setZero();
  for (int s = 0; s < 2; ++s) {
    if (body[s] == problem_->bodies()) continue;
    for (int i = 0; i < 6; ++i) columns_(6 * body[s] + i, column) = sides[s][i];
  }
}

// Columns of N, D, B; rows nu, sigma, then gamma, then the bilateral ones.
void PyramidLcp::load_columns(int impulses)
{
  const auto& contacts = problem_->contacts();
  const auto& bilateral = problem_->bilateral();
  const int n = problem_->size(), d = pyramid_->d, bodies = problem_->bodies();
  const int f = static_cast<int>(frictional_.size()), b = static_cast<int>(bilateral.size());
  columns_.resize(6 * bodies, impulses + b);
  lcp_.q.setZero(impulses + f + b);
  for (int c = 0; c < n; ++c) {
    const Twist sides[2] = {contacts[c].rows[0][0], contacts[c].rows[1][0]};
    fill_column(c, sides, contacts[c].body);
    lcp_.q[c] = contacts[c].bias[0];
  }
  for (int i = 0; i < f; ++i) {
    const WhitenedContact& c = contacts[frictional_[i]];
    for (int j = 0; j < d; ++j) {
      const double cos = pyramid_->cos_d[j], sin = pyramid_->sin_d[j];
      const Twist sides[2] = {combine(0.0, c.rows[0][0], cos, c.rows[0][1], sin, c.rows[0][2]),
                              combine(0.0, c.rows[1][0], cos, c.rows[1][1], sin, c.rows[1][2])};
      fill_column(n + i * d + j, sides, c.body);
      lcp_.q[n + i * d + j] = cos * c.bias[1] + sin * c.bias[2];
    }
  }
  for (int r = 0; r < b; ++r) {
    fill_column(impulses + r, bilateral[r].side, bilateral[r].body);
    lcp_.q[impulses + f + r] = bilateral[r].bias;
  }
  k_.resize(6 * bodies);
  for (int i = 0; i < bodies; ++i) {
    for (int j = 0; j < 6; ++j) k_[6 * i + j] = problem_->k()[i][j];
  }
}

// Those of the bilateral rows, where there are any.
void PyramidLcp::load_limits()
{
  const auto& bilateral = problem_->bilateral();
  lcp_.lower.resize(0);
  lcp_.upper.resize(0);
  if (bilateral.empty()) return;
  const auto first = lcp_.q.size() - static_cast<Eigen::Index>(bilateral.size());
  lcp_.lower.setZero(lcp_.q.size());
  lcp_.upper.setConstant(lcp_.q.size(), infinity);
  for (std::size_t r = 0; r < bilateral.size(); ++r) {
    lcp_.lower[first + static_cast<Eigen::Index>(r)] = bilateral[r].lower;
    lcp_.upper[first + static_cast<Eigen::Index>(r)] = bilateral[r].upper;
  }
}

void PyramidLcp::load(const WhitenedProblem& problem, const FrictionPyramid& pyramid)
{
  problem_ = &problem;
  pyramid_ = &pyramid;
  const auto& contacts = problem.contacts();
  const int n = problem.size(), d = pyramid.d;
  frictional_.clear();
  for (int c = 0; c < n; ++c) {
    if (contacts[c].mu > 0.0) frictional_.push_back(c);
  }
  const int f = static_cast<int>(frictional_.size());
  const int b = static_cast<int>(problem.bilateral().size());
  const int impulses = n + f * d, size = impulses + f + b;
  load_columns(impulses);

  lcp_.M.setZero(size, size);
  const auto unilateral = columns_.leftCols(impulses);
  const auto bilaterals = columns_.rightCols(b);
  lcp_.M.topLeftCorner(impulses, impulses).noalias() = unilateral.transpose() * unilateral;
  lcp_.M.topRightCorner(impulses, b).noalias() = unilateral.transpose() * bilaterals;
  lcp_.M.bottomLeftCorner(b, impulses).noalias() = bilaterals.transpose() * unilateral;
  lcp_.M.bottomRightCorner(b, b).noalias() = bilaterals.transpose() * bilaterals;
  for (int i = 0; i < f; ++i) {
    lcp_.M.block(n + i * d, impulses + i, d, 1).setOnes();
    lcp_.M.block(impulses + i, n + i * d, 1, d).setConstant(-1.0);
    lcp_.M(impulses + i, frictional_[i]) = contacts[frictional_[i]].mu;
  }
  lcp_.q.head(impulses) += unilateral.transpose() * k_;
  lcp_.q.tail(b) += bilaterals.transpose() * k_;
  load_limits();
}

void PyramidLcp::read(const VectorXd& z, VectorXd& lambda, VectorXd& beta,
                      std::vector<Twist>& y) const
{
  const int n = problem_->size(), d = pyramid_->d, f = static_cast<int>(frictional_.size());
  const auto b = static_cast<Eigen::Index>(problem_->bilateral().size());
  lambda.setZero(3 * n);
  for (int c = 0; c < n; ++c) lambda[3 * c] = z[c];
  for (int i = 0; i < f; ++i) {
    for (int j = 0; j < d; ++j) {
      const double phi = z[n + i * d + j];
      lambda[3 * frictional_[i] + 1] += phi * pyramid_->cos_d[j];
      lambda[3 * frictional_[i] + 2] += phi * pyramid_->sin_d[j];
    }
  }
  beta = z.tail(b);
  VectorXd velocity = k_;
  velocity.noalias() += columns_.leftCols(n + f * d) * z.head(n + f * d);
  velocity.noalias() += columns_.rightCols(b) * beta;
  y = problem_->k();
  for (int i = 0; i < problem_->bodies(); ++i) {
    for (int j = 0; j < 6; ++j) y[i].set(j, velocity[6 * i + j]);
  }
}

}  // namespace tact
