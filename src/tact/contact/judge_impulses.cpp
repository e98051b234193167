// Problems of impulses, and problems with a friction pyramid.
#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/contact/judge.hpp>

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
Residuals measure_in(const FrictionProblem& problem, const VectorXd& lambda,
                     const ImpulseImage& image)
{
  using Contact = ContactVector<D>;
  Residuals found;
  NaturalSum plain, weighted;
  for (int c = 0; c < problem.blocks(); ++c) {
    const ImpulseSet set = problem.set(c);
    const Contact lambda_c = part<D>(lambda, c);
    const Contact u_c = part<D>(image.u, c);
    plain.add(natural_map<D>(u_c, lambda_c, set, 1.0).norm());
    const double trace = part<D>(image.diagonal, c).sum();
    const double w = trace > 0.0 ? trace / (set.is_row ? 1 : D) : 1.0;
    weighted.add(natural_map<D>(u_c, lambda_c, set, w).norm());
    if (!set.is_row) found.penetration = std::max(found.penetration, -u_c[0]);
    found.cone_violation = std::max(found.cone_violation, violation<D>(lambda_c, set));
  }
  found.natural = weighted.rms();
  found.natural_max = weighted.worst;
  found.active = weighted.active;
  const double e = plain.norm(), q = problem.q.norm();
  found.rel_q = q > 0.0 ? e / q : e;
  const double largest = std::max({q, lambda.norm(), image.u.norm()});
  found.rel_max = largest > 0.0 ? e / largest : e;
  return found;
}

// Whether q is more than a thousand times what W lambda + q is uncertain by.
bool is_q_seen(const FrictionProblem& problem, const ImpulseImage& image)
{
  if (problem.blocks() == 0 || problem.q.isZero(0.0)) return true;
  const double uncertain = std::numeric_limits<double>::epsilon() * image.largest_sum;
  return 1e3 * uncertain < problem.q.cwiseAbs().maxCoeff();
}

double complementarity(double impulse_as_velocity, double velocity)
{
  return std::abs(std::min(impulse_as_velocity, velocity));
}

// The worst row of one contact, m/s.
double contact_residual(const Vector3d& u, const Vector3d& lambda, double mu, double w,
                        const FrictionPyramid& pyramid)
{
  double worst = complementarity(w * lambda[0], u[0]);
  const PyramidSplit phi = split(pyramid, lambda[1], lambda[2]);
  const auto along = [&](int x) { return pyramid.cos_d[x] * u[1] + pyramid.sin_d[x] * u[2]; };
  const double slack = std::max(0.0, -along(pyramid.most_opposed(u[1], u[2])));
  for (int x = 0; x < pyramid.d; ++x) {
    const double phi_x = x == phi.sector                 ? phi.first
                         : x == pyramid.next(phi.sector) ? phi.second
                                                         : 0.0;
    worst = std::max(worst, complementarity(w * phi_x, along(x) + slack));
  }
  const double gamma = mu * lambda[0] - phi.first - phi.second;
  return std::max(worst, complementarity(w * gamma, slack));
}

// What velocities of rows are small against: the largest without impulses, m/s.
double largest_free_velocity(const ContactProblem& problem)
{
  double largest = 0.0;
  if (problem.size() > 0)
    largest = contact_velocities(problem, problem.v_star).cwiseAbs().maxCoeff();
  for (const BilateralRow& row : problem.bilateral)
    largest = std::max(largest, std::abs(bilateral_velocity(problem, row, problem.v_star)));
  return largest > 0.0 ? largest : 1.0;
}

double relative_momentum_residual(const ContactProblem& problem, const ContactSolution& solution)
{
  VectorXd impulse = generalised_impulse(problem, solution.lambda), before, after;
  add_bilateral_impulse(problem, solution.beta, impulse);
  multiply(problem, problem.v_star, before);
  multiply(problem, solution.v, after);
  const double largest = std::max(impulse.cwiseAbs().maxCoeff(), before.cwiseAbs().maxCoeff());
  const double worst = (after - before - impulse).cwiseAbs().maxCoeff();
  return largest > 0.0 ? worst / largest : worst;
}

}  // namespace

Residuals measure(const FrictionProblem& problem, const VectorXd& lambda)
{
  if (lambda.size() != problem.size() || !lambda.allFinite()) return infinite_residuals();
  const ImpulseImage image = image_of(problem, lambda);
  if (!is_q_seen(problem, image)) return infinite_residuals();
  const Residuals found = problem.dimension == 2 ? measure_in<2>(problem, lambda, image)
                                                 : measure_in<3>(problem, lambda, image);
  return std::isfinite(found.rel_q) ? found : infinite_residuals();
}

Residuals measure(const ContactProblem& problem, const ContactSolution& solution,
                  const FrictionPyramid& pyramid)
{
  DiagonalBlocks D;
  if (!is_answer(problem, solution) || !D.load(problem)) return infinite_residuals();
  if (problem.nodes() == 0) return {};
  Residuals residuals;
  const double scale = largest_free_velocity(problem);
  const VectorXd u = contact_velocities(problem, solution.v);
  for (int c = 0; c < problem.size(); ++c) {
    const ContactRows& contact = problem.contacts[c];
    const double worst = contact_residual(u.segment<3>(3 * c), solution.lambda.segment<3>(3 * c),
                                          contact.mu, response(problem, D, contact), pyramid);
    residuals.natural = std::max(residuals.natural, worst / scale);
  }
  residuals.bilateral = bilateral_residual(problem, solution, D) / scale;
  residuals.momentum = relative_momentum_residual(problem, solution);
  return residuals;
}

}  // namespace tact
