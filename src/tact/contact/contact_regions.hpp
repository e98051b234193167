// Detached contact regions: contacts that share nothing, directly or through others, do not act on
// each other within a step, and can be solved apart.                      [Lazarevych10] Sec. 3
//
// What contacts share is called an element. Which elements make the split exact depends on A:
//   nodes        A is diagonal in blocks: explicit steps, and the inner problem of nested passes
//   components   A^-1 is dense within a component: implicit steps, exact anticipation
// A rigid body is one element either way.
//
// The printed algorithm cannot join two regions that a later contact connects; union-find can. The
// regions of the last call are kept: what has not changed since is not joined again.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/core/union_find.hpp>

namespace tact {

// The elements of every contact, one list after the other.
struct ContactElements {
  std::vector<int> first = {0};  // of each contact's list, and the length of all at the end
  std::vector<int> list;
  int count = 0;  // elements are numbered 0 to count - 1

  int contacts() const { return static_cast<int>(first.size()) - 1; }
  std::span<const int> of(int contact) const
  {
    return {list.data() + first[contact], list.data() + first[contact + 1]};
  }
  void clear(int element_count);
  void close_list() { first.push_back(static_cast<int>(list.size())); }  // of the next contact
};

[[nodiscard]] ContactElements elements_by_nodes(const ContactProblem& problem);
[[nodiscard]] ContactElements elements_by_components(const ContactProblem& problem);

struct ContactRegion {
  int first = 0, last = 0;  // in ContactRegions::contacts()
  int size() const { return last - first; }
};

class ContactRegions {
 public:
  // Contacts may have come, gone or changed since the last call. Does not allocate when there are
  // no more contacts and elements than before.
  void update(const ContactElements& elements);

  std::span<const ContactRegion> regions() const { return regions_; }  // most contacts first
  std::span<const int> contacts() const
  {
    return contacts_;
  }  // region by region, ascending in each
  int region_of(int element) const
  {
    return region_of_element_[element];
  }  // -1: no contact is there

  // How many contacts the last update had to join; the others were as they had been.
  int joined() const { return joined_; }

 private:
  void forget();
  void find_changes(const ContactElements& now);
  void take_apart(int region);
  void join(const ContactElements& now);
  void number_regions(const ContactElements& now);

  ContactElements known_;  // of the last update
  UnionFind sets_;         // of elements; those without contacts are alone
  std::vector<ContactRegion> regions_;
  std::vector<int> contacts_;
  std::vector<int> region_of_element_;
  int joined_ = 0;

  // Of one update.
  std::vector<int> matched_;   // of each old region: how far its contacts were met again, in order
  std::vector<char> to_join_;  // of each contact
  std::vector<char> broken_;   // of each old region: it lost a contact
  std::vector<int> label_of_root_;  // of elements; -1
  std::vector<int> rank_;           // of labels, by size
};

// The region of every contact where contacts share components: the map that solvers split by.
[[nodiscard]] std::vector<int> region_map(const ContactProblem& problem);

}  // namespace tact
