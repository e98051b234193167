// Contacts that are coupled through components they share. Islands do not act on each other: they
// are the regions of contacts by components (regions/contact_regions.hpp), and the components they
// have.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_regions.hpp>
#include <tact/contact/sides.hpp>

namespace tact {

struct Island {
  int first_contact = 0, last_contact = 0;      // in Islands::contacts
  int first_component = 0, last_component = 0;  // in Islands::components

  int contacts() const { return last_contact - first_contact; }
};

struct Islands {
  std::vector<int> contacts;    // island by island, ascending in each
  std::vector<int> components;  // the same; components without contacts are not there
  std::vector<Island> islands;  // those with most contacts first
  bool separate = true;         // false: all contacts in one island, coupled or not

  // Keeps from call to call what has not changed. Does not allocate when there are no more contacts
  // and components than before.
  void find(ContactSides& sides, int component_count);

 private:
  ContactElements elements_;
  ContactRegions regions_;
};

}  // namespace tact
