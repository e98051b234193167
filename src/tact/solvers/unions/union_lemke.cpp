#include <tact/solvers/unions/union_lemke.hpp>

#include <algorithm>

#include <fmt/core.h>
#include <Eigen/LU>

#include <tact/core/random.hpp>
#include <tact/core/stop.hpp>

namespace tact {
namespace {

// Each with a covering vector random in [1, 2), fixed seeds, but
constexpr int most_attempts = 40;
constexpr double side_spread = 1.05;    // in [1, this) for the two rows of a side, times
constexpr double allowed_cover = 64.0;  // for the rows d - gamma + a_s
constexpr double depth_cover = 1.2;     // for the rows h_i + a_i

}  // namespace

// At first the widest side of every group, then any.
std::vector<int> UnionLemke::chosen_sides(const UnionLcp& unions, int attempt) const
{
  const VectorXd a = unions.free_velocities();
  const SideGroups& groups = unions.groups();
  Random random(static_cast<std::uint64_t>(attempt));
  std::vector<int> chosen;
  for (int g = 0; g < groups.size(); ++g) {
    const int begin = groups.first_side(g), size = static_cast<int>(groups[g].size());
    const auto first = a.begin() + begin;
    const auto widest = std::max_element(first, first + size) - first;
    chosen.push_back(begin + (attempt == 0 ? static_cast<int>(widest) : random.below(size)));
  }
  return chosen;
}

// With a the exchanged pairs and b the others:
//   [z_a]   [ M_aa^-1       -M_aa^-1 M_ab             ] [w_a]   [ -M_aa^-1 q_a            ]
//   [w_b] = [ M_ba M_aa^-1   M_bb - M_ba M_aa^-1 M_ab ] [z_b] + [  q_b - M_ba M_aa^-1 q_a ]
void UnionLemke::transform(const LcpProblem& problem, const std::vector<int>& exchanged)
{
  is_exchanged_.assign(problem.size(), 0);
  for (const int k : exchanged) is_exchanged_[k] = 1;
  std::vector<int> others;
  for (int k = 0; k < problem.size(); ++k)
    if (!is_exchanged_[k]) others.push_back(k);

  M_ = problem.M;
  q_ = problem.q;
  if (exchanged.empty()) return;
  const MatrixXd inverse = problem.M(exchanged, exchanged).partialPivLu().inverse();
  const MatrixXd above = inverse * problem.M(exchanged, others);
  const VectorXd constant = inverse * problem.q(exchanged);
  const MatrixXd left = problem.M(others, exchanged);
  M_(exchanged, exchanged) = inverse;
  M_(exchanged, others) = -above;
  M_(others, exchanged) = left * inverse;
  M_(others, others) -= left * above;
  q_(exchanged) = -constant;
  q_(others) -= left * constant;
}

SolveStatus UnionLemke::follow(const UnionLcp& unions, int attempt)
{
  Random random(static_cast<std::uint64_t>(attempt));
  Random random_of_sides(static_cast<std::uint64_t>(attempt));
  path_.load(M_, q_);
  std::vector<double> of_side(unions.groups().sides());
  for (double& weight : of_side) weight = random_of_sides.uniform(1.0, side_spread);
  const auto cover = [&](int row) {
    const int side = unions.side(row);
    const double weight = side >= 0 ? of_side[side] : random.uniform(1.0, 2.0);
    switch (unions.role(row)) {
      case UnionLcp::Role::allowed: return allowed_cover * weight;
      case UnionLcp::Role::depth: return depth_cover * weight;
      case UnionLcp::Role::other: return weight;
    }
    return weight;
  };
  return path_.follow(cover, {.max_pivots = 100 + 20 * path_.size()});
}

// The point of the last basis, solved for in the data as given, where it is better than what is
// held.
void UnionLemke::take_better(const LcpProblem& problem, LcpSolution& solution, SolveReport& report)
{
  basis_.resize(problem.size());
  for (int k = 0; k < problem.size(); ++k) {
    const bool z_is_basic = path_.z_is_basic(k) != (is_exchanged_[k] != 0);
    basis_[k] = z_is_basic ? BasisSide::between : BasisSide::lower;
  }
  polisher_.solve(problem, basis_, z_);
  const double found = residual(problem, z_, w_);
  if (found >= report.residual) return;
  report.residual = found;
  solution = {z_, w_};
}

SolveReport UnionLemke::solve(const UnionLcp& unions, LcpSolution& solution)
{
  const LcpProblem& problem = unions.lcp();
  if (kind(problem) != LcpKind::lcp)
    return LemkeSolver({.tolerance = tolerance_}).solve(problem, solution);
  SolveReport report;
  solution.z.setZero(problem.size());
  report.residual = residual(problem, solution.z, solution.w);
  int rays = 0, answers = 0, attempts = 0;
  while (attempts < most_attempts && report.residual > tolerance_) {
    end_if_stopped();
    transform(problem, unions.basic_at_zero(chosen_sides(unions, attempts)));
    const SolveStatus end = follow(unions, attempts++);
    report.iterations += path_.pivots();
    if (end == SolveStatus::no_solution) ++rays;
    if (end != SolveStatus::converged) continue;
    ++answers;
    take_better(problem, solution, report);
  }
  report.restarts = std::max(0, attempts - 1);
  if (report.residual <= tolerance_) {
    report.status = SolveStatus::converged;
  } else if (answers > 0) {
    report.status = SolveStatus::stalled;
  } else if (rays == attempts) {
    report.status = SolveStatus::no_solution;
  }
  if (rays > 0) report.note = fmt::format("ended on a ray from {} of {} starts", rays, attempts);
  return report;
}

}  // namespace tact
