// Unions of half-spaces in contact problems: groups of contacts of which at least one is to hold.
//
// The normal row u_n >= 0 of a contact is a half-space of velocities. Contacts that stand in no
// group all hold: their half-spaces are intersected. Of the contacts of a group, its sides, one is
// enough: what a vertex sees of a convex edge or corner of an obstacle is the union of the
// half-spaces in front of its faces. [Egan03] Sec. VI
//
// Groups are contact numbers and nothing else, so that they go with a ContactProblem and with the
// first rows of a PyramidLcp alike.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include <tact/core/types.hpp>

namespace tact {

class SideGroups {
 public:
  // Of the sides the first `pushing` may carry impulses, by default all. The others only open the
  // group: a point that starts behind a side can get past it, but is not pushed by it.
  void add(std::span<const int> contacts, int pushing = all);
  void add(std::initializer_list<int> contacts, int pushing = all);
  void clear();

  int size() const { return static_cast<int>(start_.size()) - 1; }  // groups
  int sides() const { return static_cast<int>(sides_.size()); }     // of all groups
  bool empty() const { return size() == 0; }

  std::span<const int> operator[](int group) const
  {
    return {sides_.data() + start_[group], sides_.data() + start_[group + 1]};
  }
  int pushing(int group) const { return pushing_[group]; }
  // The sides of all groups, one group after the other, and where a group begins among them.
  std::span<const int> all_sides() const { return sides_; }
  int first_side(int group) const { return start_[group]; }

  bool operator==(const SideGroups&) const = default;

 private:
  static constexpr int all = -1;

  std::vector<int> start_ = {0};
  std::vector<int> sides_;
  std::vector<int> pushing_;
};

// Throws Error for an empty group, one in which no side may push, a contact that does not exist,
// and one that stands in the groups twice.
void validate(const SideGroups& groups, int contacts);

// How far the widest side of a group is open: its largest u_n, m/s. Below 0 the end state lies in
// the forbidden region. `u_n` has one entry a contact.
double opening(std::span<const int> group, const VectorXd& u_n);

// The deepest group: max(0, -opening), m/s.
double forbidden_depth(const SideGroups& groups, const VectorXd& u_n);

}  // namespace tact
