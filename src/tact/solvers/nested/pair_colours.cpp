#include <tact/solvers/nested/pair_colours.hpp>

#include <algorithm>
#include <bit>
#include <tuple>

namespace tact {
namespace {

constexpr int least_contacts = 256;  // a sweep over so many takes some 100 us, threads cost 5
constexpr int least_groups = 4;      // a colour, on the average
constexpr int most_colours = 64;

}  // namespace

void PairColours::find(std::span<int> contacts, ContactSides& sides, int component_count)
{
  first_group_.clear();
  if (static_cast<int>(contacts.size()) < least_contacts) return;
  find_groups(contacts, sides);
  if (!colour_groups(component_count)) return;

  std::sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return std::tie(a.colour, a.first) < std::tie(b.colour, b.first);
  });
  int next = 0;
  for (Group& group : groups_) {
    const int first = next;
    for (int k = group.first; k < group.last; ++k) contacts[next++] = places_[k].contact;
    group.first = first;
    group.last = next;
    if (group.colour == static_cast<int>(first_group_.size()))
      first_group_.push_back(static_cast<int>(&group - groups_.data()));
  }
  first_group_.push_back(static_cast<int>(groups_.size()));
}

void PairColours::find_groups(std::span<const int> contacts, ContactSides& sides)
{
  places_.clear();
  groups_.clear();
  for (const int c : contacts) {
    const int a = sides.of(c).front().component, b = sides.of(c).back().component;
    places_.push_back({std::min(a, b), std::max(a, b), c});
  }
  std::sort(places_.begin(), places_.end());
  for (int k = 0; k < static_cast<int>(places_.size()); ++k) {
    const auto& [a, b, c] = places_[k];
    const bool begins =
        groups_.empty() || groups_.back().component_a != a || groups_.back().component_b != b;
    if (begins) groups_.push_back({.first = k, .component_a = a, .component_b = b});
    groups_.back().last = k + 1;
  }
}

// The first colour that is free, largest groups first. False: not worth it.
bool PairColours::colour_groups(int component_count)
{
  std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return a.last - a.first > b.last - b.first;
  });
  taken_.assign(component_count, 0);
  int colours = 0;
  for (Group& group : groups_) {
    std::uint64_t &a = taken_[group.component_a], &b = taken_[group.component_b];
    group.colour = std::countr_one(a | b);
    if (group.colour >= most_colours) return false;
    a |= std::uint64_t{1} << group.colour;
    b |= std::uint64_t{1} << group.colour;
    colours = std::max(colours, group.colour + 1);
  }
  return static_cast<int>(groups_.size()) >= least_groups * colours;
}

}  // namespace tact
