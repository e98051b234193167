#include <tact/solvers/coupling/condensed_interior.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/contact/judge.hpp>

namespace tact {
namespace {

constexpr double to_boundary = 0.99;      // share of the way to the boundary that a step may go
constexpr double first_blur = 1e-3;       // of the speed of the problem: rounds the kink of |y_T|
constexpr double proximal_weight = 1e-6;  // times a contact's own response
constexpr double least_centring = 1e-8;
constexpr double shift_lag = 0.03;  // keeps mu_c from outrunning the shift
constexpr double gain = 0.99;       // of the natural map: what counts as a better answer
constexpr double vanished = 1e-40;  // mu_c below which nothing can be told

Vector3d scaled(const Vector3d& u, double mu)
{
  return {u[0] / mu, u[1], u[2]};
}

}  // namespace

// Velocities as large as those of the problem, and impulses that would answer them.
void CondensedInterior::start(const CoupledProblem& problem)
{
  double squares = 0.0;
  for (const CoupledContact& contact : problem.contacts) squares += contact.q.squaredNorm();
  speed_ = std::sqrt(squares / std::max(1, problem.size()));
  contacts_.assign(problem.size(), {});
  terms_.assign(problem.size(), {});
  for (int c = 0; c < problem.size(); ++c) {
    const CoupledContact& from = problem.contacts[c];
    Contact& contact = contacts_[c];
    contact.frictionless = from.mu == 0.0;
    contact.mu = cone_scale(from);
    contact.y = speed_ / contact.mu * Vector3d::UnitX();
    contact.z = contact.mu * speed_ / from.scale * Vector3d::UnitX();
  }
}

double CondensedInterior::complementarity() const
{
  double sum = 0.0;
  for (const Contact& contact : contacts_) sum += contact.y.dot(contact.z);
  return sum / static_cast<double>(contacts_.size());
}

void CondensedInterior::find_impulses()
{
  lambda_.resize(3 * static_cast<Eigen::Index>(contacts_.size()));
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const auto i = 3 * static_cast<Eigen::Index>(c);
    lambda_.segment<3>(i) = contacts_[c].z;
    lambda_[i] /= contacts_[c].mu;
  }
}

// u of the impulses, and the root mean square of the natural map over those that push.
double CondensedInterior::look(const CoupledProblem& problem, const VectorXd& lambda)
{
  problem.respond(lambda, w_);
  u_.resize(lambda.size());
  NaturalSum sum;
  for (int c = 0; c < problem.size(); ++c) {
    const CoupledContact& contact = problem.contacts[c];
    const Vector3d u = contact.q + problem.velocity(contact, w_);
    const Vector3d lambda_c = lambda.segment<3>(3 * c);
    u_.segment<3>(3 * c) = u;
    const double map = natural_map<3>(u, lambda_c, contact.mu, contact.scale).norm();
    sum.add(map, u[0] <= contact.scale * lambda_c[0]);
  }
  return sum.rms();
}

// Inside of the cones no impulse is zero. Those of contacts that are nearer to parting than to pushing
// become so; false where that costs the tolerance.
bool CondensedInterior::finish(const CoupledProblem& problem, double tolerance)
{
  finished_ = lambda_;
  for (int c = 0; c < problem.size(); ++c)
    if (u_[3 * c] > problem.contacts[c].scale * lambda_[3 * c])
      finished_.segment<3>(3 * c).setZero();
  const VectorXd u = u_;
  const bool good = look(problem, finished_) <= tolerance;
  u_ = u;
  return good;
}

// r, T and the scaling of every contact. u_ holds the velocities of the impulses.
void CondensedInterior::linearise(double blur)
{
  double squared_r = 0.0, squared_z = 0.0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Contact& contact = contacts_[c];
    CondensedSystem::Term& term = terms_[c];
    const Eigen::Vector2d y_T = contact.y.tail<2>();
    term.r = scaled(u_.segment<3>(3 * static_cast<Eigen::Index>(c)), contact.mu) - contact.y;
    term.r[0] += contact.frictionless ? 0.0 : y_T.norm();
    if (contact.frictionless) term.r.tail<2>().setZero();
    contact.E.setIdentity();
    if (!contact.frictionless)
      contact.E.block<1, 2>(0, 1) = y_T.transpose() / std::hypot(y_T.norm(), blur);
    contact.scaling = lorentz::scaling<3>(contact.y, contact.z);
    term.T = contact.scaling.inverse * contact.scaling.inverse * contact.E;
    if (contact.frictionless) {
      term.T.row(1).setZero();
      term.T.row(2).setZero();
    }
    squared_r += term.r.squaredNorm();
    squared_z += contact.z.squaredNorm();
  }
  const auto count = static_cast<double>(contacts_.size());
  r_size_ = std::sqrt(squared_r / count);
  z_size_ = std::sqrt(squared_z / count);
}

