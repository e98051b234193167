#include <tact/solvers/pivoting/whitened.hpp>

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <tact/contact/rigid_bodies.hpp>

namespace tact {
namespace {

// Among the whitened bilateral rows as columns of a matrix, those kept by a rank-revealing QR; a
// row counts as dependent when less than 1e-10 of it is new.
constexpr double dependent = 1e-10;

// By forward substitution: Eigen's triangular solve packs its operands, which costs more than this.
Matrix6d lower_inverse(const Matrix6d& G)
{
  Matrix6d inverse = Matrix6d::Zero();
  for (int column = 0; column < 6; ++column) {
    inverse(column, column) = 1.0 / G(column, column);
    for (int row = column + 1; row < 6; ++row) {
      double sum = 0.0;
      for (int k = column; k < row; ++k) sum += G(row, k) * inverse(k, column);
      inverse(row, column) = -sum / G(row, row);
    }
  }
  return inverse;
}

MatrixXd dense_columns(const std::vector<WhitenedRow>& rows, int bodies)
{
  MatrixXd columns = MatrixXd::Zero(6 * (bodies + 1), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (int side = 0; side < 2; ++side) {
      for (int k = 0; k < 6; ++k) {
        columns(6 * rows[r].body[side] + k, static_cast<Eigen::Index>(r)) += rows[r].side[side][k];
      }
    }
  }
  return columns;
}

}  // namespace

void WhitenedProblem::load(const ContactProblem& problem)
{
  load_bodies(problem);
  contacts_.resize(problem.contacts.size());
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const ContactRows& from = problem.contacts[c];
    WhitenedContact& to = contacts_[c];
    to.mu = from.mu;
    const Vector3d bias = from.effective_bias();
    for (int k = 0; k < 3; ++k) to.bias[k] = bias[k];
    whiten<3>(problem.blocks.data() + from.first, from.count, to.body, to.rows[0], to.rows[1]);
  }
  load_bilateral(problem);
}

void WhitenedProblem::load_bodies(const ContactProblem& problem)
{
  inverse_.resize(problem.A.size());
  k_.assign(problem.A.size() + 1, Twist{});
  for (std::size_t b = 0; b < inverse_.size(); ++b) {
    const Matrix6d G = body_matrix(problem, static_cast<int>(b)).llt().matrixL();
    const Vector6d k = G.transpose() * problem.v_star.segment<6>(6 * static_cast<Eigen::Index>(b));
    const Matrix6d G_inverse = lower_inverse(G);
    for (int i = 0; i < 6; ++i) {
      k_[b].set(i, k[i]);
      inverse_[b].column[i] = Twist{};
      for (int row = 0; row < 6; ++row) inverse_[b].column[i].set(row, G_inverse(row, i));
    }
  }
}

// Row r of J G^-T is sum_i J(r, i) (G^-1)_i, with (G^-1)_i a column. The body of the first block is
// that of side a, another one that of side b.
template <int rows, class Block>
void WhitenedProblem::whiten(const Block* blocks, int count, int body[2], Twist* side_a,
                             Twist* side_b) const
{
  for (int r = 0; r < rows; ++r) side_a[r] = side_b[r] = Twist{};
  body[0] = blocks[0].node / 2;
  body[1] = bodies();
  for (int k = 0; k < count; ++k) {
    const auto& [node, J] = blocks[k];
    if (node / 2 != body[0]) body[1] = node / 2;
    Twist* out = node / 2 == body[0] ? side_a : side_b;
    const Twist* columns = inverse_[node / 2].column + 3 * (node % 2);
    for (int i = 0; i < 3; ++i)
      for (int r = 0; r < rows; ++r) out[r].add(J(r, i), columns[i]);
  }
}

WhitenedRow WhitenedProblem::whitened(const ContactProblem& problem, const BilateralRow& row) const
{
  WhitenedRow to;
  to.bias = row.bias;
  to.lower = row.lower;
  to.upper = row.upper;
  whiten<1>(problem.bilateral_blocks.data() + row.first, row.count, to.body, &to.side[0],
            &to.side[1]);
  return to;
}

void WhitenedProblem::load_bilateral(const ContactProblem& problem)
{
  bilateral_.clear();
  bilateral_source_.clear();
  bilateral_rows_ = static_cast<Eigen::Index>(problem.bilateral.size());
  contradictory_ = false;
  std::vector<int> equations;
  for (std::size_t r = 0; r < problem.bilateral.size(); ++r)
    if (!problem.bilateral[r].limited()) equations.push_back(static_cast<int>(r));
  if (!equations.empty()) load_equations(problem, equations);
  for (std::size_t r = 0; r < problem.bilateral.size(); ++r) {
    if (!problem.bilateral[r].limited()) continue;
    bilateral_source_.push_back(static_cast<int>(r));
    bilateral_.push_back(whitened(problem, problem.bilateral[r]));
  }
}

void WhitenedProblem::load_equations(const ContactProblem& problem,
                                     const std::vector<int>& equations)
{
  std::vector<WhitenedRow> all;
  VectorXd biases(static_cast<Eigen::Index>(equations.size()));
  for (const int r : equations) {
    biases[static_cast<Eigen::Index>(all.size())] = problem.bilateral[r].bias;
    all.push_back(whitened(problem, problem.bilateral[r]));
  }
  const MatrixXd columns = dense_columns(all, bodies());
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  qr.setThreshold(dependent);
  qr.compute(columns);
  for (Eigen::Index kept = 0; kept < qr.rank(); ++kept) {
    const int source = qr.colsPermutation().indices()[kept];
    bilateral_source_.push_back(equations[source]);
    bilateral_.push_back(all[source]);
  }
  // B y = -bias has a solution exactly when the least-squares one solves it.
  const VectorXd y = columns.transpose().completeOrthogonalDecomposition().solve(-biases);
  const double left = (columns.transpose() * y + biases).cwiseAbs().maxCoeff();
  contradictory_ = left > 1e-8 * biases.cwiseAbs().maxCoeff();
}

void WhitenedProblem::unwhiten(const std::vector<Twist>& y, VectorXd& v) const
{
  v.resize(6 * bodies());
  for (int b = 0; b < bodies(); ++b) {
    for (int i = 0; i < 6; ++i) v[6 * b + i] = dot(inverse_[b].column[i], y[b]);
  }
}

void WhitenedProblem::write(const std::vector<Twist>& y, const VectorXd& beta,
                            ContactSolution& solution) const
{
  unwhiten(y, solution.v);
  solution.beta.setZero(bilateral_rows_);
  for (Eigen::Index r = 0; r < beta.size(); ++r) solution.beta[bilateral_source_[r]] = beta[r];
}

void WhitenedProblem::write_free(ContactSolution& solution) const
{
  unwhiten(k_, solution.v);
  solution.lambda.setZero(3 * size());
  solution.beta.setZero(bilateral_rows_);
}

}  // namespace tact
