// An order of elimination for meshes that further couples join, from the orders of the meshes:
// found in a fraction of the time of a new one, and nearly as good where the couples are few or
// short.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/linalg/elimination.hpp>

namespace tact {

struct JoinedMesh {
  const Elimination* elimination = nullptr;  // of the mesh alone
  int first_node = 0;                        // its nodes follow each other
};

// The meshes one after the other, each in its own order, then the nodes `last`. A couple of nodes
// on two branches of a tree, where neither is above the other, would fill the branches up; one of
// them is moved up to where the branches meet, and behind all meshes where they do not. Couples
// with a node of `last`, and those that a mesh has by itself, need not be told. Empty: more than
// `most_moved` nodes would move.
std::vector<int> joined_order(std::span<const JoinedMesh> meshes, std::span<const int> last,
                              std::span<const std::array<int, 2>> couples, int most_moved);

}  // namespace tact
