// The rows of a text of comma-separated values, without quoting: what tables of numbers need.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tact {

class CsvRows {
 public:
  // `name` is what messages call the text; both outlive the rows.
  CsvRows(std::string_view name, std::string_view text) : name_(name), rest_(text) {}

  // Takes the next row apart, without the blanks around its fields. False at the end of the text;
  // blank lines may stand only there. Throws Error where the number of fields is another.
  bool next(std::span<std::string_view> fields);

  // Throws Error: who, in which line, what was found, what was expected.
  [[noreturn]] void reject(const std::string& found, const std::string& expected) const;

 private:
  std::string_view name_;
  std::string_view rest_;
  int line_ = 0;
};

}  // namespace tact
