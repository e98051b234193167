#include <tact/files/json_reader.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

using nlohmann::json;

std::string describe(const json& value)
{
  switch (value.type()) {
    case json::value_t::object: return "an object";
    case json::value_t::array: return fmt::format("an array of {}", value.size());
    case json::value_t::string: return excerpt(value.get_ref<const std::string&>());
    default: return value.dump();
  }
}

[[noreturn]] void complain(const std::filesystem::path& file, std::string_view place,
                           std::string_view found, std::string_view expected)
{
  throw Error(fmt::format("{}: {}: found {}, expected {}", file.string(), place, found, expected));
}

// Walks through a document and throws at the first key that its object already has. Stops quietly
// where the text is no JSON. (The parser can call back while it builds the document, but then looks
// through each list again after every element of it.)
class DuplicateKeys final : public nlohmann::json_sax<json> {
 public:
  explicit DuplicateKeys(const std::filesystem::path& file) : file_(file) {}

  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool null() override { return pass(); }
  bool boolean(bool) override { return pass(); }
  bool number_integer(number_integer_t) override { return pass(); }
  bool number_unsigned(number_unsigned_t) override { return pass(); }
  bool number_float(number_float_t, const string_t&) override { return pass(); }
  bool string(string_t&) override { return pass(); }
  bool binary(binary_t&) override { return pass(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override
  {
    return false;
  }

  bool key(string_t& key) override
  {
    Container& object = open_.back();
    object.key = key;
    if (object.keys.insert(key).second) return true;
    std::string pointer;
    for (const Container& c : open_)
      pointer = child_pointer(pointer, c.is_array ? std::to_string(c.index) : c.key);
    complain(file_, pointer, "this key a second time", "it once");
  }

 private:
  struct Container {
    bool is_array;
    std::set<std::string> keys;
    std::string key;
    int index = 0;
  };

  bool open(bool is_array)
  {
    open_.push_back({.is_array = is_array, .keys = {}, .key = {}});
    return true;
  }

  bool close()
  {
    open_.pop_back();
    return pass();
  }

  bool pass()
  {
    if (!open_.empty()) ++open_.back().index;
    return true;
  }

  const std::filesystem::path& file_;
  std::vector<Container> open_;
};

std::string line_and_column(std::string_view text, std::size_t byte)
{
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", 1 + std::count(before.begin(), before.end(), '\n'),
                     1 + before.size() - line_start);
}

// The parser tells the byte at which it gave up; people look for the word around it.
[[noreturn]] void complain_of_syntax(const std::filesystem::path& file, std::string_view text,
                                     std::size_t byte)
{
  constexpr std::string_view between_words = " \t\r\n{}[],:\"";
  const std::size_t last = byte ? byte - 1 : 0;  // bytes are counted from 1
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    complain(file, "line 1, column 1", "an empty file", "a JSON object");
  if (last >= text.size())
    complain(file, line_and_column(text, last), "the end of the file", "the rest of the JSON text");
  const bool inside_word = between_words.find(text[last]) == std::string_view::npos;
  const std::size_t start =
      inside_word ? text.find_last_of(between_words, last) + 1 : last;  // npos + 1 is 0
  const std::string_view rest = text.substr(start);
  const std::string found = excerpt(rest.substr(0, rest.find_first_of("\r\n")));
  complain(file, line_and_column(text, start), found == "\"\"" ? "the end of the line" : found,
           "valid JSON");
}

}  // namespace

std::string child_pointer(const std::string& pointer, std::string_view key)
{
  std::string path = pointer + '/';
  for (const char c : key) {  // RFC 6901: ~ and / are written ~0 and ~1
    if (c == '~')
      path += "~0";
    else if (c == '/')
      path += "~1";
    else
      path += c;
  }
  return path;
}

json parse_json(const std::filesystem::path& file, const std::string& text, Comments comments)
{
  const bool comments_pass = comments == Comments::accepted;
  DuplicateKeys duplicates(file);
  json::sax_parse(text, &duplicates, json::input_format_t::json, true, comments_pass);
  try {
    return json::parse(text, nullptr, true, comments_pass);
  } catch (const json::parse_error& error) {
    complain_of_syntax(file, text, error.byte);
  } catch (const json::out_of_range& error) {    // a number such as 1e999
    const std::string_view what = error.what();  // "... number overflow parsing '1e999'"
    const std::size_t quote = what.find('\'') + 1;
    const std::string_view number = what.substr(quote, what.rfind('\'') - quote);
    complain(file, line_and_column(text, text.find(number)), excerpt(number),
             "a number within the range of double precision");
  }
}

