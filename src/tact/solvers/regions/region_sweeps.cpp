// Projected Gauss-Seidel on a region, plain or accelerated by nonlinear conjugate gradients.
// Impulses are projected contact by contact within the sweep: to project after a whole sweep, as
// [Lazarevych10] eq. (14), (15) do, is another method, which need not converge.
#include <tact/core/stop.hpp>
#include <tact/solvers/regions/region_solve.hpp>

namespace tact {
namespace {

constexpr int plain_start = 6;       // sweeps before conjugate directions pay
constexpr int response_period = 64;  // sweeps after which the state is computed anew from lambda
constexpr int looks_period = 8;      // sweeps between looks, while increments are large

}  // namespace

void RegionSolve::gauss_seidel(bool accelerated, int last_sweep)
{
  island_.restore_best();
  const int start = report_.cg_iterations;  // best.found_at counts both phases
  double old_energy = 0.0;
  while (island_.report.sweeps < last_sweep) {
    end_if_stopped();
    if (good() && island_.report.sweeps >= options_.min_sweeps) break;
    if (island_.report.sweeps % response_period == response_period - 1)
      respond(island_.lambda.data(), island_.state);
    island_.keep_old();
    island_.make_sweeps(1);
    const SweepStep step = island_.last_step();
    const bool last = island_.report.sweeps == last_sweep;
    if (last || island_.report.sweeps % looks_period == 0 || island_.report.sweeps <= 2 ||
        step.velocity <= options_.tolerance)
      look(start + island_.report.sweeps);
    if (step.velocity <= options_.gs.change * options_.tolerance && !good()) {
      report_.status = SolveStatus::stalled;  // steps this small lead nowhere
      break;
    }
    const bool restart =
        !accelerated || island_.report.sweeps <= plain_start || !(step.energy <= old_energy);
    if (accelerated) island_.conjugate(restart ? 0.0 : step.energy / old_energy);
    old_energy = step.energy;
  }
  report_.sweeps = island_.report.sweeps;
}

}  // namespace tact
