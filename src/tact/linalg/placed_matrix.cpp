#include <tact/linalg/placed_matrix.hpp>

namespace tact {

void add_couples(const BlockPattern& pattern, int first_row,
                 std::vector<std::array<int, 2>>& couples)
{
  for (int i = 0; i < pattern.rows(); ++i)
    for (const int j : pattern.columns(i))
      if (j > i) couples.push_back({first_row + i, first_row + j});
}

void place_blocks(const BlockMatrix& from, int first_row, BlockMatrix& to)
{
  for (int i = 0; i < from.rows(); ++i) {
    int slot = from.pattern->first_slot(i), to_slot = to.pattern->first_slot(first_row + i);
    auto at = to.pattern->columns(first_row + i).begin();
    for (const int j : from.pattern->columns(i)) {
      while (*at != first_row + j) ++at, ++to_slot;  // blocks that `to` alone has
      to.blocks[to_slot] = from.blocks[slot++];
    }
  }
}

}  // namespace tact
