#include <tact/contact/island_problem.hpp>

#include <algorithm>

#include <tact/contact/islands.hpp>

namespace tact {
namespace {

int place_in(const std::vector<int>& sorted, int number)
{
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), number);
  return static_cast<int>(at - sorted.begin());
}

bool has(const std::vector<int>& sorted, int number)
{
  return std::binary_search(sorted.begin(), sorted.end(), number);
}

SideGroups groups_of(const SideGroups& groups, const std::vector<int>& contacts)
{
  SideGroups own;
  std::vector<int> sides;
  for (int g = 0; g < groups.size(); ++g) {
    if (!has(contacts, groups[g].front())) continue;
    sides.clear();
    for (const int side : groups[g]) sides.push_back(place_in(contacts, side));
    own.add(sides, groups.pushing(g));
  }
  return own;
}

}  // namespace

IslandProblem::IslandProblem(const ContactProblem& whole, std::span<const int> first,
                             std::span<const int> contacts, std::span<const int> components)
    : contacts_(contacts.begin(), contacts.end()), components_(components.begin(), components.end())
{
  for (const int k : components) {
    problem_.A.push_back(whole.A[k]);
    for (int node = first[k]; node < first[k + 1]; ++node) {
      if (std::binary_search(whole.rigid.begin(), whole.rigid.end(), node))
        problem_.rigid.push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back(node);
    }
  }
  problem_.v_star.resize(3 * static_cast<Eigen::Index>(nodes_.size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    problem_.v_star.segment<3>(3 * static_cast<Eigen::Index>(i)) =
        whole.v_star.segment<3>(3 * nodes_[i]);
  for (const int c : contacts_) {
    ContactRows rows = whole.contacts[c];
    const auto blocks = std::span(whole.blocks).subspan(rows.first, rows.count);
    rows.first = static_cast<int>(problem_.blocks.size());
    for (const RowBlock& block : blocks)
      problem_.blocks.push_back({place_in(nodes_, block.node), block.J});
    problem_.contacts.push_back(rows);
  }
  problem_.groups = groups_of(whole.groups, contacts_);
}

ContactSolution IslandProblem::part(const ContactProblem& whole,
                                    const ContactSolution& solution) const
{
  ContactSolution part;
  if (solution.v.size() == whole.v_star.size()) {
    part.v.resize(3 * problem_.nodes());
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      part.v.segment<3>(3 * static_cast<Eigen::Index>(i)) = solution.v.segment<3>(3 * nodes_[i]);
  }
  if (solution.lambda.size() == 3 * whole.size()) {
    part.lambda.resize(3 * problem_.size());
    for (std::size_t c = 0; c < contacts_.size(); ++c)
      part.lambda.segment<3>(3 * static_cast<Eigen::Index>(c)) =
          solution.lambda.segment<3>(3 * contacts_[c]);
  }
  return part;
}

void IslandProblem::put(const ContactSolution& part, ContactSolution& whole) const
{
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    whole.v.segment<3>(3 * nodes_[i]) = part.v.segment<3>(3 * static_cast<Eigen::Index>(i));
  for (std::size_t c = 0; c < contacts_.size(); ++c)
    whole.lambda.segment<3>(3 * contacts_[c]) =
        part.lambda.segment<3>(3 * static_cast<Eigen::Index>(c));
}

std::vector<IslandProblem> split_into_islands(const ContactProblem& whole, const DiagonalBlocks& D)
{
  std::vector<int> component_of_node;
  component_of_node.reserve(whole.nodes());
  for (int k = 0; k < whole.components(); ++k)
    component_of_node.insert(component_of_node.end(), whole.A[k].rows(), k);
  ContactSides sides;
  sides.append(whole, D, component_of_node);
  Islands found;
  found.find(sides, whole.components());
  const std::vector<int> first_node = first_nodes(whole);
  std::vector<IslandProblem> islands;
  islands.reserve(found.islands.size());
  for (const Island& island : found.islands) {
    const std::span contacts(found.contacts.begin() + island.first_contact, island.contacts());
    const std::span components(found.components.begin() + island.first_component,
                               found.components.begin() + island.last_component);
    islands.emplace_back(whole, first_node, contacts, components);
  }
  return islands;
}

}  // namespace tact
