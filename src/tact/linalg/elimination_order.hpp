// In which order the nodes of a block matrix are eliminated, and what that order leads to.
#pragma once

#include <span>
#include <vector>

#include <tact/linalg/block_pattern.hpp>

namespace tact {

// Approximate minimum degree on the graph of blocks (Amestoy, Davis and Duff 1996): little fill,
// and found in little time.
std::vector<int> minimum_degree_order(const BlockPattern& pattern);

// Nested dissection (METIS; George 1973, Karypis and Kumar 1998): the nodes that part the graph
// come last, and so on in the parts. Less fill than minimum degree on large solids, and parts of
// equal size that can be eliminated at the same time. Takes twice as long to find. The same pattern
// gives the same order.
std::vector<int> dissection_order(const BlockPattern& pattern);

// Of the columns of L, in the order of elimination.
struct EliminationTree {
  std::vector<int> parent;  // the first row below the diagonal, -1 for a root
  std::vector<int> below;   // how many rows below the diagonal are not zero
};

EliminationTree elimination_tree(const BlockPattern& pattern, std::span<const int> order);

// Nodes of a forest so that every subtree is a run that ends with its root. The fill stays the
// same, and columns of equal structure come to stand side by side.
std::vector<int> postorder(std::span<const int> parent);

std::vector<int> inverse_order(std::span<const int> order);

}  // namespace tact
