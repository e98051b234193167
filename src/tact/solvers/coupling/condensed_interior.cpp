#include <tact/solvers/coupling/condensed_interior.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/contact/judge.hpp>
#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr double first_blur = 1e-3;       // of the speed of the problem: rounds the kink of |y_T|
constexpr double proximal_weight = 1e-6;  // times a contact's own response
constexpr double gain = 0.99;             // of the natural map: what counts as a better answer

}  // namespace

// Velocities as large as those of the problem, and impulses that would answer them.
void CondensedInterior::start(const CoupledProblem& problem)
{
  double squares = 0.0;
  for (const CoupledContact& contact : problem.contacts) squares += contact.q.squaredNorm();
  speed_ = std::sqrt(squares / std::max(1, problem.size()));
  at_.contacts.assign(problem.size(), {});
  terms_.assign(problem.size(), {});
  for (int c = 0; c < problem.size(); ++c) {
    const CoupledContact& from = problem.contacts[c];
    Contact& contact = at_.contacts[c];
    contact.frictionless = from.mu == 0.0;
    contact.mu = cone_scale(from);
    contact.y = speed_ / contact.mu * Vector3d::UnitX();
    contact.z = contact.mu * speed_ / from.scale * Vector3d::UnitX();
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

// Inside of the cones no impulse is zero. Those of contacts that are nearer to parting than to
// pushing become so; false where that costs the tolerance.
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
  at_.take_residuals(u_, false);
  for (std::size_t c = 0; c < terms_.size(); ++c) {
    Contact& contact = at_.contacts[c];
    CondensedSystem::Term& term = terms_[c];
    const Vector2d y_T = contact.y.tail<2>();
    contact.E.setIdentity();
    if (!contact.frictionless)
      contact.E.block<1, 2>(0, 1) = y_T.transpose() / std::hypot(y_T.norm(), blur);
    term.r = contact.r_p;
    term.T = contact.scaling.inverse * contact.scaling.inverse * contact.E;
    if (contact.frictionless) {
      term.T.row(1).setZero();
      term.T.row(2).setZero();
    }
  }
}

void CondensedInterior::find_step(Vector3d Contact::*dy, Vector3d Contact::*dz)
{
  for (std::size_t c = 0; c < terms_.size(); ++c) {
    terms_[c].r_c = at_.contacts[c].r_c;
    if (at_.contacts[c].frictionless) terms_[c].r_c.tail<2>().setZero();
  }
  system_.solve(terms_, dz_);
  for (int c = 0; c < static_cast<int>(terms_.size()); ++c) {
    Contact& contact = at_.contacts[c];
    contact.*dz = dz_.segment<3>(3 * c);
    Vector3d& change = contact.*dy;
    change = contact.E * (system_.velocity(c, dz_) + terms_[c].r);
    if (contact.frictionless) change.tail<2>().setZero();
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
    end_if_stopped();
    at_.impulses(lambda_);
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
    const double mu_c = at_.complementarity();
    if (report.steps == options.max_steps || report.steps - found_at > options.patience ||
        at_.is_lost(mu_c))
      return report;
    linearise(first_blur * speed_ / (1.0 + report.steps));
    if (!system_.factor(terms_)) return report;
    at_.aim_at_zero();
    find_step(&Contact::dy_affine, &Contact::dz_affine);
    at_.correct(at_.lagged_centring(mu_c) * mu_c);
    find_step(&Contact::dy, &Contact::dz);
    at_.move();
  }
}

}  // namespace tact
