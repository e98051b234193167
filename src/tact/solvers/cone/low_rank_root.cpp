#include <tact/solvers/cone/low_rank_root.hpp>

#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>

namespace tact {
namespace {

// Of entries near one.
constexpr double zero_pivot = 1e-14;  // what is left of a diagonal entry of a dependent row
constexpr double asymmetry = 1e-10;   // of stored problems, which have been rounded

template <int D>
bool has_symmetric_blocks(const BlockProblem<D>& problem)
{
  for (int c = 0; c < problem.contacts(); ++c)
    for (int k = problem.first[c]; k < problem.first[c + 1]; ++k) {
      const int other = problem.column[k];
      const auto begin = problem.column.begin() + problem.first[other];
      const auto end = problem.column.begin() + problem.first[other + 1];
      const auto twin = std::lower_bound(begin, end, c);
      if (twin == end || *twin != c) return false;
      const auto& W_twin = problem.W[twin - problem.column.begin()];
      if ((problem.W[k] - W_twin.transpose()).cwiseAbs().maxCoeff() > asymmetry) return false;
    }
  return true;
}

// Row `row` of W, which is its column as well.
template <int D>
void copy_row(const BlockProblem<D>& problem, int row, VectorXd& entries)
{
  entries.setZero(problem.size());
  const int c = row / D;
  for (int k = problem.first[c]; k < problem.first[c + 1]; ++k)
    part<D>(entries, problem.column[k]) = problem.W[k].row(row % D).transpose();
}

}  // namespace

template <int D>
std::optional<MatrixXd> low_rank_root(const BlockProblem<D>& problem, double most_entries)
{
  const int n = problem.size();
  if (n == 0 || !has_symmetric_blocks(problem)) return std::nullopt;
  const auto most_columns = static_cast<int>(std::min(0.5 * n, most_entries / n));
  VectorXd left(n);
  for (int c = 0; c < problem.contacts(); ++c) part<D>(left, c) = problem.own(c).diagonal();
  const double zero = zero_pivot * n * left.maxCoeff();
  MatrixXd B(n, most_columns);
  VectorXd row;
  for (int rank = 0;; ++rank) {
    end_if_stopped();
    Eigen::Index pivot = 0;
    const double largest = left.maxCoeff(&pivot);
    if (left.minCoeff() < -zero) return std::nullopt;
    if (largest <= zero) return MatrixXd(B.leftCols(rank));
    if (rank == most_columns) return std::nullopt;
    copy_row(problem, static_cast<int>(pivot), row);
    row.noalias() -= B.leftCols(rank) * B.row(pivot).head(rank).transpose();
    B.col(rank) = row / std::sqrt(largest);
    left -= B.col(rank).cwiseAbs2();
  }
}

template std::optional<MatrixXd> low_rank_root(const BlockProblem<2>&, double);
template std::optional<MatrixXd> low_rank_root(const BlockProblem<3>&, double);

}  // namespace tact
