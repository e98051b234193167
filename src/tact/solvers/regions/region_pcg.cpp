// Projected conjugate gradients on a region.                    [Lazarevych10] Sec. 4, Algorithm 2
//
//   alpha = r'd / d'W d,  lambda <- clamp(lambda + alpha d),  u = q + W lambda
//   r = -u without what points out of a bound that lambda is at
//   beta = r'z / r_old'z_old (Fletcher-Reeves)
//          or  max(0, r'(z - z_old)) / r_old'z_old (Polak-Ribiere)
//   d <- z + beta d,   z_c = r_c / w_c,   beta = 0 when other impulses are at bounds than before
//
// Corrected: the printed step goes along lambda instead of d; the recurrence for r does not hold
// after projecting, so that r is computed anew; without the restart d is conjugate to nothing. w_c,
// the contact's own response, makes steps independent of masses and units.
#include <algorithm>
#include <cmath>

#include <tact/core/stop.hpp>
#include <tact/solvers/regions/region_solve.hpp>

namespace tact {
namespace {

using ImpulseMap = Eigen::Map<Vector3d>;
using ConstImpulseMap = Eigen::Map<const Vector3d>;

constexpr int cg_patience = 50;  // iterations without a better answer
constexpr double at_bound = 1.0 - 1e-12;

// Bits of what is at a bound: the normal, the disc of friction or either side of each tangent.
constexpr unsigned char open_bit = 1, disc_bit = 2;
constexpr unsigned char tangent_bits[3][2] = {{0, 0}, {4, 8}, {16, 32}};

// Takes from r what points out of a bound that lambda is at; returns which bounds those are.
unsigned char cut_at_bounds(const Vector3d& lambda, double mu, FrictionLaw law, Vector3d& r)
{
  if (lambda[0] <= 0.0 && r[0] <= 0.0) {
    r.setZero();
    return open_bit;
  }
  if (mu == 0.0) {
    r.tail<2>().setZero();
    return 0;
  }
  const double bound = mu * lambda[0] * at_bound;
  unsigned char bits = 0;
  if (law == FrictionLaw::disc) {
    const double t = std::sqrt(lambda[1] * lambda[1] + lambda[2] * lambda[2]);
    if (t == 0.0 || t < bound) return 0;
    const Vector2d out = lambda.tail<2>() / t;
    const double outwards = r.tail<2>().dot(out);
    if (outwards <= 0.0) return 0;
    r.tail<2>() -= outwards * out;
    return disc_bit;
  }
  for (int k = 1; k < 3; ++k) {
    const int side = r[k] > 0.0 ? 0 : 1;
    if ((side == 0 ? lambda[k] : -lambda[k]) < bound) continue;
    r[k] = 0.0;
    bits |= tangent_bits[k][side];
  }
  return bits;
}

// What conjugate directions keep of earlier ones must not leave the bounds either.
void cut_direction(const Vector3d& lambda, unsigned char bits, Vector3d& d)
{
  if (bits & open_bit) d.setZero();
  if (bits & disc_bit) {
    const Vector2d out = lambda.tail<2>().normalized();
    d.tail<2>() -= std::max(0.0, d.tail<2>().dot(out)) * out;
  }
  for (int k = 1; k < 3; ++k)
    if (bits & (tangent_bits[k][0] | tangent_bits[k][1])) d[k] = 0.0;
}

}  // namespace

void RegionSolve::conjugate_gradients()
{
  const int unknowns = 3 * (island_.size());
  const int limit = options_.max_cg > 0 ? options_.max_cg : 2 * unknowns;
  Descent descent = find_residual();
  turn_direction(0.0);
  while (report_.cg_iterations < limit) {
    end_if_stopped();
    respond(island_.direction.data(), island_.force);
    double along = 0.0, curvature = 0.0;
    for (int c = 0; c < island_.size(); ++c) {
      const ConstImpulseMap d(island_.direction.data() + 3 * c);
      along += d.dot(ConstImpulseMap(vectors_.residual.data() + 3 * c));
      curvature += d.dot(seen(c, island_.force));
    }
    if (!(along > 0.0 && curvature > 0.0)) break;
    const StepSize step = move(along / curvature);
    const int at = ++report_.cg_iterations;
    const double old_energy = descent.energy;
    descent = find_residual();
    look(at);
    if (ended(options_.cg, step, descent.mean, descent.largest) || waited_too_long(at, cg_patience))
      break;
    const double gain = options_.rule == ConjugateRule::fletcher_reeves
                            ? descent.energy
                            : std::max(0.0, descent.energy - descent.cross);
    turn_direction(descent.same_bounds && old_energy > 0.0 ? gain / old_energy : 0.0);
  }
}

RegionSolve::StepSize RegionSolve::move(double alpha)
{
  for (std::size_t i = 0; i < island_.state.size(); ++i)
    island_.state[i] += alpha * island_.force[i];
  StepSize step;
  int moved = 0;
  for (int c = 0; c < island_.size(); ++c) {
    const SweepContact& contact = island_.sweep.contacts[c];
    ImpulseMap lambda(island_.lambda.data() + 3 * c);
    const Vector3d ahead = lambda + alpha * ConstImpulseMap(island_.direction.data() + 3 * c);
    const Vector3d clamped = clamp_to_cone(ahead, contact.mu, options_.law);
    const double change = own_response(c) * (clamped - lambda).norm();
    lambda = clamped;
    const Vector3d cut = clamped - ahead;
    if (!cut.isZero(0.0)) island_.sweep.push(contact, cut, island_.state.data());
    if (change == 0.0) continue;
    step.mean += change * change;
    step.largest = std::max(step.largest, change);
    ++moved;
  }
  step.mean = std::sqrt(step.mean / std::max(1, moved));
  return step;
}

RegionSolve::Descent RegionSolve::find_residual()
{
  Descent descent;
  int not_open = 0;
  for (int c = 0; c < island_.size(); ++c) {
    const SweepContact& contact = island_.sweep.contacts[c];
    const ConstImpulseMap lambda(island_.lambda.data() + 3 * c);
    ImpulseMap kept(vectors_.residual.data() + 3 * c);
    const Vector3d old = kept;
    Vector3d r = -island_.sweep.velocity(contact, island_.state.data());
    const unsigned char bits = cut_at_bounds(lambda, contact.mu, options_.law, r);
    if (bits != vectors_.bounds[c]) descent.same_bounds = false;
    vectors_.bounds[c] = bits;
    kept = r;
    const double w = own_response(c);
    if (w == 0.0) continue;
    descent.energy += r.squaredNorm() / w;
    descent.cross += r.dot(old) / w;
    descent.mean += r.squaredNorm();
    descent.largest = std::max(descent.largest, r.cwiseAbs().maxCoeff());
    if (!(bits & open_bit)) ++not_open;
  }
  descent.mean = std::sqrt(descent.mean / std::max(1, not_open));
  return descent;
}

void RegionSolve::turn_direction(double beta)
{
  for (int c = 0; c < island_.size(); ++c) {
    ImpulseMap d(island_.direction.data() + 3 * c);
    const double w = own_response(c);
    Vector3d turned = beta * d;
    if (w > 0.0) turned += ConstImpulseMap(vectors_.residual.data() + 3 * c) / w;
    if (beta != 0.0)
      cut_direction(ConstImpulseMap(island_.lambda.data() + 3 * c), vectors_.bounds[c], turned);
    d = turned;
  }
}

bool RegionSolve::ended(const PhaseThresholds& phase, const StepSize& step, double residual,
                        double largest) const
{
  const auto below = [&](double threshold, double mean, double entry) {
    const double bound = threshold * options_.tolerance;
    return mean <= bound && entry <= phase.largest * bound;
  };
  return below(phase.change, step.mean, step.largest) || below(phase.residual, residual, largest);
}

}  // namespace tact
