// What a scene file and its includes say, checked key by key against the tables: the step between
// the text and the description.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tact/files/json_reader.hpp>
#include <tact/setup/scene_description.hpp>

namespace tact {

// A body, spring, pin, joint or friction pair: complete, and with the place where it was found.
struct SceneItem {
  std::filesystem::path file;
  std::string pointer;
  nlohmann::json value;

  JsonValue view() const { return {file, pointer, value}; }
};

struct SceneDocument {         // NOLINT(bugprone-exception-escape): as with Key
  std::filesystem::path file;  // the one that includes the others
  nlohmann::json settings;     // complete: all settings_keys() that have a default are there
  std::vector<SceneItem> bodies, springs, pins, joints, friction;
};

inline Place place_of(const JsonValue& value)
{
  return {value.file().string(), value.pointer()};
}

inline Vector3d vector3(const JsonValue& value)
{
  return value.vector(3);
}

// `root` is the text of `file` as JSON, patched already. Follows its includes.
SceneDocument read_document(const std::filesystem::path& file, const nlohmann::json& root);

// Puts the settings that are there into the description; what is absent stays. Bodies that settings
// name must be in it already.
void apply_settings(const JsonValue& settings, SceneDescription& scene);

// All settings of a description, as apply_settings reads them.
nlohmann::json settings_of(const SceneDescription& scene);

// The bodies of a document, with meshes loaded and made. One item may stand for several bodies.
void add_bodies(const SceneDocument& document, SceneDescription& scene);

// Springs, pins and friction, by the names of bodies that are there.
void add_links(const SceneDocument& document, SceneDescription& scene);
void add_joints(const SceneDocument& document, SceneDescription& scene);

}  // namespace tact
