// A block matrix as part of a larger one: its row 0 is row `first_row` there, and so on.
#pragma once

#include <array>
#include <vector>

#include <tact/linalg/block_matrix.hpp>

namespace tact {

// The couples of the smaller pattern, for the constructor of the larger one.
void add_couples(const BlockPattern& pattern, int first_row,
                 std::vector<std::array<int, 2>>& couples);

// Sets the blocks that `from` has; the pattern of `to` may have more.
void place_blocks(const BlockMatrix& from, int first_row, BlockMatrix& to);

}  // namespace tact
