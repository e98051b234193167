#include <tact/scene/scene_file.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/scene_document.hpp>
#include <tact/scene/scene_patch.hpp>

namespace tact {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json as_json(const std::vector<SceneItem>& items)
{
  json list = json::array();
  for (const SceneItem& item : items) list.push_back(item.value);
  return list;
}

SceneDescription read_own(const fs::path& file, const json& root)
{
  const SceneDocument document = read_document(file, root);
  SceneDescription scene;
  scene.name = file.stem().string();
  add_bodies(document, scene);
  apply_settings({document.file, "", document.settings}, scene);
  add_links(document, scene);
  add_joints(document, scene);
  json resolved = settings_of(scene);
  resolved["bodies"] = as_json(document.bodies);
  resolved["springs"] = as_json(document.springs);
  resolved["pins"] = as_json(document.pins);
  resolved["joints"] = as_json(document.joints);
  resolved["friction"] = as_json(document.friction);
  scene.resolved = resolved.dump();
  return scene;
}

// A parameter of another scene is worth a word: it is no slip of the pen.
void refuse_foreign_parameters(const JsonValue& root, const BuiltInScene& scene)
{
  for (const auto& [key, value] : root.value().items()) {
    if (scene.table.find(key)) continue;
    for (const BuiltInScene& other : built_in_scenes())
      if (other.table.find(key))
        root.find(key)->reject(fmt::format("a parameter of the scene {}", other.name),
                               fmt::format("one of {}", parameter_names(scene)));
  }
}

SceneDescription make_built_in(const BuiltInScene& built_in, const JsonValue& parameters)
{
  try {
    return built_in.make(parameters);
  } catch (const Error& error) {  // parameters that do not go together
    throw Error(fmt::format("{}: {}", parameters.file().string(), error.what()));
  }
}

SceneDescription read_built_in(const fs::path& file, const json& root)
{
  const JsonValue view(file, "", root);
  const BuiltInScene& built_in = find_built_in_scene(*view.find("scene"));
  refuse_foreign_parameters(view, built_in);
  check_object(view, built_in.table);
  json parameters = root;
  complete(parameters, built_in.table, file.parent_path());
  SceneDescription scene = make_built_in(built_in, {file, "", parameters});
  scene.name = file.stem().string();
  for (BodyDescription& body : scene.bodies)
    body.place = {file.string(), fmt::format("body \"{}\"", body.name)};
  apply_settings(view, scene);
  json resolved = settings_of(scene);
  for (const Key& key : built_in.parameters) resolved[key.name] = parameters[key.name];
  resolved["scene"] = built_in.name;
  scene.resolved = resolved.dump();
  return scene;
}

SceneDescription read_root(const fs::path& file, json root, const std::vector<std::string>& patches)
{
  if (!root.is_object()) JsonValue(file, "", root).reject("a JSON object");
  for (const std::string& patch : patches) apply_patch(root, patch);
  return root.is_object() && root.contains("scene") ? read_built_in(file, root)
                                                    : read_own(file, root);
}

bool is_built_in(const std::string& name)
{
  const auto& known = built_in_scenes();
  return std::any_of(known.begin(), known.end(),
                     [&](const BuiltInScene& scene) { return scene.name == name; });
}

[[noreturn]] void reject_name(const std::string& name)
{
  std::vector<std::string> names;
  for (const BuiltInScene& scene : built_in_scenes()) names.push_back(scene.name);
  throw Error(
      fmt::format("found the scene {}, expected a built-in one (`tact list scenes`) or a "
                  "file{}",
                  excerpt(name), did_you_mean(name, names)));
}

}  // namespace

SceneDescription read_scene(const std::string& scene, const std::vector<std::string>& patches)
{
  if (is_built_in(scene)) return read_root(scene, {{"scene", scene}}, patches);
  const bool looks_like_a_file = scene.find('/') != scene.npos || scene.ends_with(".json");
  if (!looks_like_a_file && !fs::exists(scene)) reject_name(scene);
  return read_scene_text(scene, read_text(scene), patches);
}

SceneDescription read_scene_text(const fs::path& file, const std::string& text,
                                 const std::vector<std::string>& patches)
{
  return read_root(file, parse_json(file, text, Comments::accepted), patches);
}

bool is_scene(const std::string& scene)
{
  if (is_built_in(scene)) return true;
  std::error_code error;
  if (!fs::is_regular_file(scene, error)) return false;
  const std::string text = read_text(scene);
  const json root = json::parse(text, nullptr, false, true);  // no exceptions, comments accepted
  const auto any_key = [](const auto& has) {
    return !has("kind") && (has("bodies") || has("scene") || has("include"));
  };
  if (root.is_object()) return any_key([&](const char* key) { return root.contains(key); });
  return any_key(
      [&](const char* key) { return text.find(fmt::format("\"{}\"", key)) != text.npos; });
}

}  // namespace tact
