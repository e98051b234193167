#include <tact/scene/scene_keys.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace tact {
namespace {

using nlohmann::json;

std::string range_words(const Range& range)
{
  const bool below = range.low > any_number.low, above = range.high < any_number.high;
  if (below && above && !range.open_low && !range.open_high)
    return fmt::format(" from {} to {}", range.low, range.high);
  std::string words;
  if (below) words += fmt::format(" {} {}", range.open_low ? ">" : ">=", range.low);
  if (above)
    words += fmt::format("{} {} {}", below ? " and" : "", range.open_high ? "<" : "<=", range.high);
  return words;
}

Key make_key(std::string name, ValueKind kind, json fallback, std::string doc)
{
  Key key;
  key.name = std::move(name);
  key.kind = kind;
  key.fallback = std::move(fallback);
  key.doc = std::move(doc);
  return key;
}

}  // namespace

const Key* KeyTable::find(std::string_view key) const
{
  const auto it =
      std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
  return it == keys.end() ? nullptr : &*it;
}

Key number_key(std::string name, std::string unit, const Range& range, json fallback,
               std::string doc)
{
  Key key = make_key(std::move(name), ValueKind::number, std::move(fallback), std::move(doc));
  key.unit = std::move(unit);
  key.range = range;
  return key;
}

Key integer_key(std::string name, double low, double high, json fallback, std::string doc)
{
  Key key = make_key(std::move(name), ValueKind::integer, std::move(fallback), std::move(doc));
  key.range = {.low = low, .high = high};
  return key;
}

Key boolean_key(std::string name, bool fallback, std::string doc)
{
  return make_key(std::move(name), ValueKind::boolean, fallback, std::move(doc));
}

Key text_key(std::string name, json fallback, std::string doc)
{
  return make_key(std::move(name), ValueKind::text, std::move(fallback), std::move(doc));
}

Key path_key(std::string name, std::string doc)
{
  Key key = text_key(std::move(name), nullptr, std::move(doc));
  key.path = true;
  return key;
}

Key choice_key(std::string name, std::vector<std::string> choices, json fallback, std::string doc)
{
  Key key = make_key(std::move(name), ValueKind::choice, std::move(fallback), std::move(doc));
  key.choices = std::move(choices);
  return key;
}

Key vector_key(std::string name, int size, std::string unit, const Range& range, json fallback,
               std::string doc)
{
  Key key = make_key(std::move(name), ValueKind::vector, std::move(fallback), std::move(doc));
  key.size = size;
  key.unit = std::move(unit);
  key.range = range;
  return key;
}

Key integers_key(std::string name, int size, double low, double high, json fallback,
                 std::string doc)
{
  Key key = vector_key(std::move(name), size, "", {.low = low, .high = high}, std::move(fallback),
                       std::move(doc));
  key.whole = true;
  return key;
}

Key object_key(std::string name, KeyTable table, std::string doc)
{
  Key key = make_key(std::move(name), ValueKind::object, nullptr, std::move(doc));
  key.tables.push_back(std::move(table));
  return key;
}

Key variant_key(std::string name, std::vector<KeyTable> tables, std::string doc)
{
  Key key = make_key(std::move(name), ValueKind::variant, nullptr, std::move(doc));
  key.tables = std::move(tables);
  return key;
}

Key list_key(std::string name, Key element, std::string doc)
{
  Key key = make_key(std::move(name), ValueKind::list, nullptr, std::move(doc));
  key.element.push_back(std::move(element));
  return key;
}

Key required(Key key)
{
  key.required = true;
  return key;
}

std::string expected_words(const Key& key)
{
  const std::string unit = key.unit.empty() ? "" : fmt::format(" ({})", key.unit);
  switch (key.kind) {
    case ValueKind::number: return "a number" + range_words(key.range) + unit;
    case ValueKind::integer:
      return fmt::format("an integer from {:.0f} to {:.0f}", key.range.low, key.range.high);
    case ValueKind::boolean: return "true or false";
    case ValueKind::text: return "a text";
    case ValueKind::choice:
      return (key.choices.size() > 1 ? "one of " : "") +
             fmt::format("{}", fmt::join(key.choices, ", "));
    case ValueKind::vector:
      return fmt::format("an array of {} {}{}{}", key.size, key.whole ? "integers" : "numbers",
                         range_words(key.range), unit);
    case ValueKind::list: return "an array";
    default: return "an object";
  }
}

}  // namespace tact
