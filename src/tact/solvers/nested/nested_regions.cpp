// Detached regions of the problem inside a pass of `ica`: D^-1 reaches a contact's own nodes only,
// so that contacts which share none do not act on each other before the pass is over. Swept apart,
// they give the same bits as swept together, and a region that has settled need not be swept again.
#include <algorithm>

#include <tact/solvers/nested/nested_work.hpp>

namespace tact {

// An exact component is dense: it counts as one node. So does a rigid body.
void NestedSolver::Workspace::find_node_regions()
{
  inner.clear();
  first_inner.clear();
  if (options.scheme != NestedScheme::ica || options.settled < 0.0) return;
  node_elements.clear(D.nodes());
  for (int c = 0; c < sides.contacts(); ++c) {
    for (const Side& side : sides.of(c)) {
      const Part& part = parts[side.component];
      for (const RowBlock& block : sides.blocks(side)) {
        const int node = D.turns(block.node) ? D.partner(block.node) : block.node;
        const bool dense = part.treatment == Treatment::exact;
        node_elements.list.push_back(dense ? part.first_node : node);
      }
    }
    node_elements.close_list();
  }
  node_regions.update(node_elements);
}

// Brings the contacts of an island, the first of which has the place `first`, region by region.
void NestedSolver::Workspace::sort_by_regions(std::span<int> contacts, int first)
{
  if (options.scheme != NestedScheme::ica || options.settled < 0.0) return;
  const auto region_of = [&](int c) { return node_regions.region_of(node_elements.of(c).front()); };
  std::sort(contacts.begin(), contacts.end(), [&](int a, int b) {
    const int region_a = region_of(a), region_b = region_of(b);
    return region_a != region_b ? region_a < region_b : a < b;
  });
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int place = first + static_cast<int>(k);
    if (k == 0 || region_of(contacts[k]) != region_of(contacts[k - 1])) inner.push_back({place, 0});
    inner.back().last = place + 1;
  }
}

void NestedSolver::Workspace::sweep_regions(std::span<const ContactRange> regions, int count)
{
  const int visits = options.visits_per_contact;
  for (const ContactRange region : regions) {
    int* found = awake.data() + region.first;
    const auto keep_impulses = [&] {
      std::copy(lambda.begin() + 3 * region.first, lambda.begin() + 3 * region.last,
                old_lambda.begin() + 3 * region.first);
    };
    keep_impulses();
    const int size = sweep.sweep(region, visits, lambda.data(), state.data(), found);
    const std::span<const int> not_open(found, static_cast<std::size_t>(size));
    for (int k = 1; k < count && !settled(region); ++k) {
      keep_impulses();
      sweep.sweep(not_open, visits, lambda.data(), state.data());
    }
  }
}

bool NestedSolver::Workspace::settled(ContactRange region) const
{
  const double bound = options.settled * options.tolerance;
  for (int c = region.first; c < region.last; ++c) {
    const double w = sweep.contacts[c].w.trace() / 3.0;
    for (int i = 3 * c; i < 3 * c + 3; ++i)
      if (w * std::abs(lambda[i] - old_lambda[i]) > bound) return false;
  }
  return true;
}

}  // namespace tact
