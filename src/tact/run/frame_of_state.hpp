// From the simulator's world and state to the plain data of a recording.
#pragma once

#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/residuals.hpp>
#include <tact/recording/recording.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// Bodies in the order of the world. Scene, version and the like are left for the caller to fill.
RecordingHeader header_of(const World& world);

// Vertices, q and v of a state; v in the order of the bodies, which need not be that of the nodes.
Frame frame_of(const World& world, const State& state);

// The same with the contacts, the balance of momentum and the certificate of the step that led
// there. Keeps its memory from frame to frame.
class FrameRecorder {
 public:
  // The header must be that of the world, with all that momentum needs, and outlive this.
  FrameRecorder(const World& world, const RecordingHeader& header, FrictionLaw law);

  // `state` is what the stepper's last step ended in.
  Frame frame(const State& state, const Stepper& stepper, const StepReport& report);

 private:
  void add_contacts(const Stepper& stepper, Frame& frame) const;
  void add_momentum(const Stepper& stepper, Frame& frame);
  void certify(const Stepper& stepper, const StepReport& report, Frame& frame);

  const World* world_;
  const RecordingHeader* header_;
  FrictionLaw law_;
  DiagonalBlocks diagonal_;
  ResidualMeter meter_;
  VectorXd unbalanced_;  // N s: b - A v
  VectorXd impulse_;     // N s: J' lambda
};

}  // namespace tact
