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

#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr double radius_margin = 1.1;   // power iteration comes from below
constexpr int gradient_patience = 100;  // iterations without a better answer: half the step

}  // namespace

// y stands in vectors_.point, the answer of the state to it in island_.force.
void RegionSolve::accelerated_gradients()
{
  double t = 1.0 / (radius_margin * spectral_radius(false));
  double theta = 1.0;
  island_.restore_best();
  extrapolate(0.0);
  while (report_.sweeps < options_.max_sweeps) {
    end_if_stopped();
    if (good() && report_.sweeps >= options_.min_sweeps) return;
    island_.keep_old();
    const bool turned = gradient_step(t);
    look(++report_.sweeps);
    if (waited_too_long(report_.sweeps, gradient_patience)) {
      t *= 0.5;
      theta = 1.0;
      island_.best.found_at = report_.sweeps;
      island_.restore_best();
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
  std::copy(island_.force.begin(), island_.force.end(), island_.state.begin());
  double uphill = 0.0;
  for (int c = 0; c < island_.size(); ++c) {
    const SweepContact& contact = island_.sweep.contacts[c];
    const double w = own_response(c);
    if (w == 0.0) continue;
    Vector3d u = island_.sweep.velocity(contact, island_.force.data());
    u = shifted<3>(u, contact.mu, options_.law);
    const Eigen::Map<const Vector3d> y(vectors_.point.data() + 3 * c);
    Eigen::Map<Vector3d> x(island_.lambda.data() + 3 * c);
    const Vector3d next = project_on_cone<3>(y - t / w * u, contact.mu, options_.law);
    uphill += u.dot(next - x);
    x = next;
    const Vector3d step = next - y;
    if (!step.isZero(0.0)) island_.sweep.push(contact, step, island_.state.data());
  }
  return uphill > 0.0;
}

// y = x + beta (x - x_old)
void RegionSolve::extrapolate(double beta)
{
  for (int i = 0; i < 3 * island_.size(); ++i)
    vectors_.point[i] = island_.lambda[i] + beta * (island_.lambda[i] - island_.old_lambda[i]);
  for (std::size_t i = 0; i < island_.state.size(); ++i)
    island_.force[i] = island_.state[i] + beta * (island_.state[i] - island_.old_state[i]);
}

}  // namespace tact
