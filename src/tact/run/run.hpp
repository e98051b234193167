// Simulates into a folder, so that nothing finished is ever lost:
//
//   DIR/recording.h5      frames (recording/recording_writer.hpp)
//   DIR/checkpoint.bin    what a resumed run goes on from (recording/checkpoint.hpp)
//   DIR/report.json       what it cost and how good it is
//   DIR/steps.csv         the same of every step (step_log.hpp)
//   DIR/problems/         contact problems of steps, where they are asked for
//   DIR/pattern.svg       which contacts of the last step see which others, where that is asked for
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <tact/run/run_report.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// Which steps leave their contact problem in DIR/problems/step_000123.json.
struct RecordProblems {
  enum class When { never, all, step, every, unconverged };

  When when = When::never;
  std::int64_t step = 0;  // the one, or that whose multiples are recorded

  bool wants(std::int64_t number, const StepReport& report) const;
};

struct RunSettings {
  std::filesystem::path folder;
  std::string scene;       // its name
  std::string version;     // of tact
  std::string scene_json;  // the scene as it is run
  std::string identity;    // what a resumed run must have in common with the checkpoint
  std::uint64_t seed = 0;
  int threads = 1;
  double dt = 0.0;  // s
  std::int64_t steps = 0;
  int every = 1;                     // records each step whose number this divides
  double checkpoint_seconds = 10.0;  // wall time between checkpoints; 0: after every step
  bool resume = false;               // from the checkpoint in the folder, if there is one
  std::vector<int> forces;           // bodies whose contact forces the report tells
  bool pattern = false;              // draws the patterns of B for the islands of the last step
  RecordProblems problems = {};
  StepOptions step;
};

struct RunProgress {
  std::int64_t step = 0;  // of settings.steps
  double t = 0.0;         // s
  StepReport last;
};

struct RunHooks {
  std::function<void(const RunProgress&)> after_step;  // may be empty
  // Set by a signal handler: the step that is made is given up, those before it stay (core/stop).
  const std::atomic<bool>* stop = nullptr;
};

// Steps from the world's start, or from the checkpoint, to settings.steps. Whatever ends the run,
// the end of the last step is in the checkpoint and report.json is written. A step that cannot be
// computed ends it too: the report tells why, and its contact problem is in
// DIR/failed-problem.json. Throws Error for a checkpoint of another scene, and WriteError when the
// disk fails: what was committed then is still good.
RunReport run(const World& world, const RunSettings& settings, const RunHooks& hooks = {});

}  // namespace tact
