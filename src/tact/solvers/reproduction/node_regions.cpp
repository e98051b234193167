#include <tact/solvers/reproduction/node_regions.hpp>

#include <algorithm>
#include <utility>

namespace tact {

// An exact component is dense: it counts as one node. So does a rigid body.
void NodeRegions::find(IslandedProblem& all)
{
  elements_.clear(all.D.nodes());
  for (int c = 0; c < all.sides.contacts(); ++c) {
    for (const Side& side : all.sides.of(c)) {
      const Part& part = all.parts[side.component];
      for (const RowBlock& block : all.sides.blocks(side)) {
        const int node = all.D.turns(block.node) ? all.D.partner(block.node) : block.node;
        const bool dense = part.treatment == Treatment::exact;
        elements_.list.push_back(dense ? part.first_node : node);
      }
    }
    elements_.close_list();
  }
  regions_.update(elements_);
}

void NodeRegions::sort(std::span<int> contacts, std::vector<ContactRange>& regions) const
{
  std::sort(contacts.begin(), contacts.end(),
            [&](int a, int b) { return std::pair(region_of(a), a) < std::pair(region_of(b), b); });
  for (int k = 0; k < static_cast<int>(contacts.size()); ++k) {
    if (k == 0 || region_of(contacts[k]) != region_of(contacts[k - 1])) regions.push_back({k, k});
    regions.back().last = k + 1;
  }
}

}  // namespace tact
