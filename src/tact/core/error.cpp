#include <tact/core/error.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include <tact/core/printable.hpp>

namespace tact {
namespace {

// Levenshtein distance with neighbours that change places: insertions, deletions, replacements and
// such swaps that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
  std::vector<std::size_t> before, last, row(b.size() + 1);  // of one and two letters less of a
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

Error::Error(std::string_view message) : std::runtime_error(printable(message))
{
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known)
{
  // What lies farther is no slip: of three letters, two others make another word.
  std::size_t best = (name.size() <= 3 ? 1 : std::max<std::size_t>(2, name.size() / 3)) + 1;
  std::string nearest;
  for (const std::string& candidate : known) {
    const bool prefix = name.size() >= 3 && candidate.starts_with(name);
    const std::size_t distance = prefix ? 0 : edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
}

}  // namespace tact
