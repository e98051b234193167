// A scene that is stepped while someone looks at it and changes it. Knows no threads and no pages.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <tact/run/frame_of_state.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// What may be changed between two steps.
struct LiveSettings {
  double dt = 0.005;              // s
  std::string solver = "auto";    // "auto" or a name of `tact list solvers`
  std::optional<double> mu = {};  // of all pairs of bodies; none: as the scene has it
  bool operator==(const LiveSettings&) const = default;
};

// Throws Error unless dt is in (0, 1] s, the solver is known and mu is in [0, 100].
void validate(const LiveSettings& settings);

// A spring between a vertex of a body's surface and a place in the world.
struct Pull {
  int body = 0;
  int vertex = 0;                  // of the body's surface
  Vector3d to = Vector3d::Zero();  // m
};

class LiveSimulation {
 public:
  LiveSimulation(Scene scene, std::string version);

  const Scene& scene() const { return scene_; }
  const RecordingHeader& header() const { return header_; }
  const LiveSettings& settings() const { return settings_; }

  // Throw Error for what cannot be. Contact forces are kept as the start of the next solve.
  void change(const LiveSettings& settings);
  void pull(const std::optional<Pull>& pull);

  // False: the step could not be computed, failure() tells why, and the state is as it was.
  bool step();
  void reset();

  // Of the last step, or of the start.
  const Frame& frame() const { return frame_; }
  const StepReport& report() const { return report_; }
  double step_seconds() const { return step_seconds_; }    // of wall time
  const std::string& failure() const { return failure_; }  // empty: none
  // Null before the first contact, and after a step that failed without one.
  const ContactProblem* problem() const;

  // Writes the contact problem of the last step, or of the one that failed, into the folder and
  // returns its name. Throws Error where there is none.
  std::filesystem::path save_problem(const std::filesystem::path& folder) const;

 private:
  void make_stepper();

  Scene scene_;
  LiveSettings settings_;
  RecordingHeader header_;
  State state_;
  std::unique_ptr<Stepper> stepper_;
  bool outdated_ = false;  // the next step wants another stepper; this one still tells of the last
  std::unique_ptr<FrameRecorder> recorder_;
  std::optional<Pull> pull_;
  Frame frame_;
  StepReport report_;
  double step_seconds_ = 0.0;
  std::string failure_;
  std::shared_ptr<const ContactProblem> failed_problem_;
};

}  // namespace tact
