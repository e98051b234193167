// Which contacts of an island may be swept at the same time. Contacts on the same pair of
// components form a group; groups of one colour have no component in common, and so write to
// different memory: sweeps that go from colour to colour have the same bits for any number of
// threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tact/contact/sides.hpp>

namespace tact {

class PairColours {
 public:
  // Sorts the contacts by colour and group. Not where that would gain nothing: few contacts, or few
  // groups a colour, as on one large cloth. Then there are no colours, and the order stays.
  void find(std::span<int> contacts, ContactSides& sides, int component_count);

  struct Group {
    int first = 0, last = 0;  // of its contacts, in the order sorted to
    int colour = 0;
    int component_a = 0, component_b = 0;  // the same where there is only one
  };

  void clear() { first_group_.clear(); }
  bool empty() const { return first_group_.empty(); }
  int colours() const { return empty() ? 0 : static_cast<int>(first_group_.size()) - 1; }
  std::span<const Group> groups(int colour) const
  {
    return {groups_.data() + first_group_[colour], groups_.data() + first_group_[colour + 1]};
  }

 private:
  struct Place {
    int component_a = 0, component_b = 0, contact = 0;
    auto operator<=>(const Place&) const = default;
  };
  void find_groups(std::span<const int> contacts, ContactSides& sides);
  bool colour_groups(int component_count);

  std::vector<Place> places_;
  std::vector<Group> groups_;
  std::vector<int> first_group_;      // of each colour, and the number of groups at the end
  std::vector<std::uint64_t> taken_;  // by component: one bit a colour
};

}  // namespace tact
