// Piles of unlike bodies, step by step: what solvers and refinement must reach in built-in scenes.
#include <doctest/doctest.h>

#include <algorithm>

#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/sim/stepper.hpp>

using namespace tact;

namespace {

struct Tally {
  int steps = 0;
  int solves = 0;  // at least one a step
  int unconverged = 0;
  int one_pass = 0;
  int most_passes = 0;
  int halvings = 0;
  double gain = 0.0;                     // J: of energy, the most in a step
  int contacts = 0, largest_island = 0;  // contacts, of the last step
};

Tally run_steps(const char* name, const std::vector<std::string>& patches, int steps)
{
  const Scene scene = build_scene(read_scene(name, patches));
  StepOptions options;
  options.contact.delta = scene.run.contact.delta;
  options.contact.solver.tolerance = 1e-3;
  Stepper stepper(scene.world, options);
  State state = scene.world.start();
  Tally tally;
  for (; tally.steps < steps; ++tally.steps) {
    const StepReport report = stepper.step(state, scene.run.dt).report;
    tally.solves += report.passes;
    tally.unconverged += report.unconverged;
    tally.one_pass += report.passes == 1 ? 1 : 0;
    tally.most_passes = std::max(tally.most_passes, report.passes);
    tally.halvings += report.halvings;
    tally.gain = std::max(tally.gain, report.energy_gain);
    tally.contacts = report.contacts;
    tally.largest_island = report.island_contacts;
  }
  return tally;
}

}  // namespace

TEST_SUITE_BEGIN("slow");

// Friction between sheets and solids makes plain sweeps go in circles, and W is dense: of these
// solves about half would stall far above their tolerance. Sheets are thrown over corners at 2 m/s:
// steps that are too long for their forces are halved, others are not.
TEST_CASE("rigid and soft bodies and cloth that land on each other: solves reach their tolerance")
{
  const Tally tally = run_steps("unified", {}, 30);
  CHECK(tally.unconverged == 0);
  CHECK(tally.gain < 1e-3 * 16.0);  // m/s of the tolerance, N s of what falls
  CHECK(tally.halvings < tally.steps / 2);
}

TEST_CASE("a moving pile takes one pass in most steps: its contacts are foreseen")
{
  const Tally tally = run_steps("unified", {"/layers=2"}, 60);
  CHECK(tally.one_pass >= 50);
}

TEST_CASE("soft letters that land get few rows where they hit at hundreds of places")
{
  const Tally tally = run_steps("letters", {"/count=24", "/columns=4", "/rows=3"}, 20);
  CHECK(tally.unconverged <= 1);
  CHECK(tally.most_passes <= 3);
  CHECK(tally.halvings <= 3);  // of the step in which their strain would give energy
  CHECK(tally.gain < 1e-3 * 0.2 + 1e-3 * 0.7);  // of 0.2 J, and m/s of the tolerance, N s
}

TEST_CASE("letters come to lie on each other in one pile")
{
  const Tally tally = run_steps("letters", {"/count=36"}, 40);
  CHECK(tally.unconverged == 0);
  CHECK(tally.contacts > 36 * 3);  // none hangs in the air
  CHECK(tally.largest_island >= 0.9 * tally.contacts);
}

TEST_SUITE_END();
