#include <tact/solvers/nested/newton_correction.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tact {
namespace {

using Map3 = Eigen::Map<Vector3d>;
using ConstMap3 = Eigen::Map<const Vector3d>;

constexpr int max_steps = 12;
constexpr double proximal = 1e-7;   // of w_c, added to the diagonal of W
constexpr double least_gain = 0.9;  // of the merit in a step, else the search goes on

}  // namespace

bool NewtonCorrection::improve(const ContactSweep& sweep, ContactRange contacts, double* lambda)
{
  load(sweep, contacts, lambda);
  const double before = merit(sweep, contacts, lambda_);
  double now = before;
  for (int k = 0; k < max_steps; ++k) {
    if (!find_step(sweep, contacts) || !search(sweep, contacts, now)) break;
  }
  if (!(now <= 0.25 * before)) return false;  // squares
  std::copy(lambda_.begin(), lambda_.end(), lambda + 3 * contacts.first);
  return true;
}

void NewtonCorrection::load(const ContactSweep& sweep, ContactRange contacts, const double* lambda)
{
  rows_ = 3 * (contacts.last - contacts.first);
  lambda_.assign(lambda + 3 * contacts.first, lambda + 3 * contacts.last);
  W_.resize(static_cast<std::size_t>(rows_) * rows_);
  for (std::vector<double>* vector : {&q_, &u_, &trial_, &step_}) vector->resize(rows_);
  for (int i = 0; i < rows_; i += 3) Map3(q_.data() + i) = sweep.contacts[contacts.first + i / 3].q;
  sweep.form_delassus(contacts, W_.data());
}

// Sum of squares of the natural map; leaves u = W lambda + q.
double NewtonCorrection::merit(const ContactSweep& sweep, ContactRange contacts,
                               const std::vector<double>& lambda)
{
  for (int i = 0; i < rows_; ++i) {
    const double* row = W_.data() + static_cast<std::size_t>(i) * rows_;
    u_[i] = std::inner_product(lambda.begin(), lambda.end(), row, q_[i]);
  }
  NaturalSum sum;
  for (int i = 0; i < rows_; i += 3) {
    const SweepContact& contact = sweep.contacts[contacts.first + i / 3];
    sum.add(ConstMap3(u_.data() + i), ConstMap3(lambda.data() + i), contact.mu, contact.scale,
            sweep.law);
  }
  return sum.squares;
}

// step := -H^-1 Phi with H = I - d clamp(y) / d lambda, d y = d lambda - rho W d lambda. False
// where H is singular.
bool NewtonCorrection::find_step(const ContactSweep& sweep, ContactRange contacts)
{
  H_.begin(rows_);
  for (int i = 0; i < rows_; i += 3) {
    const SweepContact& contact = sweep.contacts[contacts.first + i / 3];
    const Vector3d rho = contact.steps();
    const ConstMap3 lambda(lambda_.data() + i);
    const Vector3d y = lambda - rho.cwiseProduct(ConstMap3(u_.data() + i));
    Map3(step_.data() + i) = clamp_to_cone(y, contact.mu, sweep.law) - lambda;
    for (int a = 0; a < 3; ++a) H_(i + a, i + a) = 1.0;
    if (y[0] <= 0.0) continue;  // open: clamp(y) = 0
    const Matrix3d derivative = clamp_derivative(y, contact.mu, sweep.law);
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        if (derivative(a, b) == 0.0) continue;
        H_(i + a, i + b) -= (1.0 - proximal) * derivative(a, b);
        const double* row = W_.data() + static_cast<std::size_t>(i + b) * rows_;
        for (int j = 0; j < rows_; ++j) H_(i + a, j) += derivative(a, b) * rho[b] * row[j];
      }
    }
  }
  if (!H_.factor()) return false;
  H_.solve(step_.data());
  return std::all_of(step_.begin(), step_.end(), [](double x) { return std::isfinite(x); });
}

// Takes the longest of some steps that lowers the merit enough.
bool NewtonCorrection::search(const ContactSweep& sweep, ContactRange contacts, double& merit_now)
{
  for (const double length : {1.0, 0.5, 0.25, 0.0625}) {
    for (int i = 0; i < rows_; i += 3) {
      const double mu = sweep.contacts[contacts.first + i / 3].mu;
      const Vector3d ahead = ConstMap3(lambda_.data() + i) + length * ConstMap3(step_.data() + i);
      Map3(trial_.data() + i) = clamp_to_cone(ahead, mu, sweep.law);
    }
    const double found = merit(sweep, contacts, trial_);
    if (!(found < least_gain * merit_now)) continue;
    merit_now = found;
    lambda_.swap(trial_);
    return true;
  }
  return false;
}

}  // namespace tact
