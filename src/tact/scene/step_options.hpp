// What a scene asks of the stepper.
#pragma once

#include <span>
#include <string_view>

#include <tact/scene/scene_description.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// The solvers that settings may name.
[[nodiscard]] std::span<const std::string_view> stepping_solvers();

// Throws Error where the solver that the settings name does not step, and tells those that do.
[[nodiscard]] StepOptions step_options(const RunOptions& run);
// The same of contact alone; steps are implicit.
[[nodiscard]] StepOptions step_options(const ContactSettings& settings);

}  // namespace tact
