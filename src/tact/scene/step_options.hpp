// What a scene asks of the stepper.
#pragma once

#include <tact/scene/scene_description.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// Throws Error where the solver that the settings name does not step, and tells those that do.
[[nodiscard]] StepOptions step_options(const RunOptions& run);
// The same of contact alone; steps are implicit.
[[nodiscard]] StepOptions step_options(const ContactSettings& settings);

}  // namespace tact
