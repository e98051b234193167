#include <tact/solvers/cone/search.hpp>

#include <cmath>
#include <limits>

namespace tact {
namespace {

// Scaled impulses above this hide q, of size one, in the rounding of W lambda + q: the natural map
// would be zero for want of digits.
constexpr double largest_impulse = 1e12;

// Root mean square of |q_c|, m/s; one where all is at rest.
template <int D>
double mean_speed(const BlockProblem<D>& problem)
{
  return problem.norm_q > 0.0 ? problem.norm_q / std::sqrt(problem.contacts()) : 1.0;
}

}  // namespace

template <int D>
Search<D>::Search(const BlockProblem<D>& block_problem, double asked, int max_iterations,
                  FrictionMeasure measure)
    : problem(block_problem),
      tolerance(asked),
      measure_(measure),
      speed_(mean_speed(block_problem)),
      max_iterations_(max_iterations),
      best_(VectorXd::Zero(block_problem.size())),
      error_(measured(best_, block_problem.q))
{
  if (measure == FrictionMeasure::eps_nat) tolerance /= speed_;
}

template <int D>
double Search<D>::measured(const VectorXd& lambda, const VectorXd& u) const
{
  return measure_ == FrictionMeasure::rel_q ? problem.rel_q(lambda, u)
                                            : problem.eps_nat(lambda, u) / speed_;
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
  const double error = measured(lambda, u);
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
