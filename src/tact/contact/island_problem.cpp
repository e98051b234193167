#include <tact/contact/island_problem.hpp>

#include <algorithm>
#include <utility>

#include <tact/core/union_find.hpp>

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

// Appends contacts or bilateral rows with their blocks, whose nodes get their places in `nodes`.
template <class Rows, class Block>
void append_rows(const std::vector<Rows>& whole, const std::vector<Block>& whole_blocks,
                 const std::vector<int>& members, const std::vector<int>& nodes,
                 std::vector<Rows>& own, std::vector<Block>& own_blocks)
{
  for (const int member : members) {
    Rows rows = whole[member];
    const auto blocks = std::span(whole_blocks).subspan(rows.first, rows.count);
    rows.first = static_cast<int>(own_blocks.size());
    for (const Block& block : blocks) own_blocks.push_back({place_in(nodes, block.node), block.J});
    own.push_back(rows);
  }
}

// The entries of `members` in a vector with `size` entries each; and back.
VectorXd gathered(const VectorXd& whole, const std::vector<int>& members, int size)
{
  VectorXd part(size * static_cast<Eigen::Index>(members.size()));
  Eigen::Index at = 0;
  for (const int member : members) {
    part.segment(at, size) = whole.segment(size * member, size);
    at += size;
  }
  return part;
}

void scatter(const VectorXd& part, const std::vector<int>& members, int size, VectorXd& whole)
{
  Eigen::Index at = 0;
  for (const int member : members) {
    whole.segment(size * member, size) = part.segment(at, size);
    at += size;
  }
}

// Which components rows join: the first block's of each.
class Joined {
 public:
  explicit Joined(const ContactProblem& whole) : sets_(whole.components())
  {
    component_.reserve(whole.nodes());
    for (int k = 0; k < whole.components(); ++k)
      component_.insert(component_.end(), whole.A[k].rows(), k);
    join(whole.contacts, whole.blocks);
    join(whole.bilateral, whole.bilateral_blocks);
  }

  int root(int component) { return sets_.root(component); }
  template <class Block>
  int root(const Block& block)
  {
    return sets_.root(component_[block.node]);
  }

 private:
  template <class Rows, class Block>
  void join(const std::vector<Rows>& all, const std::vector<Block>& blocks)
  {
    for (const Rows& rows : all)
      for (int b = rows.first + 1; b < rows.first + rows.count; ++b)
        sets_.merge(component_[blocks[rows.first].node], component_[blocks[b].node]);
  }

  std::vector<int> component_;  // of each node
  UnionFind sets_;              // of components
};

}  // namespace

IslandProblem::IslandProblem(const ContactProblem& whole, std::span<const int> first,
                             Members members)
    : members_(std::move(members))
{
  for (const int k : members_.components) {
    problem_.A.push_back(whole.A[k]);
    for (int node = first[k]; node < first[k + 1]; ++node) {
      if (has(whole.rigid, node)) problem_.rigid.push_back(static_cast<int>(nodes_.size()));
      nodes_.push_back(node);
    }
  }
  problem_.v_star = gathered(whole.v_star, nodes_, 3);
  append_rows(whole.contacts, whole.blocks, members_.contacts, nodes_, problem_.contacts,
              problem_.blocks);
  append_rows(whole.bilateral, whole.bilateral_blocks, members_.rows, nodes_, problem_.bilateral,
              problem_.bilateral_blocks);
  problem_.groups = groups_of(whole.groups, members_.contacts);
}

ContactSolution IslandProblem::part(const ContactProblem& whole,
                                    const ContactSolution& solution) const
{
  ContactSolution part;
  const auto rows = static_cast<Eigen::Index>(whole.bilateral.size());
  if (solution.v.size() == whole.v_star.size()) part.v = gathered(solution.v, nodes_, 3);
  if (solution.lambda.size() == 3 * whole.size())
    part.lambda = gathered(solution.lambda, members_.contacts, 3);
  if (solution.beta.size() == rows) part.beta = gathered(solution.beta, members_.rows, 1);
  return part;
}

void IslandProblem::put(const ContactSolution& part, ContactSolution& whole) const
{
  scatter(part.v, nodes_, 3, whole.v);
  scatter(part.lambda, members_.contacts, 3, whole.lambda);
  scatter(part.beta, members_.rows, 1, whole.beta);
}

std::vector<IslandProblem> split_into_islands(const ContactProblem& whole)
{
  Joined joined(whole);
  std::vector<IslandProblem::Members> members(whole.components());  // of each root
  for (int c = 0; c < whole.size(); ++c)
    members[joined.root(whole.blocks[whole.contacts[c].first])].contacts.push_back(c);
  for (std::size_t r = 0; r < whole.bilateral.size(); ++r)
    members[joined.root(whole.bilateral_blocks[whole.bilateral[r].first])].rows.push_back(
        static_cast<int>(r));
  for (int k = 0; k < whole.components(); ++k) members[joined.root(k)].components.push_back(k);
  std::erase_if(members, [](const IslandProblem::Members& island) {
    return island.contacts.empty() && island.rows.empty();
  });
  std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return a.contacts.size() > b.contacts.size();
  });
  const std::vector<int> first_node = first_nodes(whole);
  std::vector<IslandProblem> islands;
  islands.reserve(members.size());
  for (IslandProblem::Members& island : members)
    islands.emplace_back(whole, first_node, std::move(island));
  return islands;
}

}  // namespace tact
