// What free bodies keep, whatever happens between them: judged in every step, from states alone.
//
//   momentum          |P - P_0| <= 1e-9 sum |m v|
//   angular momentum  |L - L_0| <= 1e-9 sum (|r x m v| + |I w|), about the common centre of mass
//   energy            E - E_before <= 1e-9 E_0, kinetic and elastic: contact only takes
//   surfaces          no two triangles intersect, by the exact test
//   the step          is computed, and all numbers are finite
#pragma once

#include <string>

#include <tact/setup/scene_description.hpp>

namespace tact {

// The largest value of all steps, and the step.
struct WorstFigure {
  double value = 0.0;
  int step = 0;

  void raise(double other, int at);
};

struct FreeSceneReport {
  int steps = 0;           // that were judged
  int touching_steps = 0;  // in which something pushed
  int halvings = 0, cut_steps = 0, unconverged = 0;
  WorstFigure momentum, angular_momentum;  // relative
  WorstFigure energy;                      // growth in a step over the energy at the start
  WorstFigure intersecting_pairs;          // of triangles
  std::string aborted;                     // why a step could not be computed; empty: all were

  // In one line, empty where all was kept to the tolerance (relative).
  std::string failure(double tolerance = 1e-9) const;
};

// Runs the scene to its end, or to the first step that cannot be computed.
FreeSceneReport judge_free_scene(const SceneDescription& scene);

}  // namespace tact
