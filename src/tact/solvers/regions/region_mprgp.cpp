// Modified proportioning with reduced gradient projections on a frictionless region. Dostal 2005
//
//   min 1/2 x' A x - b' x,  x >= 0     x = lambda_n / s,  A = s W_nn s,  g = s u_n,  s^2 = 1 / w_nn
//   phi = g where x > 0;  beta = min(g, 0) where x = 0;  phi~ = min(x / abar, phi)
//   |beta|^2 <= phi~ . phi:  a step of conjugate gradients on the free contacts, or, where it would
//                            leave the bounds, up to the first and x <- max(0, x - abar phi)
//   else:                    a step along beta, which sets contacts free
//
// Finite for regular W. phi stands in vectors_.residual, beta in old_residual and p in point, each
// in the place of the normal.
#include <algorithm>
#include <cmath>
#include <limits>

#include <tact/solvers/regions/region_solve.hpp>

#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr double step_share = 1.8;  // of 1 / rho(A), which power iteration finds from below; < 2
constexpr int mprgp_refresh = 64;   // iterations after which the state is computed anew from lambda

}  // namespace

double RegionSolve::scale_of(int c) const
{
  const double w = island_.sweep.contacts[c].w(0, 0);
  return w > 0.0 ? 1.0 / std::sqrt(w) : 0.0;
}

void RegionSolve::proportioning()
{
  const double abar = step_share / spectral_radius(true);
  Gradients gradients = split_gradient(abar);
  restart_from_free();
  while (report_.sweeps < options_.max_sweeps) {
    end_if_stopped();
    if (good() && report_.sweeps >= options_.min_sweeps) return;
    if (report_.sweeps % mprgp_refresh == mprgp_refresh - 1) island_.find_response();
    const bool moved = gradients.chopped <= gradients.free ? conjugate_step(abar)
                                                           : release_step(gradients.chopped);
    if (!moved) break;  // no curvature: nothing that could be pressed any further
    gradients = split_gradient(abar);
    if (fresh_start_) restart_from_free();
    look(++report_.sweeps);
  }
}

RegionSolve::Gradients RegionSolve::split_gradient(double abar)
{
  Gradients sums;
  for (int c = 0; c < island_.size(); ++c) {
    const SweepContact& contact = island_.sweep.contacts[c];
    const double s = scale_of(c);
    const double g = s * island_.sweep.velocity(contact, island_.state.data())[0];
    const double lambda = island_.lambda[3 * c];
    double& phi = vectors_.residual[3 * c];
    double& beta = vectors_.old_residual[3 * c];
    phi = lambda > 0.0 ? g : 0.0;
    beta = lambda > 0.0 ? 0.0 : std::min(g, 0.0);
    if (lambda > 0.0) sums.free += std::min(lambda / (s * abar), phi) * phi;
    sums.chopped += beta * beta;
  }
  return sums;
}

void RegionSolve::restart_from_free()
{
  for (int c = 0; c < island_.size(); ++c) vectors_.point[3 * c] = vectors_.residual[3 * c];
  fresh_start_ = false;
}

// The island's direction := s p as impulses, its force := what the state answers. Returns p' A p.
double RegionSolve::set_direction(std::span<const double> p)
{
  for (int c = 0; c < island_.size(); ++c)
    Eigen::Map<Vector3d>(island_.direction.data() + 3 * c) << scale_of(c) * p[3 * c], 0.0, 0.0;
  respond(island_.direction.data(), island_.force);
  double curvature = 0.0;
  for (int c = 0; c < island_.size(); ++c)
    curvature += island_.direction[3 * c] * seen(c, island_.force)[0];
  return curvature;
}

// lambda <- max(0, lambda - alpha d), and the state with it.
void RegionSolve::follow_direction(double alpha)
{
  for (std::size_t i = 0; i < island_.state.size(); ++i)
    island_.state[i] -= alpha * island_.force[i];
  for (int c = 0; c < island_.size(); ++c) {
    double& lambda = island_.lambda[3 * c];
    const double ahead = lambda - alpha * island_.direction[3 * c];
    lambda = std::max(0.0, ahead);
    if (ahead < 0.0)
      island_.sweep.push(island_.sweep.contacts[c], {-ahead, 0.0, 0.0}, island_.state.data());
  }
}

bool RegionSolve::release_step(double chopped)
{
  const double curvature = set_direction(vectors_.old_residual);
  if (!(curvature > 0.0)) return false;
  follow_direction(chopped / curvature);
  fresh_start_ = true;
  return true;
}

bool RegionSolve::conjugate_step(double abar)
{
  const double curvature = set_direction(vectors_.point);
  if (!(curvature > 0.0)) return false;
  double along = 0.0, room = std::numeric_limits<double>::infinity();
  int first_bound = -1;  // the contact whose impulse ends first
  for (int c = 0; c < island_.size(); ++c) {
    along += vectors_.residual[3 * c] * vectors_.point[3 * c];
    const double d = island_.direction[3 * c];
    if (d <= 0.0 || island_.lambda[3 * c] >= room * d) continue;
    room = island_.lambda[3 * c] / d;
    first_bound = c;
  }
  if (along / curvature <= room) {
    follow_direction(along / curvature);
    turn_conjugate(curvature);
    return true;
  }
  follow_direction(room);
  island_.lambda[3 * first_bound] = 0.0;  // round-off may have left a little
  split_gradient(abar);
  set_direction(vectors_.residual);
  follow_direction(abar);
  fresh_start_ = true;
  return true;
}

// p <- phi - (phi' A p / p' A p) p, with phi at the new place; A p is still in island_.force.
void RegionSolve::turn_conjugate(double curvature)
{
  double cross = 0.0;
  for (int c = 0; c < island_.size(); ++c) {
    const double u_n = island_.sweep.velocity(island_.sweep.contacts[c], island_.state.data())[0];
    const double s = scale_of(c);
    const double phi = island_.lambda[3 * c] > 0.0 ? s * u_n : 0.0;
    vectors_.residual[3 * c] = phi;
    cross += phi * s * seen(c, island_.force)[0];
  }
  for (int c = 0; c < island_.size(); ++c)
    vectors_.point[3 * c] = vectors_.residual[3 * c] - cross / curvature * vectors_.point[3 * c];
}

}  // namespace tact
