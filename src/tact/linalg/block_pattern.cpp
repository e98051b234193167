#include <tact/linalg/block_pattern.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/core/error.hpp>

namespace tact {

namespace {

void validate(int rows, std::span<const std::array<int, 2>> couples)
{
  if (rows < 0) throw Error(fmt::format("BlockPattern: found {} rows, expected 0 or more", rows));
  for (std::size_t k = 0; k < couples.size(); ++k) {
    for (const int row : couples[k]) {
      if (row >= 0 && row < rows) continue;
      throw Error(
          fmt::format("BlockPattern: couple {} names row {}, expected 0 to {}", k, row, rows - 1));
    }
  }
}

}  // namespace

BlockPattern::BlockPattern(int rows, std::span<const std::array<int, 2>> couples)
{
  validate(rows, couples);
  std::vector<int> first(rows + 1, 0);  // of a row, in `all`, which has repetitions
  for (int row = 0; row < rows; ++row) ++first[row + 1];
  for (const auto& [a, b] : couples) ++first[a + 1], ++first[b + 1];
  for (int row = 0; row < rows; ++row) first[row + 1] += first[row];
  std::vector<int> all(first.back()), next(first.begin(), first.end() - 1);
  for (int row = 0; row < rows; ++row) all[next[row]++] = row;
  for (const auto& [a, b] : couples) {
    all[next[a]++] = b;
    all[next[b]++] = a;
  }
  first_slot_.reserve(rows + 1);
  diagonal_slot_.reserve(rows);
  columns_.reserve(all.size());
  for (int row = 0; row < rows; ++row) {
    const auto begin = all.begin() + first[row], end = all.begin() + first[row + 1];
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    const auto diagonal = std::lower_bound(begin, last, row);
    diagonal_slot_.push_back(first_slot_.back() + static_cast<int>(diagonal - begin));
    columns_.insert(columns_.end(), begin, last);
    first_slot_.push_back(static_cast<int>(columns_.size()));
  }
}

int BlockPattern::slot(int row, int column) const
{
  const std::span<const int> all = columns(row);
  const auto found = std::lower_bound(all.begin(), all.end(), column);
  if (found == all.end() || *found != column) return -1;
  return first_slot_[row] + static_cast<int>(found - all.begin());
}

}  // namespace tact
