#include <tact/contact/side_groups.hpp>

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include <tact/core/error.hpp>

namespace tact {

void SideGroups::add(std::span<const int> contacts, int pushing)
{
  sides_.insert(sides_.end(), contacts.begin(), contacts.end());
  start_.push_back(sides());
  pushing_.push_back(pushing == all ? static_cast<int>(contacts.size()) : pushing);
}

void SideGroups::add(std::initializer_list<int> contacts, int pushing)
{
  add(std::span<const int>(contacts.begin(), contacts.size()), pushing);
}

void SideGroups::clear()
{
  start_.resize(1);
  sides_.clear();
  pushing_.clear();
}

void validate(const SideGroups& groups, int contacts)
{
  std::vector<int> group_of(contacts, -1);
  for (int g = 0; g < groups.size(); ++g) {
    if (groups[g].empty())
      throw Error(fmt::format("side groups: group {} is empty, expected one contact or more", g));
    const int sides = static_cast<int>(groups[g].size());
    if (groups.pushing(g) < 1 || groups.pushing(g) > sides)
      throw Error(fmt::format("side groups: in group {} {} sides may push, expected 1 to {}", g,
                              groups.pushing(g), sides));
    for (const int contact : groups[g]) {
      if (contact < 0 || contact >= contacts)
        throw Error(fmt::format("side groups: group {} names contact {}, expected 0 to {}", g,
                                contact, contacts - 1));
      if (group_of[contact] >= 0)
        throw Error(
            fmt::format("side groups: contact {} is in group {} and in group {}, expected "
                        "one of them",
                        contact, group_of[contact], g));
      group_of[contact] = g;
    }
  }
}

double opening(std::span<const int> group, const VectorXd& u_n)
{
  double widest = -std::numeric_limits<double>::infinity();
  for (const int side : group) widest = std::max(widest, u_n[side]);
  return widest;
}

double forbidden_depth(const SideGroups& groups, const VectorXd& u_n)
{
  double depth = 0.0;
  for (int g = 0; g < groups.size(); ++g) depth = std::max(depth, -opening(groups[g], u_n));
  return depth;
}

}  // namespace tact
