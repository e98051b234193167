#include <tact/contact/friction_residuals.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/contact/law.hpp>

namespace tact {
namespace {

// All that is read from W, in one pass.
struct ImpulseImage {
  VectorXd u;                // m/s: W lambda + q
  VectorXd diagonal;         // 1/kg
  double largest_sum = 0.0;  // m/s: of |W| |lambda|, over the rows
};

ImpulseImage image_of(const FrictionProblem& problem, const VectorXd& lambda)
{
  ImpulseImage image{problem.q, VectorXd::Zero(problem.size())};
  for (int row = 0; row < problem.size(); ++row) {
    double sum = 0.0, sizes = 0.0;
    for (SparseRows::InnerIterator it(problem.W, row); it; ++it) {
      const double term = it.value() * lambda[it.col()];
      sum += term;
      sizes += std::abs(term);
      if (it.col() == row) image.diagonal[row] += it.value();
    }
    image.u[row] += sum;
    image.largest_sum = std::max(image.largest_sum, sizes);
  }
  return image;
}

template <int D>
FrictionResiduals measure_in(const FrictionProblem& problem, const VectorXd& lambda,
                             const ImpulseImage& image)
{
  using Contact = ContactVector<D>;
  FrictionResiduals found;
  double squared = 0.0;
  double weighted = 0.0;
  for (int c = 0; c < problem.contacts(); ++c) {
    const double mu = problem.mu[c];
    const Contact lambda_c = part<D>(lambda, c);
    const Contact u_c = part<D>(image.u, c);
    squared += natural_map<D>(u_c, lambda_c, mu, 1.0).squaredNorm();
    const double trace = part<D>(image.diagonal, c).sum();
    const double w = trace > 0.0 ? trace / D : 1.0;
    weighted += natural_map<D>(u_c, lambda_c, mu, w).squaredNorm();
    found.penetration = std::max(found.penetration, -u_c[0]);
    found.cone_violation = std::max(found.cone_violation, cone_violation<D>(lambda_c, mu));
  }
  found.natural = std::sqrt(squared);
  found.eps_nat = std::sqrt(weighted / std::max(1, problem.contacts()));
  const double q = problem.q.norm();
  found.rel_q = q > 0.0 ? found.natural / q : found.natural;
  const double largest = std::max({q, lambda.norm(), image.u.norm()});
  found.rel_max = largest > 0.0 ? found.natural / largest : found.natural;
  return found;
}

// Whether q is more than a thousand times what W lambda + q is uncertain by.
bool is_q_seen(const FrictionProblem& problem, const ImpulseImage& image)
{
  if (problem.contacts() == 0 || problem.q.isZero(0.0)) return true;
  const double uncertain = std::numeric_limits<double>::epsilon() * image.largest_sum;
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
  if (lambda.size() != problem.size() || !lambda.allFinite()) return infinite_residuals();
  const ImpulseImage image = image_of(problem, lambda);
  if (!is_q_seen(problem, image)) return infinite_residuals();
  const FrictionResiduals found = problem.dimension == 2 ? measure_in<2>(problem, lambda, image)
                                                         : measure_in<3>(problem, lambda, image);
  return std::isfinite(found.natural) ? found : infinite_residuals();
}

}  // namespace tact
