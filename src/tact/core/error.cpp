#include <tact/core/error.hpp>

#include <algorithm>
#include <numeric>

#include <fmt/core.h>

namespace tact {
namespace {

// Levenshtein distance: insertions, deletions and replacements that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b)
{
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known)
{
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;  // farther is no spelling slip
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
