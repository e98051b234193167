#include <tact/solvers/cone/multipliers.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include <tact/core/stop.hpp>
#include <tact/solvers/cone/low_rank_root.hpp>
#include <tact/solvers/newton/alpha_schedule.hpp>

namespace tact {
namespace {

constexpr double most_root_entries = 2e7;  // of B: 160 MB
constexpr double least_alpha = 1e-9;  // below, round-off in B y over alpha is all there is to see
constexpr double inner_share = 0.1;   // of alpha |lambda - lambda_k|, at which an inner solve ends
constexpr double vanishing = 1e-14;   // |R| in scaled numbers
constexpr double sufficient = 1e-4;   // share of a step by which |R| has to fall
constexpr double least_fall = 0.7;    // of |R|, and of the error
constexpr int fall_steps = 6;         // in which it has to be seen
constexpr int most_inner_steps = 40;
constexpr int most_halvings = 11;
constexpr int most_failures = 10;  // of inner solves in a row, alpha growing fivefold

// Normals >= 0 and tangents within mu of them, or a row between its limits; and the derivative.
template <int D>
ContactVector<D> cut_to_set(ContactVector<D> z, const ImpulseSet& set, ContactMatrix<D>* derivative)
{
  const double n = set.is_row ? set.clamped(z[0]) : std::max(0.0, z[0]);
  const double bound = set.is_row ? 0.0 : set.mu * n;
  if (derivative) {
    *derivative = clamp_branch<D>(z, bound, set.is_row ? 0.0 : set.mu).C;
    if (n != z[0] || n == 0.0) derivative->col(0).setZero();
    if (bound == 0.0) derivative->template rightCols<D - 1>().setZero();
  }
  z[0] = n;
  auto z_T = z.template tail<D - 1>();
  const double length = z_T.norm();
  if (length > bound) z_T *= bound / length;
  return z;
}

}  // namespace

template <int D>
MethodOfMultipliers<D>::MethodOfMultipliers(Search<D>& search)
    : search_(search), problem_(search.problem), G_(search.problem.sets.size())
{
  if (std::optional<MatrixXd> root = low_rank_root(problem_, most_root_entries))
    B_ = std::move(*root);
  q_ = problem_.q;
}

template <int D>
double MethodOfMultipliers<D>::work() const
{
  const auto n = static_cast<double>(B_.rows()), r = static_cast<double>(B_.cols());
  return MultiplierOptions().max_factorisations * (2.0 * n + 2.0 / 3.0 * r) * r * r;
}

template <int D>
void MethodOfMultipliers<D>::find_impulses(const VectorXd& y, VectorXd& lambda,
                                           bool with_derivative)
{
  pushed_ = q_;
  pushed_.noalias() += B_ * y;
  lambda.resize(problem_.size());
  for (int c = 0; c < problem_.contacts(); ++c) {
    const ContactVector<D> z = part<D>(centre_, c) - part<D>(pushed_, c) / alpha_;
    part<D>(lambda, c) = cut_to_set<D>(z, problem_.sets[c], with_derivative ? &G_[c] : nullptr);
  }
}

template <int D>
void MethodOfMultipliers<D>::measure(Point& at, bool with_derivative)
{
  find_impulses(at.y, at.lambda, with_derivative);
  at.R = at.y;
  at.R.noalias() -= B_.transpose() * at.lambda;
  at.residual = at.R.norm();
}

template <int D>
bool MethodOfMultipliers<D>::find_direction(const Point& at)
{
  const Eigen::Index r = B_.cols();
  GB_.resize(B_.rows(), r);
  for (int c = 0; c < problem_.contacts(); ++c)
    GB_.template middleRows<D>(D * c).noalias() =
        (G_[c] / alpha_) * B_.template middleRows<D>(D * c);
  matrix_.setIdentity(r, r);
  matrix_.noalias() += B_.transpose() * GB_;
  ++search_.work.factorisations;
  ++search_.work.newton_steps;
  direction_ = -Eigen::PartialPivLU<Eigen::Ref<MatrixXd>>(matrix_).solve(at.R);
  return direction_.allFinite();
}

// Halves the step until |R| falls enough; else the best of those tried.
template <int D>
void MethodOfMultipliers<D>::choose_step(Point& at)
{
  double best = std::numeric_limits<double>::infinity(), best_length = 1.0, length = 1.0;
  for (int halving = 0; halving <= most_halvings; ++halving, length *= 0.5) {
    trial_.y = at.y + length * direction_;
    measure(trial_, false);
    if (trial_.residual < best) {
      best = trial_.residual;
      best_length = length;
    }
    if (trial_.residual <= (1.0 - sufficient * length) * at.residual) break;
  }
  at.y += best_length * direction_;
}

// From the centre to best_. Whether that solves the inner problem well enough.
template <int D>
bool MethodOfMultipliers<D>::take_outer_step(int max_factorisations, int& steps)
{
  at_.y = B_.transpose() * centre_;
  best_.residual = std::numeric_limits<double>::infinity();
  std::vector<double> bests;
  const int last = search_.work.factorisations + max_factorisations;
  for (steps = 0;; ++steps) {
    end_if_stopped();
    measure(at_, true);
    if (at_.residual < best_.residual) best_ = at_;
    bests.push_back(best_.residual);
    const double enough = inner_share * alpha_ * (at_.lambda - centre_).norm();
    if (best_.residual <= std::max(vanishing, enough)) return true;
    const bool stalled =
        steps >= fall_steps && bests.back() > least_fall * bests[bests.size() - 1 - fall_steps];
    if (stalled || steps == most_inner_steps || search_.exhausted() ||
        search_.work.factorisations >= last || !find_direction(at_))
      break;
    choose_step(at_);
  }
  return best_.residual <= alpha_ * (best_.lambda - centre_).norm();
}

template <int D>
SolveStatus MethodOfMultipliers<D>::solve(const VectorXd& start, const MultiplierOptions& options)
{
  if (!applies()) return SolveStatus::stalled;
  AlphaSchedule schedule(options.alpha, least_alpha);
  centre_ = start;
  const int last = search_.work.factorisations + options.max_factorisations;
  int gained_at = search_.work.factorisations;
  double gained_from = std::numeric_limits<double>::infinity();
  while (!search_.over() && search_.work.factorisations < last) {
    if (search_.work.factorisations > gained_at + options.patience) return SolveStatus::stalled;
    ++search_.work.outer_steps;
    alpha_ = schedule.alpha();
    int steps = 0;
    const bool solved = take_outer_step(last - search_.work.factorisations, steps);
    const double error = search_.offer(best_.lambda);
    if (error < least_fall * gained_from) {
      gained_from = error;
      gained_at = search_.work.factorisations;
    }
    if (solved) {
      centre_ = best_.lambda;
      schedule.succeeded(steps);
    } else {
      schedule.failed();
      if (schedule.failures() > most_failures) return SolveStatus::stalled;
    }
  }
  return search_.converged() ? SolveStatus::converged : SolveStatus::iteration_limit;
}

template class MethodOfMultipliers<2>;
template class MethodOfMultipliers<3>;

}  // namespace tact
