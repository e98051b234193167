// What a stepper remembers between steps, in the arrays of a checkpoint.
#pragma once

#include <vector>

#include <tact/recording/checkpoint.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

void append(const StepperMemory& memory, std::vector<NamedArray>& arrays);

// Throws Error where an array is missing.
StepperMemory step_memory(const Checkpoint& checkpoint);

}  // namespace tact
