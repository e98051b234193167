// Built-in scenes, stepped and timed: what `tact bench scenes` and `tact bench cmr` have in common.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <tact/sim/step_report.hpp>

namespace tact {

// A scene of [Otaduy09] or one of ours with implicit contact.
struct BenchScene {
  const char* name;
  int quick_steps;         // of a quick run; a full one takes the time of the scene
  double published_ratio;  // wall over simulated time; 0: none is published
  double goal_ratio;       // ours, on two cores; 0: none
};
const std::vector<BenchScene>& implicit_scenes();

struct SceneRun {
  BenchScene scene;
  int steps = 0;
  double simulated_seconds = 0.0;
  double wall_seconds = 0.0;  // without recording
  PhaseSeconds phases;
  std::vector<int> passes;  // steps that took one, two, ...
  int halvings = 0;
  int cut_steps = 0;
  int contacts_max = 0;
  double residual_max = 0.0;  // m/s

  double ratio() const { return wall_seconds / simulated_seconds; }
  // Of steps that found a valid state in at most so many passes, without halving.
  double share_within(int most) const;
};

SceneRun run_bench_scene(const BenchScene& scene, const BenchOptions& options);
std::vector<SceneRun> run_bench_scenes(const char* bench, const BenchOptions& options);

}  // namespace tact
