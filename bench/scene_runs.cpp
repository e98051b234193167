#include <bench/scene_runs.hpp>

#include <algorithm>

#include <tact/core/timer.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

namespace tact {

// Published: [Otaduy09] Sec. 6: falling cloth about 8 min for 4 s, letters just over 90 min for
// about 40 s, the dress about 15 h for about 10 s. The others tell no times of whole scenes.
const std::vector<BenchScene>& bench_scenes()
{
  constexpr const char* otaduy = "[Otaduy09]";
  constexpr const char* miguel = "[Miguel11]";
  constexpr const char* lloyd = "[Lloyd05]";
  constexpr const char* lazarevych = "[Lazarevych10]";
  constexpr const char* egan = "[Egan03]";
  constexpr const char* pc = "PC, 3.2 GHz, 2009";
  constexpr const char* ica = "/contact/solver=ica";
  constexpr const char* lemke = "/contact/solver=lemke-reduced";
  constexpr const char* regions = "/contact/solver=pcg-pgs";
  static const std::vector<BenchScene> scenes = {
      {"falling-cloth", 12, otaduy, ica, 120.0, pc},
      {"letters", 6, otaduy, ica, 135.0, pc},
      {"unified", 15, otaduy, ica},
      {"dress", 3, otaduy, ica, 5400.0, pc},
      {"vertebrae", 6, miguel, ica},
      {"bunny", 20, miguel, ica},
      {"three-situations", 10, miguel, ica},
      {"peg-in-hole", 20, lloyd, lemke},
      {"single-body", 20, lloyd, lemke},
      {"block-stack", 20, lloyd, lemke},
      {"bowling", 10, lazarevych, regions, 0.0, "", false},
      {"bucket", 10, lazarevych, regions, 0.0, "", false},
      {"table-incline", 10, lazarevych, regions, 0.0, "", false},
      {"block-on-slope", 60, lazarevych, regions},
      {"block-over-hole", 20, egan, "/nonconvex=max"},
      {"point-corner", 1, egan, "/nonconvex=max"},
      {"pinch-lift", 20},
      {"mass-ratio", 60},
  };
  return scenes;
}

double SceneRun::share_within(int most) const
{
  int within = 0;
  for (int k = 0; k < std::min(most, static_cast<int>(passes.size())); ++k) within += passes[k];
  return static_cast<double>(within - std::min(within, halvings)) / std::max(1, steps);
}

SceneRun run_bench_scene(const BenchScene& scene, SceneWay way, const BenchOptions& options,
                         double limit)
{
  std::vector<std::string> changes;
  if (way == SceneWay::paper_solver) changes.emplace_back(scene.method);
  if (way == SceneWay::paper_passes) changes.emplace_back("/contact/rows_per_pair=0");
  const Scene built = build_scene(read_scene(scene.name, changes));
  StepOptions step = step_options(built.run);
  step.contact.measure_clearance = false;
  if (way == SceneWay::paper_passes) step.contact.foresight = 0.0;
  Stepper stepper(built.world, step);
  State state = built.world.start();
  const int all = static_cast<int>(built.run.steps());
  const int steps = options.quick ? std::min(scene.quick_steps, all) : all;
  SceneRun run;
  run.scene = scene;
  run.way = way;
  const Timer timer;
  for (; run.steps < steps && !run.ended; ++run.steps) {
    const StepReport report = stepper.step(state, built.run.dt).report;
    run.phases += report.seconds;
    run.passes.resize(std::max<std::size_t>(run.passes.size(), report.passes));
    if (report.passes > 0) ++run.passes[report.passes - 1];
    run.halvings += report.halvings;
    run.cut_steps += report.cut_steps;
    run.unconverged += report.unconverged;
    run.contacts_max = std::max(run.contacts_max, report.contacts);
    run.residual_max = std::max(run.residual_max, report.residual);
    run.ended = limit > 0.0 && timer.seconds() > limit;
  }
  run.wall_seconds = timer.seconds();
  run.simulated_seconds = state.t;
  return run;
}

}  // namespace tact
