// From the simulator's world and state to the plain data of a recording.
#pragma once

#include <string>

#include <tact/contact/diagonal_blocks.hpp>
#include <tact/recording/recording.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/sim/step_result.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// Bodies in the order of the world. Scene, version and the like are left for the caller to fill.
RecordingHeader header_of(const World& world);

// With all that a scene says; `version` is that of tact.
RecordingHeader header_of(const Scene& scene, std::string version);

// Vertices, q and v of a state; v in the order of the bodies, which need not be that of the nodes.
Frame frame_of(const World& world, const State& state);

// The same with the contacts, the balance of momentum and the certificate of the step that led
// there. Keeps its memory from frame to frame.
class FrameRecorder {
 public:
  // The header must be that of the world, with all that momentum needs, and outlive this.
  FrameRecorder(const World& world, const RecordingHeader& header);

  // `state` is what the step ended in.
  Frame frame(const State& state, const StepResult& step);

 private:
  void add_contacts(const StepResult& step, Frame& frame) const;
  void add_joints(const State& state, const StepResult& step, Frame& frame) const;
  [[nodiscard]] std::vector<double> judged_masses() const;
  void add_momentum(const StepResult& step, Frame& frame);
  static void certify(const StepResult& step, Frame& frame);

  const World* world_;
  const RecordingHeader* header_;
  DiagonalBlocks diagonal_;
  VectorXd unbalanced_;  // N s: b - A v
  VectorXd impulse_;     // N s: J' lambda
};

}  // namespace tact
