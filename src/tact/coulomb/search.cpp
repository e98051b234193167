#include <tact/coulomb/search.hpp>

#include <cmath>
#include <limits>

namespace tact {
namespace {

// Scaled impulses above this hide q, of size one, in the rounding of W lambda + q: the natural map
// would be zero for want of digits.
constexpr double largest_impulse = 1e12;

}  // namespace

template <int D>
Search<D>::Search(const BlockProblem<D>& block_problem, double tolerance_on_rel_q,
                  int max_iterations)
    : problem(block_problem),
      tolerance(tolerance_on_rel_q),
      max_iterations_(max_iterations),
      best_(VectorXd::Zero(block_problem.size())),
      error_(block_problem.rel_q(best_, block_problem.q))
{
}

template <int D>
double Search<D>::offer(const VectorXd& lambda)
{
  problem.velocities(lambda, u_);
  return offer(lambda, u_);
}

template <int D>
double Search<D>::offer(const VectorXd& lambda, const VectorXd& u)
{
  const double error = problem.rel_q(lambda, u);
  const bool seen = lambda.size() == 0 || lambda.cwiseAbs().maxCoeff() < largest_impulse;
  if (!std::isfinite(error) || !seen) return std::numeric_limits<double>::infinity();
  if (error < error_) {
    error_ = error;
    best_ = lambda;
  }
  return error;
}

template class Search<2>;
template class Search<3>;

}  // namespace tact
