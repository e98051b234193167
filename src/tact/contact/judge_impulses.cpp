// FrictionResiduals and RigidResiduals.
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include <tact/contact/judge.hpp>

namespace tact {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

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
  NaturalSum plain, weighted;
  for (int c = 0; c < problem.contacts(); ++c) {
    const double mu = problem.mu[c];
    const Contact lambda_c = part<D>(lambda, c);
    const Contact u_c = part<D>(image.u, c);
    plain.add(natural_map<D>(u_c, lambda_c, mu, 1.0).norm());
    const double trace = part<D>(image.diagonal, c).sum();
    const double w = trace > 0.0 ? trace / D : 1.0;
    weighted.add(natural_map<D>(u_c, lambda_c, mu, w).norm());
    found.penetration = std::max(found.penetration, -u_c[0]);
    found.cone_violation = std::max(found.cone_violation, cone_violation<D>(lambda_c, mu));
  }
  found.natural = plain.norm();
  found.eps_nat = weighted.rms();
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
  return {unbounded, unbounded, unbounded, unbounded, unbounded, unbounded};
}

// w = trace(W_cc) / 3, the response of the contact to its own impulses, 1/kg.
double response(const RigidContactProblem& problem, const RigidContactRows& contact)
{
  const auto part = [&](int body, const Matrix36d& J) {
    return (J * problem.A[body].llt().solve(J.transpose())).trace();
  };
  double trace = part(contact.body_a, contact.J_a);
  if (contact.body_b != fixed_body) trace += part(contact.body_b, contact.J_b);
  return trace / 3.0;
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

double bilateral_residual(const RigidContactProblem& problem, const VectorXd& v)
{
  double worst = 0.0;
  for (const BilateralRow& row : problem.bilateral) {
    double u = row.bias + row.J_a.dot(v.segment<6>(6 * row.body_a));
    if (row.body_b != fixed_body) u += row.J_b.dot(v.segment<6>(6 * row.body_b));
    worst = std::max(worst, std::abs(u));
  }
  return worst;
}

double momentum_residual(const RigidContactProblem& problem, const RigidContactSolution& solution)
{
  const VectorXd impulse = generalised_impulse(problem, solution);
  double worst = 0.0, largest = impulse.cwiseAbs().maxCoeff();
  for (int b = 0; b < problem.bodies(); ++b) {
    const Matrix6d& A = problem.A[b];
    const Vector6d free = A * problem.v_star.segment<6>(6 * b);
    const Vector6d left = A * solution.v.segment<6>(6 * b) - free - impulse.segment<6>(6 * b);
    worst = std::max(worst, left.cwiseAbs().maxCoeff());
    largest = std::max(largest, free.cwiseAbs().maxCoeff());
  }
  return largest > 0.0 ? worst / largest : worst;
}

bool fits(const RigidContactProblem& problem, const RigidContactSolution& solution)
{
  return solution.v.size() == 6 * problem.bodies() &&
         solution.lambda.size() == 3 * problem.size() &&
         solution.beta.size() == static_cast<Eigen::Index>(problem.bilateral.size()) &&
         solution.v.allFinite() && solution.lambda.allFinite() && solution.beta.allFinite();
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

double RigidResiduals::worst() const
{
  return std::max({natural, bilateral, momentum});
}

RigidResiduals measure(const RigidContactProblem& problem, const RigidContactSolution& solution,
                       const FrictionPyramid& pyramid)
{
  if (!fits(problem, solution)) return {unbounded, unbounded, unbounded};
  if (problem.bodies() == 0) return {};
  RigidResiduals residuals;
  const VectorXd u = contact_velocities(problem, solution.v);
  double scale = bilateral_residual(problem, problem.v_star);
  if (problem.size() > 0) {
    scale = std::max(scale, contact_velocities(problem, problem.v_star).cwiseAbs().maxCoeff());
  }
  if (scale == 0.0) scale = 1.0;
  for (int c = 0; c < problem.size(); ++c) {
    const RigidContactRows& contact = problem.contacts[c];
    const double worst = contact_residual(u.segment<3>(3 * c), solution.lambda.segment<3>(3 * c),
                                          contact.mu, response(problem, contact), pyramid);
    residuals.natural = std::max(residuals.natural, worst / scale);
  }
  residuals.bilateral = bilateral_residual(problem, solution.v) / scale;
  residuals.momentum = momentum_residual(problem, solution);
  return residuals;
}

}  // namespace tact
