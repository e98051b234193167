// How a block matrix is eliminated: everything about A = L L' that the pattern decides alone.
//
// Nodes are renumbered by `order`. A supernode is a run of columns of L that share one structure;
// its panel is dense: `width` block columns, and as rows first these columns themselves, then the
// rows below, ascending. A column of numbers in a panel holds four doubles for each block row, three
// and a zero: one SIMD register a block. Panels follow each other in one array of doubles:
//
//   entry (3 r + i, 3 c + j) of a panel = values[4 (panel + (3 c + j) height + r) + i]
//
// The diagonal blocks hold the inverse of their triangle once they are factored; what stands above
// the diagonal is never read.
#pragma once

#include <vector>

#include <tact/linalg/block_pattern.hpp>

namespace tact {

struct Supernode {
  int first_column = 0;  // of L, in blocks
  int width = 0;         // in blocks, at most max_supernode_width
  int height = 0;        // width + rows below
  int first_row = 0;     // of the rows below, in Elimination::rows
  int panel = 0;         // where its values begin, in groups of four doubles
  int first_update = 0;  // in Elimination::updates; those of the next supernode end them
};

// The rows below of a supernode that are columns of one other supernode, its target. Finishing a
// panel changes these columns of the target, in all rows from there on.
struct PanelUpdate {
  int target = 0;       // a supernode
  int first_below = 0;  // the first of these rows, among the rows below
  int count = 0;
  // For each row below from first_below on, its row in the target's panel: from here in
  // Elimination::target_rows.
  int first_target_row = 0;
};

// A block of A and the place of its first column in the panels, in groups of four doubles.
struct BlockPlace {
  int slot = 0;
  int place = 0;
  int height = 0;  // of the panel: the distance of columns
};

inline constexpr int max_supernode_width = 16;  // bounds the arrays that solves keep on the stack

struct Elimination {
  std::vector<int> order;             // order[k]: the node eliminated as k-th
  std::vector<int> position;          // the inverse
  std::vector<Supernode> supernodes;  // and one past the end
  std::vector<int> supernode_of;      // column of L -> supernode
  std::vector<int> rows;              // the rows below, one supernode after the other
  std::vector<PanelUpdate> updates;
  std::vector<int> target_rows;
  std::vector<BlockPlace> places;   // of the blocks of A on and below the diagonal of L
  std::vector<int> diagonal_slots;  // column of L -> slot of A
  int block_count = 0;              // of the matrix that is eliminated
  int factor_block_count = 0;
  double work = 0.0;  // rough time to factor, in products of 3 x 3 blocks

  int supernode_count() const { return static_cast<int>(supernodes.size()) - 1; }
};

[[nodiscard]] Elimination analyse(const BlockPattern& pattern);

}  // namespace tact
