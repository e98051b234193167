// The scenes that tact makes itself, by name. Each is a C++ function from a plain struct of
// parameters to a description; the table here gives them to the command line and to scene files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <tact/scene/scene_keys.hpp>
#include <tact/setup/scene_description.hpp>

namespace tact {

struct BuiltInScene {
  std::string name;
  std::string summary;  // one line
  std::vector<Key> parameters;
  KeyTable table;  // "scene", the parameters and all settings
  std::function<SceneDescription(const JsonValue& document)> make;  // of a complete document
};

const std::vector<BuiltInScene>& built_in_scenes();

// Throws Error, with the nearest name, where there is none of the name that the text is.
const BuiltInScene& find_built_in_scene(const JsonValue& name);

std::string parameter_names(const BuiltInScene& scene);  // "angle, size", or "none"

}  // namespace tact
