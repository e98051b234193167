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
  std::vector<std::vector<int>> columns_of(rows);
  for (int row = 0; row < rows; ++row) columns_of[row].push_back(row);
  for (const auto& [a, b] : couples) {
    columns_of[a].push_back(b);
    columns_of[b].push_back(a);
  }
  first_slot_.reserve(rows + 1);
  diagonal_slot_.reserve(rows);
  for (int row = 0; row < rows; ++row) {
    std::vector<int>& columns = columns_of[row];
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const auto diagonal = std::lower_bound(columns.begin(), columns.end(), row);
    diagonal_slot_.push_back(first_slot_.back() + static_cast<int>(diagonal - columns.begin()));
    columns_.insert(columns_.end(), columns.begin(), columns.end());
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
