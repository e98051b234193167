// Detached regions of an island inside a pass of `ica`: D^-1 reaches a contact's own nodes only, so
// that contacts which share none do not act on each other before the pass is over. Swept apart,
// they give the same bits as swept together, and a region that has settled need not be swept again.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_regions.hpp>
#include <tact/solvers/nested/contact_sweep.hpp>
#include <tact/solvers/nested/islanded_problem.hpp>

namespace tact {

class NodeRegions {
 public:
  void find(IslandedProblem& all);

  // Brings the contacts of an island region by region; the regions are ranges of them.
  void sort(std::span<int> contacts, std::vector<ContactRange>& regions) const;

 private:
  int region_of(int contact) const { return regions_.region_of(elements_.of(contact).front()); }

  ContactElements elements_;
  ContactRegions regions_;  // kept between solves
};

}  // namespace tact
