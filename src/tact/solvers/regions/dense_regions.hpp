// W of a region as one dense matrix, for comparison.
//
// [Lazarevych10] forms W = J M^-1 J', eq. (11), "in linear time", and iterates on it by "a method
// of complexity O(n2)", Sec. 5: a step of the iteration costs the square of the contacts of a
// problem. The other way, velocities of nodes, costs their number only. What regions gain depends
// on which it is.
#pragma once

#include <vector>

#include <tact/solvers/nested/nested_island.hpp>

namespace tact {

class DenseRegion {
 public:
  // Forms W of the region and makes its sweeps work on that: its state holds the velocities of its
  // contacts then. After load() and load_blocks(); no component may be nodal.
  void assemble(NestedIsland& region);

 private:
  // What contacts have of components: those of one component act on each other.
  struct Share {
    int component = 0, contact = 0, side = 0;
  };

  LaneBuffer W_;  // rows are as long as the state
  std::vector<Share> shares_;
};

}  // namespace tact
