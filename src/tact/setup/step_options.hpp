// What a scene asks of the stepper.
#pragma once

#include <string>

#include <tact/setup/scene_builder.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {

// Throws Error for settings that contradict each other.
[[nodiscard]] StepOptions step_options(const RunOptions& run);

// Steps a scene by its own settings: contact, integrator, nonconvex. The scene must outlive it.
[[nodiscard]] Stepper make_stepper(const Scene& scene);
Stepper make_stepper(Scene&&) = delete;

// What the solver that a scene names does not take, and what is in the way, in one sentence: `auto`
// solves that instead. Empty where it takes everything, as far as can be told before the run.
[[nodiscard]] std::string not_taken(const Scene& scene);

}  // namespace tact
