// Accelerated projected gradients on a region, with restart.           Mazhar et al. 2015, Sec. 4
//
//   x+ = P_K(y - t u^(y) / w),   u^ = u + (mu |u_T|, 0, 0),   t = 1 / rho(D^-1 W)
//   theta+ = (sqrt(theta^4 + 4 theta^2) - theta^2) / 2
//   beta = theta (1 - theta) / (theta^2 + theta+)
//   y+ = x+ + beta (x+ - x);   restart (y+ = x+, theta = 1) where u^ . (x+ - x) > 0
//
// P_K: the nearest point of the cone. By De Saxce's shift the fixed point is one of Coulomb's law.
#include <algorithm>
#include <cmath>

#include <tact/solvers/regions/region_solve.hpp>

namespace tact {
namespace {

constexpr double radius_margin = 1.1;   // power iteration comes from below
constexpr int gradient_patience = 100;  // iterations without a better answer: half the step

}  // namespace

// y stands in vectors_.point, the answer of the state to it in work_.force.
void RegionSolve::accelerated_gradients()
{
  double t = 1.0 / (radius_margin * spectral_radius(false));
  double theta = 1.0;
  work_.restore_best(place_);
  extrapolate(0.0);
  while (report_.sweeps < options_.max_sweeps) {
    if (good() && report_.sweeps >= options_.min_sweeps) return;
    work_.keep_old(place_);
    const bool turned = gradient_step(t);
    look(++report_.sweeps);
    if (waited_too_long(report_.sweeps, gradient_patience)) {
      t *= 0.5;
      theta = 1.0;
      best_.found_at = report_.sweeps;
      work_.restore_best(place_);
      extrapolate(0.0);
      continue;
    }
    const double squared = theta * theta;
    const double next_theta = 0.5 * (std::sqrt(squared * squared + 4.0 * squared) - squared);
    extrapolate(turned ? 0.0 : theta * (1.0 - theta) / (squared + next_theta));
    theta = turned ? 1.0 : next_theta;
  }
}

// lambda and the state become x+ and the answer to it. True: u^ . (x+ - x) > 0, the momentum
// carries uphill.
bool RegionSolve::gradient_step(double t)
{
  std::copy(work_.force.begin() + place_.first, work_.force.begin() + place_.last,
            work_.state.begin() + place_.first);
  double uphill = 0.0;
  for (int c = contacts_.first; c < contacts_.last; ++c) {
    const SweepContact& contact = work_.sweep.contacts[c];
    const double w = own_response(c);
    if (w == 0.0) continue;
    Vector3d u = work_.sweep.velocity(contact, work_.force.data());
    u = shifted<3>(u, contact.mu, options_.law);
    const Eigen::Map<const Vector3d> y(vectors_.point.data() + 3 * c);
    Eigen::Map<Vector3d> x(work_.lambda.data() + 3 * c);
    const Vector3d next = project_on_cone<3>(y - t / w * u, contact.mu, options_.law);
    uphill += u.dot(next - x);
    x = next;
    const Vector3d step = next - y;
    if (!step.isZero(0.0)) work_.sweep.push(contact, step, work_.state.data());
  }
  return uphill > 0.0;
}

// y = x + beta (x - x_old)
void RegionSolve::extrapolate(double beta)
{
  for (int i = 3 * contacts_.first; i < 3 * contacts_.last; ++i)
    vectors_.point[i] = work_.lambda[i] + beta * (work_.lambda[i] - work_.old_lambda[i]);
  for (int i = place_.first; i < place_.last; ++i)
    work_.force[i] = work_.state[i] + beta * (work_.state[i] - work_.old_state[i]);
}

}  // namespace tact
