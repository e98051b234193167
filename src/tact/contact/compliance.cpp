#include <tact/contact/compliance.hpp>

#include <algorithm>

namespace tact {
namespace {

// A contact, and which of its three rows.
struct Column {
  std::span<const RowBlock> blocks;
  int row;
};

// Eight columns of J' or fewer, in the order of elimination.
struct ColumnGroup {
  std::span<const std::span<const RowBlock>> contacts;
  int begin, end;  // columns, three a contact

  Column operator[](int column) const { return {contacts[column / 3], column % 3}; }
};

int first_row(const ColumnGroup& columns, const std::vector<int>& position, int first_node)
{
  int first = static_cast<int>(position.size());
  for (int c = columns.begin / 3; 3 * c < columns.end; ++c) {
    for (const RowBlock& block : columns.contacts[c]) {
      first = std::min(first, position[block.node - first_node]);
    }
  }
  return first;
}

void scatter(const ColumnGroup& columns, const std::vector<int>& position, int first_node,
             double* y)
{
  for (int k = columns.begin; k < columns.end; ++k) {
    const Column column = columns[k];
    for (const RowBlock& block : column.blocks) {
      double* at = y + 24 * position[block.node - first_node] + (k - columns.begin);
      for (int i = 0; i < 3; ++i) at[8 * i] = block.J(column.row, i);
    }
  }
}

}  // namespace

// W is laid out anew when it grows, so its rows keep some room.
void Compliance::reserve(int groups)
{
  if (Y_.size() < groups * depth_) Y_.resize(groups * depth_);
  if (8 * groups <= stride_) return;
  const int stride = 8 * std::max(groups, groups_ + groups_ / 2);
  LaneBuffer W(static_cast<std::size_t>(stride) * stride);
  for (int r = 0; r < slots(); ++r) {
    std::copy_n(row(r), slots(), W.data() + static_cast<std::size_t>(r) * stride);
  }
  W_.swap(W);
  stride_ = stride;
}

void Compliance::append(const BlockCholesky& factor,
                        std::span<const std::span<const RowBlock>> contacts, int first_node)
{
  const std::vector<int>& position = factor.position();
  depth_ = 24 * position.size();
  const int columns = 3 * static_cast<int>(contacts.size());
  const int old_groups = groups_;
  const int groups = old_groups + (columns + 7) / 8;
  reserve(groups);
  first_row_.resize(groups);
  groups_ = groups;
  for (int group = old_groups; group < groups; ++group) {
    const int begin = 8 * (group - old_groups);
    const ColumnGroup eight{contacts, begin, std::min(begin + 8, columns)};
    const int first = first_row(eight, position, first_node);
    first_row_[group] = first;
    double* y = column_group(group);
    std::fill(y, y + depth_, 0.0);  // all of it: supernodes begin before `first`
    scatter(eight, position, first_node, y);
    factor.solve_lower(y, first);
    for (int other = 0; other <= group; ++other) multiply(group, other);
  }
}

// The 8 x 8 block Y_group' Y_other of W and its mirror image. As many columns of the one group at a
// time as there are lanes, so that all sums stay in registers.
void Compliance::multiply(int group, int other)
{
  const int first = std::max(first_row_[group], first_row_[other]);
  const double* a_end = column_group(group) + depth_;
  for (int start = 0; start < 8; start += lane_width) {
    Lanes sum[lane_width][lanes_per_8] = {};
    const double* b = column_group(other) + 24 * first;
    for (const double* a = column_group(group) + 24 * first; a < a_end; a += 8, b += 8) {
      for (int i = 0; i < lane_width; ++i) {
        for (int k = 0; k < lanes_per_8; ++k) sum[i][k] += a[start + i] * as_lanes(b)[k];
      }
    }
    for (int i = 0; i < lane_width; ++i) {
      const std::size_t r = 8 * group + start + i;
      for (int k = 0; k < lanes_per_8; ++k) {
        as_lanes(W_.data() + r * stride_ + 8 * other)[k] = sum[i][k];
        for (int j = 0; j < lane_width; ++j) {
          const std::size_t column = 8 * other + k * lane_width + j;
          W_[column * stride_ + r] = sum[i][k][j];
        }
      }
    }
  }
}

}  // namespace tact
