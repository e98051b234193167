#include <tact/contact/islands.hpp>

#include <algorithm>
#include <numeric>

namespace tact {
namespace {

int root(std::vector<int>& parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

void Islands::join_components(ContactSides& sides, int component_count)
{
  parent_.resize(component_count);
  std::iota(parent_.begin(), parent_.end(), 0);
  for (int c = 0; c < sides.contacts(); ++c) {
    const int first = root(parent_, sides.of(c).front().component);
    for (const Side& side : sides.of(c).subspan(1)) parent_[root(parent_, side.component)] = first;
  }
}

// Islands get numbers in the order of their first contacts, and then by size; last_contact holds
// the number of contacts, first_component the first number.
void Islands::number_islands(ContactSides& sides)
{
  island_of_root_.assign(parent_.size(), -1);
  islands.clear();
  for (int c = 0; c < sides.contacts(); ++c) {
    int& island = island_of_root_[root(parent_, sides.of(c).front().component)];
    if (island < 0) {
      island = static_cast<int>(islands.size());
      islands.push_back({.first_component = island});
    }
    ++islands[island].last_contact;
  }
  std::sort(islands.begin(), islands.end(), [](const Island& a, const Island& b) {
    if (a.last_contact != b.last_contact) return a.last_contact > b.last_contact;
    return a.first_component < b.first_component;
  });
  rank_.resize(islands.size());
  for (std::size_t k = 0; k < islands.size(); ++k) {
    rank_[islands[k].first_component] = static_cast<int>(k);
  }
}

void Islands::find(ContactSides& sides, int component_count)
{
  join_components(sides, component_count);
  number_islands(sides);

  contacts.resize(sides.contacts());
  int contact = 0;
  for (Island& island : islands) {
    island.first_contact = contact;
    contact += island.last_contact;
    island.last_contact = island.first_contact;  // grows as contacts are put in
    island.first_component = island.last_component = 0;
  }
  const auto island_of = [&](int component) -> Island* {
    const int island = island_of_root_[root(parent_, component)];
    return island < 0 ? nullptr : &islands[rank_[island]];
  };
  for (int c = 0; c < sides.contacts(); ++c) {
    contacts[island_of(sides.of(c).front().component)->last_contact++] = c;
  }

  for (int k = 0; k < component_count; ++k) {
    if (Island* island = island_of(k)) ++island->last_component;  // their number, at first
  }
  int component = 0;
  for (Island& island : islands) {
    island.first_component = component;
    component += island.last_component;
    island.last_component = island.first_component;
  }
  components.resize(component);
  for (int k = 0; k < component_count; ++k) {
    if (Island* island = island_of(k)) components[island->last_component++] = k;
  }
}

}  // namespace tact
