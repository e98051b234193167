// Contacts as the components see them: what a contact has of one component is a side of it. A
// contact of a body with itself or with an obstacle has one, one between two bodies two.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>

namespace tact {

inline constexpr int contacts_per_chunk = 512;  // of parallel loops: some 100 us of work

struct Side {
  int component = 0;
  int first = 0, count = 0;  // of its blocks; a rigid body has both its nodes there
  int slot = -1;             // in the compliance of the component, where it has one
  int first_row = 0;         // where in the order of elimination its first node comes
};

class ContactSides {
 public:
  void clear();
  // Sorts the blocks of all contacts that are new.
  void append(const ContactProblem& problem, const DiagonalBlocks& D,
              const std::vector<int>& component_of_node);

  int contacts() const { return static_cast<int>(first_side_.size()) - 1; }
  std::span<Side> of(int contact)
  {
    return {sides_.data() + first_side_[contact], sides_.data() + first_side_[contact + 1]};
  }
  std::span<const RowBlock> blocks(const Side& side) const
  {
    return {blocks_.data() + side.first, static_cast<std::size_t>(side.count)};
  }
  int sides() const { return static_cast<int>(sides_.size()); }
  int blocks() const { return static_cast<int>(blocks_.size()); }

 private:
  void add_side(std::span<const RowBlock> blocks, const DiagonalBlocks& D,
                const std::vector<int>& component_of_node, int component);

  std::vector<int> first_side_ = {0};
  std::vector<Side> sides_;
  std::vector<RowBlock> blocks_;
};

}  // namespace tact
