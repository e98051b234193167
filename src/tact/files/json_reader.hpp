// Reading JSON at the door: every complaint is one line with the file, the place in it (a JSON
// pointer, or line and column where the text is no JSON at all), what was found and what was
// expected:
//   stack.json: /contacts/3/mu: found -0.2, expected a number >= 0
#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <tact/core/types.hpp>

namespace tact {

// A value inside a JsonFile, and where it stands there. Valid as long as its file is.
class JsonValue {
 public:
  JsonValue(const std::filesystem::path& file, std::string pointer, const nlohmann::json& value);

  const std::filesystem::path& file() const { return *file_; }
  const std::string& pointer() const { return pointer_; }
  const nlohmann::json& value() const { return *value_; }

  // Members of an object. `expected` completes the complaint when there is none of that name.
  std::optional<JsonValue> find(std::string_view key) const;
  JsonValue member(std::string_view key, std::string_view expected) const;
  void allow_only(std::initializer_list<std::string_view> keys) const;

  // Elements of an array.
  int array_size() const;
  void require_array(int size) const;
  JsonValue at(int index) const;

  // Plain values, each checked. All numbers are finite: JSON cannot write others.
  bool is_null() const;
  double number() const;
  double number_at_least(double low) const;
  double number_in(double low, double high) const;
  int integer_in(int low, int high) const;
  std::string text() const;
  std::string one_of(std::initializer_list<std::string_view> names) const;
  VectorXd vector(int size) const;               // an array of numbers
  MatrixXd matrix(int rows, int columns) const;  // an array of rows

  // Throws Error: "FILE: POINTER: found (this value), expected (expected)".
  [[noreturn]] void reject(std::string_view expected) const;
  // The same with other words for what was found.
  [[noreturn]] void reject(std::string_view found, std::string_view expected) const;

 private:
  const std::filesystem::path* file_;
  std::string pointer_;  // as of RFC 6901; "" for the whole document
  const nlohmann::json* value_;
};

// The pointer (RFC 6901) to the member `key` of what `pointer` points to.
std::string child_pointer(const std::string& pointer, std::string_view key);

enum class Comments { refused, accepted };  // "// to the end of the line" and "/* between these */"

// Throws Error that names `file` and the line and column of what is no JSON.
nlohmann::json parse_json(const std::filesystem::path& file, const std::string& text,
                          Comments comments = Comments::refused);

// A JSON document in memory. A key that stands twice in one object is an error, not a riddle.
class JsonFile {
 public:
  explicit JsonFile(std::filesystem::path file);
  ~JsonFile();
  JsonFile(const JsonFile&) = delete;
  JsonFile& operator=(const JsonFile&) = delete;

  JsonValue root() const;  // an object

 private:
  std::filesystem::path file_;
  std::unique_ptr<nlohmann::json> json_;
};

}  // namespace tact
