// Projected Gauss-Seidel on a region, plain or accelerated by nonlinear conjugate gradients.
// Impulses are projected contact by contact within the sweep: to project after a whole sweep, as
// [Lazarevych10] eq. (14), (15) do, is another method, which need not converge.
#include <tact/solvers/regions/region_solve.hpp>

namespace tact {
namespace {

constexpr int plain_start = 6;       // sweeps before conjugate directions pay
constexpr int response_period = 64;  // sweeps after which the state is computed anew from lambda
constexpr int looks_period = 8;      // sweeps between looks, while increments are large

}  // namespace

void RegionSolve::gauss_seidel(bool accelerated)
{
  work_.restore_best(place_);
  const int start = report_.cg_iterations;  // best_.found_at counts both phases
  double old_energy = 0.0;
  while (sweeps_.sweeps < options_.max_sweeps) {
    if (good() && sweeps_.sweeps >= options_.min_sweeps) break;
    if (sweeps_.sweeps % response_period == response_period - 1)
      respond(work_.lambda.data(), work_.state);
    work_.keep_old(place_);
    work_.make_sweeps(place_, 1, sweeps_);
    const SweepStep step = work_.last_step(place_);
    const bool last = sweeps_.sweeps == options_.max_sweeps;
    if (last || sweeps_.sweeps % looks_period == 0 || sweeps_.sweeps <= 2 ||
        step.velocity <= options_.tolerance)
      look(start + sweeps_.sweeps);
    if (step.velocity <= options_.gs.change * options_.tolerance && !good()) {
      report_.status = SolveStatus::stalled;  // steps this small lead nowhere
      break;
    }
    const bool restart =
        !accelerated || sweeps_.sweeps <= plain_start || !(step.energy <= old_energy);
    if (accelerated) work_.conjugate(place_, restart ? 0.0 : step.energy / old_energy);
    old_energy = step.energy;
  }
  report_.sweeps = sweeps_.sweeps;
}

}  // namespace tact
