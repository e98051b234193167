// Built-in scenes, stepped and timed: what `tact bench scenes` and `tact bench cmr` have in common.
#pragma once

#include <string>
#include <vector>

#include <bench/bench.hpp>
#include <tact/sim/step_report.hpp>

namespace tact {

// A built-in scene, and how its paper solves it.
struct BenchScene {
  const char* name;
  int quick_steps;             // of a quick run; a full one takes the time of the scene
  const char* paper = "";      // whose; empty: ours
  const char* method = "";     // what makes a run one by the paper's method: "/pointer=value"
  double published_ratio = 0;  // wall over simulated time; 0: none is published
  const char* hardware = "";   // that it was published for, and the year
  bool implicit = true;        // takes passes of constraint manifold refinement
};
const std::vector<BenchScene>& bench_scenes();

// How a scene is run.
enum class SceneWay {
  ours,          // as it is
  paper_solver,  // by the solver of its paper
  // Every contact that is near at the start has rows, and none is foreseen: [Otaduy09] Sec. 4.
  paper_passes,
};

struct SceneRun {
  BenchScene scene;
  SceneWay way = SceneWay::ours;
  bool ended = false;  // by the limit of time, before the scene was over
  int steps = 0;
  double simulated_seconds = 0.0;
  double wall_seconds = 0.0;  // without recording
  PhaseSeconds phases;
  std::vector<int> passes;  // steps that took one, two, ...
  int halvings = 0;
  int cut_steps = 0;
  int contacts_max = 0;
  int unconverged = 0;        // solves above the tolerance
  double residual_max = 0.0;  // m/s

  double ratio() const { return wall_seconds / simulated_seconds; }
  // Of steps that found a valid state in at most so many passes, without halving.
  double share_within(int most) const;
};

// limit: s, after which a run by a paper's way is ended; 0: none.
SceneRun run_bench_scene(const BenchScene& scene, SceneWay way, const BenchOptions& options,
                         double limit = 0.0);

}  // namespace tact