void CondensedInterior::find_step(Vector3d Contact::*dy, VectorXd& dz)
{
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    if (contacts_[c].frictionless) terms_[c].r_c.tail<2>().setZero();
  system_.solve(terms_, dz);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Vector3d& change = contacts_[c].*dy;
    change = contacts_[c].E * (system_.velocity(static_cast<int>(c), dz) + terms_[c].r);
    if (contacts_[c].frictionless) change.tail<2>().setZero();
  }
}

double CondensedInterior::longest_step(Vector3d Contact::*dy, const VectorXd& dz) const
{
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const Vector3d dz_c = dz.segment<3>(3 * static_cast<Eigen::Index>(c));
    step = std::min(step, lorentz::longest_step<3>(contact.y, contact.*dy));
    step = std::min(step, lorentz::longest_step<3>(contact.z, dz_c));
  }
  return std::min(1.0, to_boundary * step);
}

// sigma by Mehrotra's rule: how far the affine step would bring mu_c down.
double CondensedInterior::centring(double mu_c)
{
  for (std::size_t c = 0; c < contacts_.size(); ++c) terms_[c].r_c = -contacts_[c].z;
  find_step(&Contact::dy_affine, dz_affine_);
  const double step = longest_step(&Contact::dy_affine, dz_affine_);
  double sum = 0.0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const Vector3d dz = dz_affine_.segment<3>(3 * static_cast<Eigen::Index>(c));
    sum += (contact.y + step * contact.dy_affine).dot(contact.z + step * dz);
  }
  const double share = std::max(0.0, sum / (static_cast<double>(contacts_.size()) * mu_c));
  const double sigma = std::clamp(share * share * share, least_centring, 1.0);
  return std::min(1.0, std::max(sigma, shift_lag * r_size_ * z_size_ / mu_c));
}

// r_c of the step that aims at y o z = target e, with the second-order term of the affine step.
void CondensedInterior::correct(double target)
{
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const Contact& contact = contacts_[c];
    const auto& s = contact.scaling;
    const Vector3d dz = dz_affine_.segment<3>(3 * static_cast<Eigen::Index>(c));
    Vector3d d = -lorentz::product<3>(s.l, s.l);
    d -= lorentz::product<3>(s.inverse * contact.dy_affine, s.N * dz);
    d[0] += target;
    terms_[c].r_c = s.inverse * lorentz::quotient<3>(s.l, d);
  }
}

void CondensedInterior::move(double length)
{
  constexpr double inside = 1.0 + 1e-15;
  constexpr double smallest = 1e-300;
  const auto keep_inside = [](Vector3d& x) {
    x[0] = std::max(x[0], inside * x.tail<2>().norm() + smallest);
  };
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    Contact& contact = contacts_[c];
    contact.y += length * contact.dy;
    contact.z += length * dz_.segment<3>(3 * static_cast<Eigen::Index>(c));
    keep_inside(contact.y);
    keep_inside(contact.z);
  }
}

CondensedInteriorReport CondensedInterior::solve(const CoupledProblem& problem,
                                                 const CondensedInteriorOptions& options,
                                                 VectorXd& lambda)
{
  CondensedInteriorReport report{.natural = std::numeric_limits<double>::infinity()};
  lambda.setZero(3 * problem.size());
  start(problem);
  system_.load(problem, proximal_weight);
  int found_at = 0;
  for (;; ++report.steps) {
    find_impulses();
    const double natural = look(problem, lambda_);
    if (natural <= options.tolerance && finish(problem, options.tolerance)) {
      report.natural = natural;
      report.reached = true;
      lambda = finished_;
      return report;
    }
    if (natural < report.natural) {
      if (natural < gain * report.natural) found_at = report.steps;
      report.natural = natural;
      lambda = lambda_;
    }
    const double mu_c = complementarity();
    if (report.steps == options.max_steps || report.steps - found_at > options.patience ||
        !(mu_c > vanished) || !std::isfinite(mu_c))
      return report;
    linearise(first_blur * speed_ / (1.0 + report.steps));
    if (!system_.factor(terms_)) return report;
    correct(centring(mu_c) * mu_c);
    find_step(&Contact::dy, dz_);
    move(longest_step(&Contact::dy, dz_));
  }
}

}  // namespace tact
