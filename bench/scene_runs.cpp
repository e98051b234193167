#include <bench/scene_runs.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/timer.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

namespace tact {

// Published: [Otaduy09] Sec. 6, on one core of 2008: falling cloth 480 ms a step of 4 ms, letters
// about 4 s a step of 30 ms, the dress 10.8 s a step of 2 ms.
const std::vector<BenchScene>& implicit_scenes()
{
  static const std::vector<BenchScene> scenes = {
      {"falling-cloth", 12, 120.0, 1.0}, {"letters", 6, 135.0, 1.0},   {"unified", 15, 0.0, 0.0},
      {"dress", 3, 5400.0, 12.0},        {"pinch-lift", 20, 0.0, 0.0}, {"mass-ratio", 60, 0.0, 0.0},
      {"block-on-slope", 60, 0.0, 0.0},
  };
  return scenes;
}

double SceneRun::share_within(int most) const
{
  int within = 0;
  for (int k = 0; k < std::min(most, static_cast<int>(passes.size())); ++k) within += passes[k];
  return static_cast<double>(within - std::min(within, halvings)) / std::max(1, steps);
}

SceneRun run_bench_scene(const BenchScene& scene, const BenchOptions& options)
{
  const Scene built = build_scene(read_scene(scene.name));
  StepOptions step = step_options(built.run);
  step.contact.measure_clearance = false;
  Stepper stepper(built.world, step);
  State state = built.world.start();
  const int steps = options.quick ? scene.quick_steps
                                  : static_cast<int>(std::lround(built.run.time / built.run.dt));
  SceneRun run;
  run.scene = scene;
  const Timer timer;
  for (; run.steps < steps; ++run.steps) {
    const StepReport report = stepper.step(state, built.run.dt).report;
    run.phases += report.seconds;
    run.passes.resize(std::max<std::size_t>(run.passes.size(), report.passes));
    if (report.passes > 0) ++run.passes[report.passes - 1];
    run.halvings += report.halvings;
    run.cut_steps += report.cut_steps;
    run.contacts_max = std::max(run.contacts_max, report.contacts);
    run.residual_max = std::max(run.residual_max, report.residual);
  }
  run.wall_seconds = timer.seconds();
  run.simulated_seconds = state.t;
  return run;
}

std::vector<SceneRun> run_bench_scenes(const char* bench, const BenchOptions& options)
{
  std::vector<SceneRun> runs;
  for (const BenchScene& scene : implicit_scenes()) {
    if (!options.quiet) fmt::print(stderr, "bench {}: {}\n", bench, scene.name);
    runs.push_back(run_bench_scene(scene, options));
  }
  return runs;
}

}  // namespace tact
