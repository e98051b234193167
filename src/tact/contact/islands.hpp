// Contacts that are coupled through components they share. Islands do not act on each other.
#pragma once

#include <vector>

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

  // Does not allocate when there are no more contacts and components than before.
  void find(ContactSides& sides, int component_count);

 private:
  void join_components(ContactSides& sides, int component_count);
  void number_islands(ContactSides& sides);

  std::vector<int> parent_;          // of a component, in the forest of components that are coupled
  std::vector<int> island_of_root_;  // -1 where no contact is
  std::vector<int> rank_;            // place of an island when they are sorted by size
};

}  // namespace tact
