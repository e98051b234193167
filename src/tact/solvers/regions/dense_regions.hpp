// W of each region as one dense matrix, for comparison.
//
// [Lazarevych10] forms W = J M^-1 J', eq. (11), "in linear time", and iterates on it by "a method
// of complexity O(n2)", Sec. 5: a step of the iteration costs the square of the contacts of a
// problem. The other way, velocities of nodes, costs their number only. What regions gain depends
// on which it is.
#pragma once

#include <vector>

#include <tact/solvers/nested/nested_work.hpp>

namespace tact {

class DenseRegions {
 public:
  // Gives each region its place in the state, where velocities of its contacts stand then, and
  // memory for its W. After load_contacts(). Regions with a nodal component are left as they are.
  void lay_out(NestedSolver::Workspace& work);

  // Forms W of a region and makes its sweeps work on that. After load_blocks().
  void assemble(NestedSolver::Workspace& work, const IslandPlace& place);

 private:
  // What contacts have of components: those of one component act on each other.
  struct Share {
    int component = 0, contact = 0, side = 0;
  };

  LaneBuffer W_;               // region by region; rows are as long as the region's state
  std::vector<Share> shares_;  // at the places of the sides of the contacts
  int first_side_ = 0;         // of the sides that stand for whole regions, one a contact
};

}  // namespace tact
