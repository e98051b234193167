// The words of scene files. A row says all there is to say about a key: its name, what its value
// is, unit, range, default, and one line of what it is for. From the rows come the checks and their
// complaints, the defaults, the JSON Schema and the tables of docs/scenes.md: there is no second
// place to keep up to date.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tact/files/json_reader.hpp>

namespace tact {

enum class ValueKind {
  number,
  integer,
  boolean,
  text,
  choice,   // one of some texts
  vector,   // an array of `size` numbers
  object,   // of the keys of the first table
  variant,  // an object of the keys of the table that its member "type" names
  list      // an array, each element as the first of `element` says
};

// Of numbers, of the components of vectors and of integers. The ends keep squares and cubes of what
// is read far from overflow.
struct Range {
  double low = -1e9;
  double high = 1e9;
  bool open_low = false;   // low itself is outside
  bool open_high = false;  // high itself is outside
  double least = 0.0;      // of numbers > 0: what is smaller is a slip, and its powers underflow

  bool contains(double x) const
  {
    const bool above = open_low ? x > low : x >= low, below = open_high ? x < high : x <= high;
    return above && below && !too_small(x);
  }
  bool too_small(double x) const { return x > 0.0 && x < least; }
};

inline constexpr Range any_number{};
inline constexpr Range positive{.low = 0.0, .high = 1e15, .open_low = true, .least = 1e-18};
inline constexpr Range not_negative{.low = 0.0, .high = 1e15};
inline constexpr Range positive_length{
    .low = 0.0, .high = 1e9, .open_low = true, .least = 1e-9};  // m

struct KeyTable;

// The check takes the move of a json for one that throws; its assertion is all that could.
struct Key {  // NOLINT(bugprone-exception-escape)
  std::string name;
  ValueKind kind = ValueKind::number;
  std::string unit;  // "" for none
  Range range;
  int size = 0;                      // components of a vector
  bool whole = false;                // they are integers
  bool path = false;                 // the text names a file or folder
  std::vector<std::string> choices;  // of a choice
  std::vector<KeyTable> tables;      // one of an object, several of a variant
  std::vector<Key> element;          // one, of a list
  nlohmann::json fallback;           // the default; null where a key may just be absent
  bool required = false;
  std::string doc;  // one line, without a full stop
};

// Keys of which an object has one: exactly one, or at most one.
struct KeyGroup {
  std::vector<std::string> names = {};
  bool required = true;
};

// A key that makes no sense without another.
struct KeyNeed {
  std::string name;
  std::string needs;
};

struct KeyTable {
  std::string name;   // what "type" says in a variant, and the name in the schema
  std::string title;  // "a rigid body": what complaints call it
  std::vector<Key> keys = {};
  std::vector<KeyGroup> groups = {};
  std::vector<KeyNeed> needs = {};
  std::string shorthand = {};  // a value that is no object stands for an object with this key alone

  const Key* find(std::string_view key) const;
};

// ---- Making rows --------------------------------------------------------------------------------

Key number_key(std::string name, std::string unit, const Range& range, nlohmann::json fallback,
               std::string doc);
Key integer_key(std::string name, double low, double high, nlohmann::json fallback,
                std::string doc);
Key boolean_key(std::string name, bool fallback, std::string doc);
Key text_key(std::string name, nlohmann::json fallback, std::string doc);
Key path_key(std::string name, std::string doc);  // a file or folder, relative to the scene file
Key choice_key(std::string name, std::vector<std::string> choices, nlohmann::json fallback,
               std::string doc);
Key vector_key(std::string name, int size, std::string unit, const Range& range,
               nlohmann::json fallback, std::string doc);
Key integers_key(std::string name, int size, double low, double high, nlohmann::json fallback,
                 std::string doc);  // a vector of integers
Key object_key(std::string name, KeyTable table, std::string doc);
Key variant_key(std::string name, std::vector<KeyTable> tables, std::string doc);
Key list_key(std::string name, Key element, std::string doc);
Key required(Key key);

// ---- Using them ---------------------------------------------------------------------------------

// What is expected of a value, in words: "a number > 0 (kg)".
std::string expected_words(const Key& key);

// Throws Error at the first thing that is not as the table says: unknown keys (with the nearest
// known one), missing keys, wrong types, numbers out of range.
void check_object(const JsonValue& object, const KeyTable& table);

// Writes shorthands out, fills in the defaults and makes paths absolute, where `folder` is what
// they are relative to. `object` must have passed the check.
void complete(nlohmann::json& object, const KeyTable& table, const std::filesystem::path& folder);

}  // namespace tact
