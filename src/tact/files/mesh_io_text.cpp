#include <tact/files/mesh_io_text.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/text_file.hpp>

namespace tact {
namespace {

constexpr std::string_view mesh_blanks = " \t\r\v\f";

std::string_view trimmed_line(std::string_view text)
{
  const std::size_t first = std::min(text.find_first_not_of(mesh_blanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(mesh_blanks) + 1);
}

// The same number whatever the locale, and only when the whole word is one.
template <class Number>
bool parse_word(std::string_view word, Number& number)
{
  if (word.starts_with('+')) word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, number);
  return error == std::errc() && stop == end;
}

}  // namespace

bool MeshText::any_line()
{
  ended_ = rest_.empty();
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  if (comment_ != '\0') line_ = line_.substr(0, line_.find(comment_));
  line_ = line_words_ = trimmed_line(line_);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  if (!ended_) ++number_;
  return !ended_;
}

bool MeshText::next_line()
{
  while (any_line())
    if (!line_.empty()) return true;
  return false;
}

std::string_view MeshText::word()
{
  const std::size_t end = std::min(line_words_.find_first_of(mesh_blanks), line_words_.size());
  const std::string_view found = line_words_.substr(0, end);
  line_words_.remove_prefix(
      std::min(line_words_.find_first_not_of(mesh_blanks, end), line_words_.size()));
  return found;
}

std::string_view MeshText::word_anywhere()
{
  if (line_words_.empty() && !next_line()) return {};
  return word();
}

double MeshText::finite(std::string_view word) const
{
  double value = 0.0;
  if (!parse_word(word, value) || !std::isfinite(value)) reject(word, "a finite number");
  return value;
}

long MeshText::integer(std::string_view word, long low, long high, std::string_view what) const
{
  long value = 0;
  if (parse_word(word, value) && value >= low && value <= high) return value;
  if (high < low) reject(word, fmt::format("{}, of which there are none yet", what));
  reject(word, fmt::format("{} from {} to {}", what, low, high));
}

void MeshText::reject(std::string_view found, std::string_view expected) const
{
  if (!found.empty()) complain(excerpt(found), expected);
  complain(ended_ ? "the end of the file" : "the end of the line", expected);
}

void MeshText::complain(std::string_view found, std::string_view expected) const
{
  throw Error(fmt::format("{}: line {}: found {}, expected {}", name_, number_, found, expected));
}

}  // namespace tact
