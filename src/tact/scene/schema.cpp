#include <tact/scene/schema.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/scene/built_in_scenes.hpp>
#include <tact/scene/scene_tables.hpp>

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

class SchemaWriter {
 public:
  Json write()
  {
    const KeyTable settings{.name = "settings", .title = "settings", .keys = settings_keys()};
    Json documents = Json::array();
    documents.push_back(reference(scene_file_table()));
    reference(settings);
    for (const BuiltInScene& scene : built_in_scenes()) documents.push_back(built_in(scene));
    return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "tact scene"},
            {"description", "A scene file of tact; comments (//) are accepted. Units are SI."},
            {"anyOf", documents},
            {"$defs", definitions_}};
  }

 private:
  Json reference(const KeyTable& table)
  {
    if (!definitions_.contains(table.name)) {
      definitions_[table.name] = nullptr;  // keeps its place while what it needs is written
      Json schema = object_schema(table);
      definitions_[table.name] = std::move(schema);
    }
    return {{"$ref", "#/$defs/" + table.name}};
  }

  // Built-in scenes take all settings that scene files do.
  Json built_in(const BuiltInScene& scene)
  {
    Json schema = object_schema(scene.table);
    for (const Key& key : settings_keys())
      schema["properties"][key.name] = {{"$ref", "#/$defs/settings/properties/" + key.name}};
    definitions_[scene.name] = std::move(schema);
    return {{"$ref", "#/$defs/" + scene.name}};
  }

  Json object_schema(const KeyTable& table)
  {
    Json schema = {{"type", "object"}, {"description", table.title}};
    schema["properties"] = Json::object();
    Json needed = Json::array();
    for (const Key& key : table.keys) {
      schema["properties"][key.name] = member_schema(key);
      if (key.required) needed.push_back(key.name);
    }
    if (!needed.empty()) schema["required"] = needed;
    for (const KeyGroup& group : table.groups) schema["allOf"].push_back(group_schema(group));
    for (const auto& [name, needs] : table.needs)
      schema["dependentRequired"][name].push_back(needs);
    schema["additionalProperties"] = false;
    return schema;
  }

  Json member_schema(const Key& key)
  {
    Json schema = value_schema(key);
    schema["description"] = key.unit.empty() ? key.doc : fmt::format("{}; {}", key.unit, key.doc);
    if (!key.fallback.is_null()) schema["default"] = key.fallback;
    return schema;
  }

  static Json group_schema(const KeyGroup& group)
  {
    Json one = Json::array();
    for (const std::string& name : group.names) one.push_back({{"required", {name}}});
    if (group.required) return {{"oneOf", one}};
    Json none = {{"not", {{"anyOf", one}}}};
    one.push_back(none);
    return {{"oneOf", one}};
  }

  static void add_range(Json& schema, const Range& range)
  {
    if (range.open_low && range.least > range.low)
      schema["minimum"] = range.least;
    else
      schema[range.open_low ? "exclusiveMinimum" : "minimum"] = range.low;
    schema[range.open_high ? "exclusiveMaximum" : "maximum"] = range.high;
  }

  Json value_schema(const Key& key)
  {
    switch (key.kind) {
      case ValueKind::number:
      case ValueKind::integer: {
        Json schema = {{"type", key.kind == ValueKind::number ? "number" : "integer"}};
        add_range(schema, key.range);
        return schema;
      }
      case ValueKind::boolean: return {{"type", "boolean"}};
      case ValueKind::text: return {{"type", "string"}, {"minLength", 1}};
      case ValueKind::choice: return {{"enum", key.choices}};
      case ValueKind::vector: {
        Json component = {{"type", key.whole ? "integer" : "number"}};
        add_range(component, key.range);
        return {{"type", "array"},
                {"items", component},
                {"minItems", key.size},
                {"maxItems", key.size}};
      }
      case ValueKind::list:
        return {{"type", "array"}, {"items", value_schema(key.element.front())}};
      case ValueKind::variant: {
        Json choices = Json::array();
        for (const KeyTable& table : key.tables) choices.push_back(reference(table));
        return {{"oneOf", choices}};
      }
      case ValueKind::object: break;
    }
    const KeyTable& table = key.tables.front();
    if (table.shorthand.empty()) return reference(table);
    return {{"anyOf", {reference(table), value_schema(*table.find(table.shorthand))}}};
  }

  Json definitions_ = Json::object();
};

// ---- Markdown -----------------------------------------------------------------------------------

std::string default_words(const Key& key)
{
  if (key.required) return "required";
  return key.fallback.is_null() ? "" : fmt::format("`{}`", key.fallback.dump());
}

std::string value_words(const Key& key)
{
  switch (key.kind) {
    case ValueKind::object: {
      const KeyTable& table = key.tables.front();
      if (table.shorthand.empty()) return "an object";
      return fmt::format("an object, or its `{}` alone", table.shorthand);
    }
    case ValueKind::list:
      return key.element.front().kind == ValueKind::text ? "an array of texts" : "an array";
    default: return expected_words(key);
  }
}

std::string markdown_table(const std::vector<Key>& keys)
{
  std::string text = "| key | value | default | |\n|---|---|---|---|\n";
  for (const Key& key : keys)
    text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, value_words(key), default_words(key),
                        key.doc);
  return text;
}

// A heading and a table for each table that is met, those inside of it after it.
void add_tables(const KeyTable& table, std::vector<std::string>& seen, std::string& text)
{
  if (std::find(seen.begin(), seen.end(), table.name) != seen.end()) return;
  seen.push_back(table.name);
  text += fmt::format("### `{}`: {}\n\n{}\n", table.name, table.title, markdown_table(table.keys));
  for (const KeyGroup& group : table.groups)
    text += fmt::format("{} of `{}`.\n\n", group.required ? "Exactly one" : "At most one",
                        fmt::join(group.names, "`, `"));
  for (const auto& [name, needs] : table.needs)
    text += fmt::format("`{}` needs `{}`.\n\n", name, needs);
  for (const Key& key : table.keys) {
    const Key& inner = key.kind == ValueKind::list ? key.element.front() : key;
    for (const KeyTable& next : inner.tables) add_tables(next, seen, text);
  }
}

}  // namespace

std::string scene_schema()
{
  return SchemaWriter().write().dump(1) + '\n';
}

std::string scene_key_tables()
{
  std::string text;
  std::vector<std::string> seen;
  add_tables(scene_file_table(), seen, text);
  return text;
}

std::string built_in_scene_tables()
{
  std::string text;
  for (const BuiltInScene& scene : built_in_scenes())
    text += fmt::format("### `{}`\n\n{}.\n\n{}\n", scene.name, scene.summary,
                        markdown_table(scene.parameters));
  return text;
}

}  // namespace tact
