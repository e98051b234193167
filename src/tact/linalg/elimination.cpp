#include <tact/linalg/elimination.hpp>

#include <algorithm>
#include <cassert>
#include <limits>

#include <tact/core/error.hpp>
#include <tact/linalg/elimination_order.hpp>
#include <tact/linalg/elimination_tasks.hpp>

namespace tact {

namespace {

// Below, minimum degree is the better order, and there is little to do for threads.
constexpr int min_dissected_nodes = 500;

// Columns of L that become a supernode, while it is still open which.
struct Group {
  std::vector<int> columns;   // ascending; the last one is their root in the tree
  int below = 0;              // rows below, in blocks
  std::vector<int> children;  // groups
};

// Joining a child to its parent makes zeros in the child's columns, and saves a supernode.
bool worth_joining(const Group& child, const Group& parent)
{
  const int child_width = static_cast<int>(child.columns.size());
  const int parent_width = static_cast<int>(parent.columns.size());
  const int width = child_width + parent_width;
  return width <= max_supernode_width &&
         supernode_work(width, parent.below) <=
             supernode_work(child_width, child.below) + supernode_work(parent_width, parent.below);
}

void join(Group& child, Group& parent)
{
  parent.columns.insert(parent.columns.end(), child.columns.begin(), child.columns.end());
  parent.children.insert(parent.children.end(), child.children.begin(), child.children.end());
  child.columns.clear();
}

// One group a column at first; then, from the leaves to the roots, children join their parents,
// those with most rows in common first. Columns must be in postorder.
std::vector<Group> group_columns(const EliminationTree& tree)
{
  const int n = static_cast<int>(tree.parent.size());
  std::vector<Group> groups(n);
  for (int k = 0; k < n; ++k) {
    Group& group = groups[k];
    group.columns = {k};
    group.below = tree.below[k];
    std::vector<int> candidates = std::move(group.children);
    group.children.clear();
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](int a, int b) { return groups[a].below > groups[b].below; });
    for (const int child : candidates) {
      if (worth_joining(groups[child], group)) {
        join(groups[child], group);
      } else {
        group.children.push_back(child);
      }
    }
    std::sort(group.columns.begin(), group.columns.end());
    if (tree.parent[k] != -1) groups[tree.parent[k]].children.push_back(k);
  }
  return groups;
}

// The tree with its columns in the order of `sequence`.
EliminationTree renumbered(const EliminationTree& tree, const std::vector<int>& sequence)
{
  const std::vector<int> position = inverse_order(sequence);
  EliminationTree result = tree;
  for (std::size_t k = 0; k < sequence.size(); ++k) {
    const int from = sequence[k];
    result.parent[k] = tree.parent[from] == -1 ? -1 : position[tree.parent[from]];
    result.below[k] = tree.below[from];
  }
  return result;
}

// Writes supernodes and the order in which their columns stand side by side.
void find_supernodes(const BlockPattern& pattern, std::span<const int> order, Elimination& e)
{
  const EliminationTree tree = elimination_tree(pattern, order);
  const std::vector<int> sequence = postorder(tree.parent);
  const std::vector<Group> groups = group_columns(renumbered(tree, sequence));
  const int n = static_cast<int>(groups.size());
  std::vector<int> parent(n, -1);
  for (int g = 0; g < n; ++g) {
    for (const int child : groups[g].children) parent[child] = g;
  }
  for (const int g : postorder(parent)) {
    if (groups[g].columns.empty()) continue;  // joined to another
    const int s = static_cast<int>(e.supernodes.size());
    const int width = static_cast<int>(groups[g].columns.size());
    e.supernodes.push_back({.first_column = static_cast<int>(e.order.size()), .width = width});
    e.supernode_of.insert(e.supernode_of.end(), width, s);
    for (const int column : groups[g].columns) e.order.push_back(order[sequence[column]]);
  }
  e.position = inverse_order(e.order);
}

// The rows below of every supernode: those of A in its columns, and those of its children.
void find_rows(const BlockPattern& pattern, Elimination& e)
{
  const int count = static_cast<int>(e.supernodes.size());
  std::vector<int> met(pattern.rows(), -1);  // in supernode
  std::vector<std::vector<int>> children(count);
  for (int s = 0; s < count; ++s) {
    Supernode& node = e.supernodes[s];
    const int end = node.first_column + node.width;
    node.first_row = static_cast<int>(e.rows.size());
    const auto add = [&](int row) {
      if (row < end || met[row] == s) return;
      met[row] = s;
      e.rows.push_back(row);
    };
    for (int k = node.first_column; k < end; ++k) {
      for (const int other : pattern.columns(e.order[k])) add(e.position[other]);
    }
    for (const int child : children[s]) {
      const Supernode& from = e.supernodes[child];
      for (int r = 0; r < from.height - from.width; ++r) add(e.rows[from.first_row + r]);
    }
    const auto first = e.rows.begin() + node.first_row;
    std::sort(first, e.rows.end());
    node.height = node.width + static_cast<int>(e.rows.end() - first);
    if (first != e.rows.end()) children[e.supernode_of[*first]].push_back(s);
  }
}

