#include <tact/coulomb/friction_residuals.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/coulomb/coulomb_cone.hpp>

namespace tact {
namespace {

template <int D>
FrictionResiduals measure_in(const FrictionProblem& problem, const VectorXd& lambda)
{
  using Contact = ContactVector<D>;
  const VectorXd u = problem.W * lambda + problem.q;
  const VectorXd diagonal = problem.W.diagonal();
  FrictionResiduals found;
  double squared = 0.0;
  double weighted = 0.0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const double mu = problem.mu[c];
    const Contact lambda_c = part<D>(lambda, c);
    const Contact u_c = part<D>(u, c);
    squared += natural_map<D>(lambda_c, u_c, mu).squaredNorm();
    const double trace = part<D>(diagonal, c).sum();
    const double w = trace > 0.0 ? trace / D : 1.0;
    weighted += w * w * natural_map<D>(lambda_c, u_c, mu, w).squaredNorm();
    found.penetration = std::max(found.penetration, -u_c[0]);
    const double outside = lambda_c.template tail<D - 1>().norm() - mu * lambda_c[0];
    found.cone_violation = std::max({found.cone_violation, -lambda_c[0], outside});
  }
  found.natural = std::sqrt(squared);
  found.eps_nat = std::sqrt(weighted / std::max(1, problem.contacts()));
  const double q = problem.q.norm();
  found.rel_q = q > 0.0 ? found.natural / q : found.natural;
  const double largest = std::max({q, lambda.norm(), u.norm()});
  found.rel_max = largest > 0.0 ? found.natural / largest : found.natural;
  return found;
}

// Whether q is more than a thousand times what W lambda + q is uncertain by.
bool is_q_seen(const FrictionProblem& problem, const VectorXd& lambda)
{
  if (problem.contacts() == 0 || problem.q.isZero(0.0)) return true;
  const VectorXd sums = problem.W.cwiseAbs() * lambda.cwiseAbs();
  const double uncertain = std::numeric_limits<double>::epsilon() * sums.maxCoeff();
  return 1e3 * uncertain < problem.q.cwiseAbs().maxCoeff();
}

FrictionResiduals infinite_residuals()
{
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {inf, inf, inf, inf, inf, inf};
}

}  // namespace

FrictionResiduals measure(const FrictionProblem& problem, const VectorXd& lambda)
{
  if (lambda.size() != problem.size() || !lambda.allFinite() || !is_q_seen(problem, lambda))
    return infinite_residuals();
  const FrictionResiduals found =
      problem.dimension == 2 ? measure_in<2>(problem, lambda) : measure_in<3>(problem, lambda);
  return std::isfinite(found.natural) ? found : infinite_residuals();
}

}  // namespace tact
