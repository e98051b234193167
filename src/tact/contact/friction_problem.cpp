#include <tact/contact/friction_problem.hpp>

#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/core.h>
#include <Eigen/QR>

#include <tact/core/error.hpp>

namespace tact {
namespace {

void require_friction(bool holds, const std::string& complaint)
{
  if (!holds) throw Error("friction problem: " + complaint);
}

// Of a compressed matrix or a vector: numbers that are not finite spoil the sum of all times zero,
// which takes a tenth of the time of looking at each.
bool are_finite(const double* values, Eigen::Index count)
{
  return (0.0 * Eigen::Map<const VectorXd>(values, count)).sum() == 0.0;
}

// Names the entry that is not finite, if there is one.
void require_finite(const FrictionProblem& problem)
{
  if (problem.W.isCompressed() && are_finite(problem.W.valuePtr(), problem.W.nonZeros()) &&
      are_finite(problem.q.data(), problem.q.size()))
    return;
  for (int row = 0; row < problem.size(); ++row) {
    for (SparseRows::InnerIterator it(problem.W, row); it; ++it)
      if (!std::isfinite(it.value()))
        throw Error(fmt::format("friction problem: W({}, {}) is {}, expected a finite number", row,
                                it.col(), it.value()));
    if (!std::isfinite(problem.q[row]))
      throw Error(fmt::format("friction problem: q[{}] is {}, expected a finite number", row,
                              problem.q[row]));
  }
}

}  // namespace

ImpulseSet FrictionProblem::set(int block) const
{
  if (block < contacts()) return {.mu = mu[block]};
  const int row = block - contacts();
  return {.is_row = true, .lower = lower[row], .upper = upper[row]};
}

FrictionProblem in_plane(const FrictionProblem& problem)
{
  FrictionProblem plane{.dimension = 2, .W = {}, .q = {}, .mu = problem.mu};
  plane.lower = problem.lower;
  plane.upper = problem.upper;
  plane.q.resize(plane.size());
  std::vector<Eigen::Triplet<double>> entries;
  const auto at = [](Eigen::Index row) { return static_cast<int>(2 * (row / 3) + row % 3); };
  for (int row = 0; row < problem.size(); ++row) {
    if (row % 3 == 2) continue;
    plane.q[at(row)] = problem.q[row];
    for (SparseRows::InnerIterator it(problem.W, row); it; ++it)
      if (it.col() % 3 < 2) entries.emplace_back(at(row), at(it.col()), it.value());
  }
  plane.W.resize(plane.size(), plane.size());
  plane.W.setFromTriplets(entries.begin(), entries.end());
  return plane;
}

VectorXd in_space(const VectorXd& planar_lambda)
{
  VectorXd lambda = VectorXd::Zero(planar_lambda.size() / 2 * 3);
  for (Eigen::Index c = 0; 2 * c < planar_lambda.size(); ++c)
    lambda.segment<2>(3 * c) = planar_lambda.segment<2>(2 * c);
  return lambda;
}

FrictionProblem without_equations(const FrictionProblem& problem)
{
  const auto rows = problem.lower.size();
  if (rows == 0) return problem;
  for (Eigen::Index r = 0; r < rows; ++r)
    require_friction(!std::isfinite(problem.lower[r]) && !std::isfinite(problem.upper[r]),
                     "found a bilateral row with limits, expected equations only");
  const int d = problem.dimension, n = d * problem.contacts();
  std::vector<int> own(rows), contacts(n);
  for (int r = 0; r < rows; ++r) own[r] = n + d * r;
  std::iota(contacts.begin(), contacts.end(), 0);
  const MatrixXd W = problem.W;
  MatrixXd right(rows, n + 1);
  right << MatrixXd(W(own, contacts)), VectorXd(problem.q(own));
  const MatrixXd answer = MatrixXd(W(own, own)).completeOrthogonalDecomposition().solve(right);
  const MatrixXd across = W(contacts, own);
  return {.dimension = d,
          .W = (W.topLeftCorner(n, n) - across * answer.leftCols(n)).sparseView(),
          .q = problem.q.head(n) - across * answer.col(n),
          .mu = problem.mu};
}

void validate(const FrictionProblem& problem)
{
  const int d = problem.dimension;
  require_friction(d == 2 || d == 3, fmt::format("found dimension {}, expected 2 or 3", d));
  const int n = problem.size();
  require_friction(problem.W.rows() == n && problem.W.cols() == n,
                   fmt::format("found W of {} x {}, expected {} x {} for {} contacts",
                               problem.W.rows(), problem.W.cols(), n, n, problem.blocks()));
  require_friction(problem.upper.size() == problem.lower.size(),
                   fmt::format("found {} upper limits, expected {}", problem.upper.size(),
                               problem.lower.size()));
  require_friction(problem.q.size() == n,
                   fmt::format("found {} entries in q, expected {}", problem.q.size(), n));
  require_finite(problem);
  for (int c = 0; c < problem.contacts(); ++c)
    if (!std::isfinite(problem.mu[c]) || problem.mu[c] < 0.0)
      throw Error(
          fmt::format("friction problem: mu[{}] is {}, expected a number >= 0", c, problem.mu[c]));
}

}  // namespace tact
