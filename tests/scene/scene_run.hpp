// Runs of scenes as `tact run` makes them.
#pragma once

#include <tact/run/run.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

namespace tact {

inline RunSettings run_settings(const Scene& scene, const std::filesystem::path& folder)
{
  RunSettings settings;
  settings.folder = folder;
  settings.scene = scene.name;
  settings.scene_json = scene.resolved_json;
  settings.identity = scene.resolved_json;
  settings.dt = scene.run.dt;
  settings.steps = scene.run.steps();
  settings.forces = scene.run.record.forces;
  settings.step = step_options(scene.run);
  return settings;
}

}  // namespace tact
