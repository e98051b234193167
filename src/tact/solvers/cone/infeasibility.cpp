#include <tact/solvers/cone/infeasibility.hpp>

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

// W is scaled to a unit diagonal: what counts as zero in W' y for |y| = 1, and how clearly
// negative y . q_n has to be beside it.
constexpr double zero = 1e-9;
constexpr double clearly_negative = 1e-6;

// What of a change of an impulse its set allows without bound.
double unbounded_part(const ImpulseSet& set, double change)
{
  if (!set.is_row) return std::max(0.0, change);
  const bool allowed = !std::isfinite(change > 0.0 ? set.upper : set.lower);
  return allowed ? change : 0.0;
}

}  // namespace

template <int D>
bool proves_no_solution(const BlockProblem<D>& problem, const VectorXd& growing)
{
  if (growing.size() != problem.size() || !growing.allFinite()) return false;
  VectorXd y = VectorXd::Zero(problem.contacts());
  for (int c = 0; c < problem.contacts(); ++c)
    y[c] = unbounded_part(problem.sets[c], growing[D * c]);
  const double length = y.norm();
  if (!(length > 0.0)) return false;
  y /= length;
  VectorXd image = VectorXd::Zero(problem.size());
  double work = 0.0;
  for (int c = 0; c < problem.contacts(); ++c) {
    work += y[c] * problem.q[D * c];
    for (int k = problem.first[c]; k < problem.first[c + 1]; ++k)
      part<D>(image, problem.column[k]) += y[c] * problem.W[k].row(0).transpose();
  }
  return image.cwiseAbs().maxCoeff() <= zero && work <= -clearly_negative;
}

template <int D>
bool has_immovable_contact(const BlockProblem<D>& problem)
{
  for (int c = 0; c < problem.contacts(); ++c) {
    if (problem.sets[c].is_row || problem.own(c)(0, 0) != 0.0 || problem.q[D * c] >= 0.0) continue;
    if (proves_no_solution(problem, VectorXd::Unit(problem.size(), D * c))) return true;
  }
  return false;
}

template bool proves_no_solution(const BlockProblem<2>&, const VectorXd&);
template bool proves_no_solution(const BlockProblem<3>&, const VectorXd&);
template bool has_immovable_contact(const BlockProblem<2>&);
template bool has_immovable_contact(const BlockProblem<3>&);

}  // namespace tact
