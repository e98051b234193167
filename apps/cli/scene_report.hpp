// What `tact check` says of a scene: that it can be run, and how large it is.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <cli/console.hpp>
#include <tact/setup/scene_builder.hpp>

namespace tact::cli {

struct SceneReport {
  std::string scene;  // as it was asked for
  std::string name;
  SceneSize size;
  std::int64_t steps = 0;
  double dt = 0.0;        // s
  double delta = 0.0;     // m
  std::string not_taken;  // what the scene's solver leaves to `auto`, and why
};

// Reads and builds the scene, so that all that `tact run` would refuse is found. Throws Error.
SceneReport report_on_scene(const std::string& scene);

void print(const SceneReport& report, const Console& console);

// {"file", "ok", "kind": "scene", "name", "bodies", "vertices", "triangles", "tetrahedra",
// "freedoms", "steps", "dt", "delta"}, and "not_taken" where the solver leaves something to `auto`
nlohmann::ordered_json to_json(const SceneReport& report);

}  // namespace tact::cli