JsonValue::JsonValue(const std::filesystem::path& file, std::string pointer, const json& value)
    : file_(&file), pointer_(std::move(pointer)), value_(&value)
{
}

void JsonValue::reject(std::string_view expected) const
{
  reject(describe(*value_), expected);
}

void JsonValue::reject(std::string_view found, std::string_view expected) const
{
  complain(*file_, pointer_.empty() ? "top level" : pointer_, found, expected);
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const
{
  if (!value_->is_object()) reject("an object");
  const auto it = value_->find(key);
  if (it == value_->end()) return std::nullopt;
  return JsonValue(*file_, child_pointer(pointer_, key), *it);
}

JsonValue JsonValue::member(std::string_view key, std::string_view expected) const
{
  if (const auto found = find(key)) return *found;
  complain(*file_, child_pointer(pointer_, key), "nothing", expected);
}

void JsonValue::allow_only(std::initializer_list<std::string_view> keys) const
{
  if (!value_->is_object()) reject("an object");
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    complain(*file_, child_pointer(pointer_, key), "an unknown key",
             fmt::format("one of {}{}", fmt::join(known, ", "), did_you_mean(key, known)));
  }
}

int JsonValue::array_size() const
{
  constexpr std::size_t most = std::numeric_limits<int>::max();
  if (!value_->is_array() || value_->size() > most) reject("an array");
  return static_cast<int>(value_->size());
}

void JsonValue::require_array(int size) const
{
  if (!value_->is_array() || static_cast<int>(value_->size()) != size)
    reject(fmt::format("an array of {}", size));
}

JsonValue JsonValue::at(int index) const
{
  return {*file_, child_pointer(pointer_, std::to_string(index)),
          (*value_)[static_cast<std::size_t>(index)]};
}

bool JsonValue::is_null() const
{
  return value_->is_null();
}

double JsonValue::number() const
{
  if (!value_->is_number()) reject("a number");
  return value_->get<double>();
}

double JsonValue::number_at_least(double low) const
{
  if (!value_->is_number() || number() < low) reject(fmt::format("a number >= {}", low));
  return number();
}

double JsonValue::number_in(double low, double high) const
{
  const bool inside = value_->is_number() && number() >= low && number() <= high;
  if (!inside) reject(fmt::format("a number from {} to {}", low, high));
  return number();
}

int JsonValue::integer_in(int low, int high) const
{
  const bool inside = value_->is_number_integer() && number() >= low && number() <= high;
  if (!inside) reject(fmt::format("an integer from {} to {}", low, high));
  return value_->get<int>();
}

std::string JsonValue::text() const
{
  if (!value_->is_string()) reject("a text");
  return value_->get<std::string>();
}

std::string JsonValue::one_of(std::initializer_list<std::string_view> names) const
{
  const std::vector<std::string> known(names.begin(), names.end());
  const std::string given = value_->is_string() ? text() : "";
  if (std::find(known.begin(), known.end(), given) != known.end()) return given;
  reject(fmt::format("{}{}{}", known.size() > 1 ? "one of " : "", fmt::join(known, ", "),
                     did_you_mean(given, known)));
}

// The elements are read without a JsonValue each: a pointer is made up only for a complaint.
VectorXd JsonValue::vector(int size) const
{
  require_array(size);
  VectorXd numbers(size);
  int i = 0;
  for (const json& element : *value_) {
    if (!element.is_number()) at(i).reject("a number");
    numbers[i++] = element.get<double>();
  }
  return numbers;
}

MatrixXd JsonValue::matrix(int rows, int columns) const
{
  if (!value_->is_array() || static_cast<int>(value_->size()) != rows)
    reject(fmt::format("an array of {} rows", rows));
  MatrixXd numbers(rows, columns);
  for (int i = 0; i < rows; ++i) numbers.row(i) = at(i).vector(columns).transpose();
  return numbers;
}

JsonFile::JsonFile(std::filesystem::path file)
    : file_(std::move(file)), json_(std::make_unique<json>(parse_json(file_, read_text(file_))))
{
  if (!json_->is_object()) root().reject("a JSON object");
}

JsonFile::~JsonFile() = default;

JsonValue JsonFile::root() const
{
  return {file_, "", *json_};
}

}  // namespace tact
