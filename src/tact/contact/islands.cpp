#include <tact/contact/islands.hpp>

namespace tact {

void Islands::find(ContactSides& sides, int component_count)
{
  const int all = component_count;  // one more element, which contacts share if nothing else
  elements_.clear(component_count + 1);
  for (int c = 0; c < sides.contacts(); ++c) {
    for (const Side& side : sides.of(c)) elements_.list.push_back(side.component);
    if (!separate) elements_.list.push_back(all);
    elements_.close_list();
  }
  regions_.update(elements_);

  contacts.assign(regions_.contacts().begin(), regions_.contacts().end());
  islands.clear();
  for (const ContactRegion& region : regions_.regions())
    islands.push_back({.first_contact = region.first, .last_contact = region.last});

  for (int k = 0; k < component_count; ++k) {
    const int island = regions_.region_of(k);
    if (island >= 0) ++islands[island].last_component;  // their number, at first
  }
  int component = 0;
  for (Island& island : islands) {
    island.first_component = component;
    component += island.last_component;
    island.last_component = island.first_component;
  }
  components.resize(component);
  for (int k = 0; k < component_count; ++k) {
    const int island = regions_.region_of(k);
    if (island >= 0) components[islands[island].last_component++] = k;
  }
}

}  // namespace tact
