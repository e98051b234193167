// The checks and the defaults of scene_keys.hpp.
#include <algorithm>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_keys.hpp>

namespace tact {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

void check_value(const JsonValue& value, const Key& key);

[[noreturn]] void reject_key(const JsonValue& object, const std::string& key, const KeyTable& table)
{
  std::vector<std::string> known;
  for (const Key& row : table.keys) known.push_back(row.name);
  const std::string nearest = did_you_mean(key, known);
  const JsonValue value = *object.find(key);
  value.reject("an unknown key",
               nearest.empty() ? fmt::format("a key of {}: {}", table.title, fmt::join(known, ", "))
                               : fmt::format("a key of {}{}", table.title, nearest));
}

void check_group(const JsonValue& object, const KeyGroup& group)
{
  std::vector<std::string> present;
  for (const std::string& name : group.names)
    if (object.value().contains(name)) present.push_back(name);
  if (present.size() == 1 || (present.empty() && !group.required)) return;
  object.reject(present.empty() ? "none of them" : fmt::format("{}", fmt::join(present, " and ")),
                fmt::format("{} of {}", group.required ? "exactly one" : "at most one",
                            fmt::join(group.names, ", ")));
}

void check_choice(const JsonValue& value, const Key& key)
{
  const json& given = value.value();
  const std::string name = given.is_string() ? given.get<std::string>() : "";
  if (std::find(key.choices.begin(), key.choices.end(), name) != key.choices.end()) return;
  value.reject(expected_words(key) + did_you_mean(name, key.choices));
}

void check_vector(const JsonValue& value, const Key& key)
{
  const json& given = value.value();
  if (!given.is_array() || given.size() != static_cast<std::size_t>(key.size))
    value.reject(expected_words(key));
  Key component = number_key("", key.unit, key.range, nullptr, "");
  if (key.whole) component.kind = ValueKind::integer;
  for (int i = 0; i < key.size; ++i) check_value(value.at(i), component);
}

void check_variant(const JsonValue& value, const Key& key)
{
  std::vector<std::string> types;
  for (const KeyTable& table : key.tables) types.push_back(table.name);
  const Key type_key = choice_key("type", types, nullptr, "");
  if (!value.value().is_object()) value.reject("an object");
  const JsonValue type = value.member("type", expected_words(type_key));
  check_choice(type, type_key);
  for (const KeyTable& table : key.tables)
    if (table.name == type.value()) check_object(value, table);
}

void check_compound(const JsonValue& value, const Key& key)
{
  const KeyTable& table = key.tables.front();
  if (value.value().is_object()) return check_object(value, table);
  if (table.shorthand.empty()) value.reject("an object");
  check_value(value, *table.find(table.shorthand));
}

void check_list(const JsonValue& value, const Key& key)
{
  const int count = value.array_size();
  for (int i = 0; i < count; ++i) check_value(value.at(i), key.element.front());
}

void check_text(const JsonValue& value)
{
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  const std::string text = value.text();
  if (text.empty()) value.reject("a text that is not empty");
  if (text.size() > 4096) value.reject("a text of at most 4096 bytes");
  if (std::any_of(text.begin(), text.end(), control))
    value.reject("a text without control characters");
}

// The limits that every number has are told only where they were broken; those of integers always
// are.
std::string broken_limit(const json& given, const Key& key)
{
  if (!given.is_number() || key.kind == ValueKind::integer) return "";
  const Range& range = key.range;
  const auto x = given.get<double>();
  if (range.too_small(x)) return fmt::format(", not below {}", range.least);
  if (x > range.high && range.high >= any_number.high)
    return fmt::format(", at most {}", range.high);
  if (x < range.low && range.low <= any_number.low) return fmt::format(", at least {}", range.low);
  return "";
}

void check_value(const JsonValue& value, const Key& key)
{
  const json& given = value.value();
  bool good = true;
  switch (key.kind) {
    case ValueKind::number: good = given.is_number() && key.range.contains(value.number()); break;
    case ValueKind::integer:
      good = given.is_number_integer() && key.range.contains(value.number());
      break;
    case ValueKind::boolean: good = given.is_boolean(); break;
    case ValueKind::text: return check_text(value);
    case ValueKind::choice: return check_choice(value, key);
    case ValueKind::vector: return check_vector(value, key);
    case ValueKind::object: return check_compound(value, key);
    case ValueKind::variant: return check_variant(value, key);
    case ValueKind::list: return check_list(value, key);
  }
  if (good) return;
  value.reject(expected_words(key) + broken_limit(given, key));
}

void complete_value(json& value, const Key& key, const fs::path& folder)
{
  switch (key.kind) {
    case ValueKind::object: {
      const KeyTable& table = key.tables.front();
      if (!value.is_object()) value = json{{table.shorthand, std::move(value)}};
      return complete(value, table, folder);
    }
    case ValueKind::variant:
      for (const KeyTable& table : key.tables)
        if (table.name == value["type"]) complete(value, table, folder);
      return;
    case ValueKind::list:
      for (json& element : value) complete_value(element, key.element.front(), folder);
      return;
    case ValueKind::text:
      if (key.path)
        value = fs::absolute(folder / value.get<std::string>()).lexically_normal().string();
      return;
    default: return;
  }
}

// A default gives way to another key of its group: "mass" to the default of "density".
bool replaced(const json& object, const Key& key, const KeyTable& table)
{
  for (const KeyGroup& group : table.groups) {
    if (std::find(group.names.begin(), group.names.end(), key.name) == group.names.end()) continue;
    for (const std::string& name : group.names)
      if (object.contains(name)) return true;
  }
  return false;
}

}  // namespace

void check_object(const JsonValue& object, const KeyTable& table)
{
  if (!object.value().is_object()) object.reject("an object");
  for (const auto& [name, value] : object.value().items()) {
    const Key* key = table.find(name);
    if (!key) reject_key(object, name, table);
    check_value(*object.find(name), *key);
  }
  for (const Key& key : table.keys)
    if (key.required) object.member(key.name, expected_words(key));
  for (const KeyGroup& group : table.groups) check_group(object, group);
  for (const auto& [name, needs] : table.needs)
    if (object.find(name))
      object.member(
          needs, fmt::format("{}, as \"{}\" is there", expected_words(*table.find(needs)), name));
}

void complete(json& object, const KeyTable& table, const fs::path& folder)
{
  for (const Key& key : table.keys) {
    const auto it = object.find(key.name);
    if (it != object.end())
      complete_value(*it, key, folder);
    else if (!key.fallback.is_null() && !replaced(object, key, table))
      object[key.name] = key.fallback;
  }
}

}  // namespace tact
