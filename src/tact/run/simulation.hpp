// A scene in the hands of a program: stepped, looked at, changed between steps, copied, put away.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <tact/run/frame_of_state.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

class Simulation {
 public:
  // `version` is that of tact, for what is recorded. Throws Error as make_stepper() does.
  explicit Simulation(std::shared_ptr<const Scene> scene, std::string version = {});

  // Goes on as the other one does, bit for bit. Both share the scene, which does not change.
  Simulation(const Simulation& other);
  Simulation& operator=(const Simulation&) = delete;

  const Scene& scene() const { return *scene_; }
  const std::shared_ptr<const Scene>& shared_scene() const { return scene_; }
  const World& world() const { return scene_->world; }
  const RecordingHeader& header() const { return *header_; }

  // Its vectors stay where they are in memory as long as this lives: others may look at them.
  const State& state() const { return state_; }

  // A step of dt seconds; 0: of the scene's own. Where it cannot be computed (StepError), is
  // stopped or runs out of memory, this stays as it was, but for the contacts of its last step.
  const StepReport& step(double dt = 0.0);
  const StepReport& report() const { return report_; }  // of the last step that was made

  // Of a body, as many as it has: three a node; a rigid body is its centre of mass and its turning
  // (rad/s), in world axes. Throws Error where the number differs or one is not finite.
  void set_velocities(int body, const VectorXd& v);

  void reset();  // to the start of the scene

  // With the contacts of the last step, where one was made since the start, the last load() and
  // what failed. Made when it is asked for, and kept for as long as someone has it.
  std::shared_ptr<const Frame> frame() const;

  // That step with its contact problem. Null where there is none, and in a copy until it steps.
  const StepResult* last() const { return has_last_ ? &stepper_.last() : nullptr; }

  // All that the next steps depend on, beside the scene; what goes on from it has the same bits.
  // Throws Error for bytes that are damaged or of another scene.
  std::string save() const;
  void load(std::string_view bytes);

 private:
  void remember(const State& state, const StepperMemory& memory);

  std::shared_ptr<const Scene> scene_;
  std::shared_ptr<const RecordingHeader> header_;
  Stepper stepper_;
  mutable FrameRecorder recorder_;
  State state_;
  State stepped_;  // what the stepper steps: it exchanges the vectors with its own
  StepReport report_;
  mutable std::shared_ptr<const Frame> frame_;
  bool has_last_ = false;
};

}  // namespace tact
