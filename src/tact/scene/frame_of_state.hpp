// From the simulator's world and state to the plain data of a recording.
#pragma once

#include <tact/recording/recording.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// Bodies in the order of the world. Scene, version and the like are left for the caller to fill.
RecordingHeader header_of(const World& world);

// Vertices, q and v of a state; v in the order of the bodies, which need not be that of the nodes.
Frame frame_of(const World& world, const State& state);

// The same with the contacts and the certificate of the step that led there.
Frame frame_of(const World& world, const State& state, const Stepper& stepper,
               const StepReport& report);

}  // namespace tact
