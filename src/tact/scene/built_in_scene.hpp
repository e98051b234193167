// How a struct of parameters becomes keys of a scene file: one row a member, the default taken from
// the struct itself.
#pragma once

#include <variant>

#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/scene_tables.hpp>

namespace tact {

template <class Options>
struct Parameter {
  std::string name;
  std::variant<double Options::*, int Options::*, bool Options::*, std::string Options::*> member;
  std::string unit;
  Range range;
  std::string doc;
  std::vector<std::string> choices = {};  // of a text; empty: any
};

template <class Options>
Key key_of(const Parameter<Options>& parameter)
{
  const Options defaults;
  const auto fallback =
      std::visit([&](auto member) { return nlohmann::json(defaults.*member); }, parameter.member);
  const auto& [name, member, unit, range, doc, choices] = parameter;
  if (!choices.empty()) return choice_key(name, choices, fallback, doc);
  if (fallback.is_boolean()) return boolean_key(name, fallback == true, doc);
  if (fallback.is_string()) return text_key(name, fallback, doc);
  if (fallback.is_number_integer()) return integer_key(name, range.low, range.high, fallback, doc);
  return number_key(name, unit, range, fallback, doc);
}

// `document` is complete: every parameter is there.
template <class Options>
Options read_parameters(const JsonValue& document,
                        const std::vector<Parameter<Options>>& parameters)
{
  Options options;
  for (const Parameter<Options>& parameter : parameters)
    std::visit([&](auto member) { document.value()[parameter.name].get_to(options.*member); },
               parameter.member);
  if constexpr (requires { options.seed; })
    if (const auto seed = document.find("seed")) seed->value().get_to(options.seed);
  return options;
}

template <class Options>
BuiltInScene built_in_scene(const std::string& name, std::string summary,
                            SceneDescription (*make)(const Options&),
                            std::vector<Parameter<Options>> parameters)
{
  BuiltInScene scene;
  scene.name = name;
  scene.summary = std::move(summary);
  for (const Parameter<Options>& parameter : parameters)
    scene.parameters.push_back(key_of(parameter));
  scene.table.name = name;
  scene.table.title = "the scene " + name;
  scene.table.keys = scene.parameters;
  scene.table.keys.push_back(required(choice_key("scene", {name}, nullptr, "its name")));
  for (Key key : settings_keys()) {
    key.fallback = nullptr;  // the scene has its own
    scene.table.keys.push_back(std::move(key));
  }
  scene.make = [make, parameters = std::move(parameters)](const JsonValue& document) {
    const Options options = read_parameters(document, parameters);
    SceneDescription description = make(options);
    if constexpr (requires { options.seed; }) description.run.seed = options.seed;
    return description;
  };
  return scene;
}

}  // namespace tact
