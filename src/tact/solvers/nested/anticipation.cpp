// Sweeps on islands whose components are all exact or direct: P = A, and how everything answers to
// every impulse is known. Exact constraint anticipation, [Otaduy09] Sec. 5.1, by components.
//
// Sweeps are accelerated by nonlinear conjugate gradients on their own increments (Silcowitz,
// Niebe and Erleben 2010):
//   lambda+ = sweep(lambda),  r = lambda+ - lambda,  beta = |r|^2 / |r_old|^2
//   beta <= 1:  lambda = clamp(lambda+ + beta p),  p = beta p + r;    else restart: p = r
// Small islands get Newton's method on top (newton_correction.hpp).
#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>
#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

using Map3 = Eigen::Map<Vector3d>;
using ConstMap3 = Eigen::Map<const Vector3d>;

constexpr int plain_sweeps = 6;      // at first, while the active set is still being found
constexpr int refresh_period = 64;   // sweeps after which the response is computed anew from lambda
constexpr int least_patience = 400;  // sweeps without a better answer; more where many may be made
constexpr int first_newton = 16;     // sweeps after which Newton's method is tried on small islands
constexpr int sweeps_between_looks = 8;  // while the increments are still large
// Islands of up to so many contacts are solved to a hundredth of the tolerance: that costs next to
// nothing, and a lone body on a slope then keeps its place.
constexpr int thorough_contacts = 48;
constexpr double thorough_share = 0.01;

}  // namespace

namespace method {

const IslandMethod responses = {
    "exact responses",
    [](NestedIsland& own, int) { own.anticipate(); },
};

}  // namespace method

void NestedIsland::anticipate()
{
  const bool thorough = size() <= thorough_contacts;
  const double target = options->tolerance * (thorough ? thorough_share : 1.0);
  const int patience = std::max(least_patience, options->max_sweeps / 10);
  look(natural(), 0);
  double old_energy = 0.0;
  int next_newton = first_newton;
  bool plain = false;
  const int least = thorough ? 0 : std::min(options->min_sweeps, options->max_sweeps);
  while (report.sweeps < least || (best.worst > target && report.sweeps < options->max_sweeps)) {
    end_if_stopped();
    if (report.sweeps % refresh_period == refresh_period - 1) find_response();
    keep_old();
    make_sweeps(1);
    const SweepStep step = last_step();
    // Right after the sweep: what is extrapolated next is better in the long run, not now.
    const bool last = report.sweeps == options->max_sweeps;
    if (last || report.sweeps % sweeps_between_looks == 0 || step.velocity <= target) {
      look(natural(), report.sweeps);
    }
    if (report.sweeps - best.found_at > patience) {
      report.status = SolveStatus::stalled;
      if (plain) break;
      plain = true;  // with friction conjugate directions can go in circles; sweeps alone get on
      best.found_at = report.sweeps;
      restore_best();
      continue;
    }
    if (thorough && report.sweeps == next_newton && best.worst > target) {
      next_newton *= 2;
      old_energy = 0.0;
      if (correction.improve(sweep, range(), lambda.data())) {
        find_response();
        look(natural(), report.sweeps);
      }
      continue;
    }
    const bool restart = plain || report.sweeps <= plain_sweeps || !(step.energy <= old_energy);
    conjugate(restart ? 0.0 : step.energy / old_energy);
    old_energy = step.energy;
  }
  if (report.sweeps == options->max_sweeps) report.status = SolveStatus::iteration_limit;
}

void NestedIsland::keep_old()
{
  std::copy(state.begin(), state.end(), old_state.begin());
  std::copy(lambda.begin(), lambda.end(), old_lambda.begin());
}

SweepStep NestedIsland::last_step() const
{
  SweepStep step;
  double squares = 0.0;
  int moved = 0;
  for (int c = 0; c < size(); ++c) {
    const double r =
        (ConstMap3(lambda.data() + 3 * c) - ConstMap3(old_lambda.data() + 3 * c)).squaredNorm();
    if (r == 0.0) continue;
    const double w = sweep.contacts[c].w.trace() / 3.0;
    step.energy += w * r;
    squares += w * w * r;
    ++moved;
  }
  step.velocity = std::sqrt(squares / std::max(1, moved));
  return step;
}

// The state is linear in lambda, so it is extrapolated with it, and only what clamping takes away
// again costs a push. `dual` holds what the state answers to the direction p.
void NestedIsland::conjugate(double beta)
{
  for (std::size_t i = 0; i < state.size(); ++i) {
    const double change = state[i] - old_state[i];
    state[i] += beta * dual[i];
    dual[i] = beta * dual[i] + change;
  }
  for (int c = 0; c < size(); ++c) {
    const SweepContact& contact = sweep.contacts[c];
    Map3 lambda_c(lambda.data() + 3 * c), p(direction.data() + 3 * c);
    const Vector3d r = lambda_c - ConstMap3(old_lambda.data() + 3 * c);
    const Vector3d ahead = lambda_c + beta * p;
    p = beta * p + r;
    lambda_c = clamp_to_cone(ahead, contact.mu, sweep.law);
    const Vector3d cut = lambda_c - ahead;
    if (!cut.isZero(0.0)) sweep.push(contact, cut, state.data());
  }
}

}  // namespace tact
