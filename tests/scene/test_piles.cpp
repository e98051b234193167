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
    tally.contacts = report.contacts;
    tally.largest_island = report.island_contacts;
  }
  return tally;
}

}  // namespace

TEST_SUITE_BEGIN("slow");

// Friction between sheets and solids makes plain sweeps go in circles: of these solves about half
// would stall far above their tolerance.
TEST_CASE("rigid and soft bodies and cloth that land on each other: solves reach their tolerance")
{
  const Tally tally = run_steps("unified", {}, 30);
  CHECK(tally.unconverged <= tally.solves / 10);
  // A corner that slips past a sheet comes near it on the way and not at the end of a step, where
  // rows look: such a step is halved.
  CHECK(tally.halvings <= 2);
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
  CHECK(tally.halvings == 0);
}

TEST_CASE("letters come to lie on each other in one pile")
{
  const Tally tally = run_steps("letters", {"/count=36"}, 40);
  CHECK(tally.unconverged == 0);
  CHECK(tally.contacts > 36 * 3);  // none hangs in the air
  CHECK(tally.largest_island >= 0.9 * tally.contacts);
}

TEST_SUITE_END();
