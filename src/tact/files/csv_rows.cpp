#include <tact/files/csv_rows.hpp>

#include <algorithm>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text)
{
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// Cuts `rest` after the first `separator` and returns what stood before it.
std::string_view take(std::string_view& rest, char separator)
{
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

}  // namespace

bool CsvRows::next(std::span<std::string_view> fields)
{
  if (rest_.find_first_not_of(" \t\r\n") == std::string_view::npos) return false;
  std::string_view row = trimmed(take(rest_, '\n'));
  ++line_;
  const auto commas = static_cast<std::size_t>(std::count(row.begin(), row.end(), ','));
  if (row.empty() || commas + 1 != fields.size())
    reject(row.empty() ? "a blank line" : fmt::format("{} columns", commas + 1),
           fmt::format("{} columns", fields.size()));
  for (std::string_view& field : fields) field = trimmed(take(row, ','));
  return true;
}

void CsvRows::reject(const std::string& found, const std::string& expected) const
{
  throw Error(fmt::format("{}: line {}: found {}, expected {}", name_, line_, found, expected));
}

}  // namespace tact