int triangle(int width)
{
  return width * (width + 1) / 2;
}

void lay_out_panels(Elimination& e)
{
  long long panel = 0;
  for (Supernode& node : e.supernodes) {
    const int below = node.height - node.width;
    node.panel = static_cast<int>(panel);
    panel += 3LL * node.width * node.height + 1;
    if (panel > std::numeric_limits<int>::max() / 4) {
      throw Error("BlockCholesky: the factor has more than 2^31 entries; use BlockPcg");
    }
    e.work += supernode_work(node.width, below);
    e.factor_block_count += triangle(node.width) + node.width * below;
  }
  e.supernodes.push_back({.first_column = static_cast<int>(e.order.size()),
                          .first_row = static_cast<int>(e.rows.size()),
                          .panel = static_cast<int>(panel)});
}

// Where rows of L stand in the panel of a supernode. Asked for in ascending order.
class PanelRows {
 public:
  PanelRows(const Elimination& e, const Supernode& node)
      : node_(node), below_(e.rows.data() + node.first_row)
  {
  }

  int of(int row)
  {
    const int end = node_.first_column + node_.width;
    if (row < end) return row - node_.first_column;
    while (below_[next_] != row) ++next_;
    assert(next_ < node_.height - node_.width);
    return node_.width + next_;
  }

 private:
  const Supernode& node_;
  const int* below_;
  int next_ = 0;
};

void find_updates(Elimination& e)
{
  for (int s = 0; s < e.supernode_count(); ++s) {
    Supernode& node = e.supernodes[s];
    node.first_update = static_cast<int>(e.updates.size());
    const int rows_below = node.height - node.width;
    const int* rows = e.rows.data() + node.first_row;
    for (int r = 0; r < rows_below;) {
      const int target = e.supernode_of[rows[r]];
      PanelUpdate update{.source = s,
                         .target = target,
                         .first_below = r,
                         .first_target_row = static_cast<int>(e.target_rows.size())};
      PanelRows panel_rows(e, e.supernodes[target]);
      for (int i = r; i < rows_below; ++i) e.target_rows.push_back(panel_rows.of(rows[i]));
      while (r < rows_below && e.supernode_of[rows[r]] == target) ++r;
      update.count = r - update.first_below;
      e.updates.push_back(update);
    }
  }
  e.supernodes.back().first_update = static_cast<int>(e.updates.size());
}

// The slot of the transposed of every block: those of a column are met in the order of its rows.
std::vector<int> transposed_slots(const BlockPattern& pattern)
{
  std::vector<int> slots(pattern.block_count()), next(pattern.rows());
  for (int row = 0; row < pattern.rows(); ++row) next[row] = pattern.first_slot(row);
  for (int row = 0, slot = 0; row < pattern.rows(); ++row)
    for (const int column : pattern.columns(row)) slots[slot++] = next[column]++;
  return slots;
}

void find_places(const BlockPattern& pattern, Elimination& e)
{
  e.block_count = pattern.block_count();
  e.places.reserve((pattern.block_count() + pattern.rows()) / 2);
  const std::vector<int> transposed = transposed_slots(pattern);
  std::vector<int> panel_row(pattern.rows());  // of the rows of one supernode
  for (int s = 0; s < e.supernode_count(); ++s) {
    Supernode& node = e.supernodes[s];
    node.first_place = static_cast<int>(e.places.size());
    for (int r = 0; r < node.width; ++r) panel_row[node.first_column + r] = r;
    for (int r = node.width; r < node.height; ++r)
      panel_row[e.rows[node.first_row + r - node.width]] = r;
    for (int c = 0; c < node.width; ++c) {
      const int column = node.first_column + c, row = e.order[column];
      int slot = pattern.first_slot(row);
      for (const int other : pattern.columns(row)) {
        const int below = e.position[other];
        if (below >= column) {
          e.places.push_back({.slot = transposed[slot],
                              .place = node.panel + 3 * c * node.height + panel_row[below]});
        }
        ++slot;
      }
      e.diagonal_slots.push_back(pattern.diagonal_slot(row));
    }
  }
  e.supernodes.back().first_place = static_cast<int>(e.places.size());
}

}  // namespace

Elimination analyse(const BlockPattern& pattern, std::span<const int> order)
{
  Elimination e;
  find_supernodes(pattern, order, e);
  find_rows(pattern, e);
  lay_out_panels(e);
  find_updates(e);
  find_places(pattern, e);
  find_tasks(e);
  return e;
}

Elimination analyse(const BlockPattern& pattern)
{
  Elimination by_degree = analyse(pattern, minimum_degree_order(pattern));
  if (pattern.rows() < min_dissected_nodes) return by_degree;
  Elimination dissected = analyse(pattern, dissection_order(pattern));
  return dissected.parallel_work < by_degree.parallel_work ? dissected : by_degree;
}

}  // namespace tact
