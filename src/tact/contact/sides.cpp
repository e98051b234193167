#include <tact/contact/sides.hpp>

#include <algorithm>

#include <tact/core/stop.hpp>

namespace tact {

void ContactSides::clear()
{
  first_side_.assign(1, 0);
  sides_.clear();
  blocks_.clear();
}

void ContactSides::append(const ContactProblem& problem, const DiagonalBlocks& D,
                          const std::vector<int>& component_of_node)
{
  for (int c = contacts(); c < problem.size(); ++c) {
    end_if_stopped();
    const ContactRows& contact = problem.contacts[c];
    const std::span blocks(problem.blocks.data() + contact.first,
                           static_cast<std::size_t>(contact.count));
    const auto first_of_contact = first_side_.back();
    for (const RowBlock& block : blocks) {
      const int component = component_of_node[block.node];
      const bool known = std::any_of(sides_.begin() + first_of_contact, sides_.end(),
                                     [&](const Side& side) { return side.component == component; });
      if (!known) add_side(blocks, D, component_of_node, component);
    }
    first_side_.push_back(sides());
  }
}

void ContactSides::add_side(std::span<const RowBlock> blocks, const DiagonalBlocks& D,
                            const std::vector<int>& component_of_node, int component)
{
  const int first = static_cast<int>(blocks_.size());
  for (const RowBlock& block : blocks) {
    if (component_of_node[block.node] == component) blocks_.push_back(block);
  }
  // A push on one node of a rigid body may move the other: that one gets a block of zeros.
  for (int i = first, last = static_cast<int>(blocks_.size()); i < last; ++i) {
    const int partner = D.partner(blocks_[i].node);
    if (partner < 0) continue;
    const bool there = std::any_of(blocks_.begin() + first, blocks_.end(),
                                   [&](const RowBlock& block) { return block.node == partner; });
    if (!there) blocks_.push_back({.node = partner, .J = Matrix3d::Zero()});
  }
  sides_.push_back(
      {.component = component, .first = first, .count = static_cast<int>(blocks_.size()) - first});
}

}  // namespace tact
