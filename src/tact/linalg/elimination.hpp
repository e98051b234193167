// How a block matrix is eliminated: everything about A = L L' that the pattern decides alone.
//
// Nodes are renumbered by `order`. A supernode is a run of columns of L that share one structure;
// its panel is dense: `width` block columns, and as rows first these columns themselves, then the
// rows below, ascending. A column of numbers in a panel holds four numbers for each block row,
// three and a zero: one SIMD register a block, or half of one. A panel ends with four zeros more,
// since block rows may be read two at a time. Panels follow each other in one array:
//
//   entry (3 r + i, 3 c + j) of a panel = values[4 (panel + (3 c + j) height + r) + i]
//
// The diagonal blocks hold the inverse of their triangle once they are factored; what stands above
// the diagonal is never read.
//
// Supernodes that need much work are dealt out to tasks, connected parts of the tree of supernodes,
// which can be worked on at the same time when neither is above the other. What a supernode sends
// to one of its own task is sent at once; what is meant for a task above waits until that task,
// whose children are finished then, fetches it, in the order of supernodes. So no two tasks write
// to one place, and sums have the same order for any number of threads.
#pragma once

#include <span>
#include <vector>

#include <tact/linalg/block_pattern.hpp>

namespace tact {

struct Supernode {
  int first_column = 0;  // of L, in blocks
  int width = 0;         // in blocks, at most max_supernode_width
  int height = 0;        // width + rows below
  int own_height = 0;    // width + rows below that its own task has; they come first
  int first_row = 0;     // of the rows below, in Elimination::rows
  int panel = 0;         // where its values begin, in groups of four numbers
  int first_place = 0;   // in Elimination::places; those of the next supernode end them
  // In Elimination::updates, those to the own task first; those of the next supernode end them.
  int first_update = 0, first_deferred = 0;
  int first_fetch = 0;  // in Elimination::fetches; those of the next supernode end them
};

// The rows below of a supernode that are columns of one other supernode, its target. Finishing a
// panel changes these columns of the target, in all rows from there on.
struct PanelUpdate {
  int source = 0, target = 0;  // supernodes
  int first_below = 0;         // the first of these rows, among the rows below
  int count = 0;
  // For each row below from first_below on, its row in the target's panel: from here in
  // Elimination::target_rows.
  int first_target_row = 0;
};

// A block of A and the place of its first column in the panels, in groups of four numbers.
struct BlockPlace {
  int slot = 0;
  int place = 0;
};

struct EliminationTask {
  std::vector<int> children;    // tasks
  std::vector<int> supernodes;  // ascending
  std::vector<int> fetching;    // those of the supernodes that have something to fetch
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
  std::vector<int> fetches;            // deferred updates, by target
  std::vector<EliminationTask> tasks;  // the first is above all others
  std::vector<BlockPlace> places;      // of the blocks of A on and below the diagonal of L
  std::vector<int> diagonal_slots;     // column of L -> slot of A
  int block_count = 0;                 // of the matrix that is eliminated
  int factor_block_count = 0;
  double work = 0.0;           // rough time to factor, in products of 3 x 3 blocks
  double parallel_work = 0.0;  // the same with two threads

  int supernode_count() const { return static_cast<int>(supernodes.size()) - 1; }
};

// In an order that takes little time on two threads: of minimum degree, or dissected.
[[nodiscard]] Elimination analyse(const BlockPattern& pattern);
// In the given order, but for changes that leave the fill as it is and for joined supernodes.
[[nodiscard]] Elimination analyse(const BlockPattern& pattern, std::span<const int> order);

}  // namespace tact
