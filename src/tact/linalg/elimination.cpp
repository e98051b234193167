#include <tact/linalg/elimination.hpp>

#include <algorithm>
#include <cassert>
#include <limits>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <tact/core/error.hpp>

namespace tact {

namespace {

using Structure =
    std::vector<std::vector<int>>;  // column -> its rows below the diagonal, ascending

// Approximate minimum degree on the graph of blocks (Amestoy, Davis and Duff 1996).
std::vector<int> minimum_degree_order(const BlockPattern& pattern)
{
  const int n = pattern.rows();
  Eigen::SparseMatrix<double> graph(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(pattern.block_count());
  for (int row = 0; row < n; ++row) {
    for (const int column : pattern.columns(row)) entries.emplace_back(row, column, 1.0);
  }
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  return {order.indices().data(), order.indices().data() + n};
}

std::vector<int> inverse(const std::vector<int>& order)
{
  std::vector<int> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<int>(k);
  return position;
}

// Liu's elimination tree: the parent of a column is the first row below its diagonal in L, -1 for a
// root. `ancestor` shortens the paths on the way.
std::vector<int> elimination_tree(const BlockPattern& pattern, const std::vector<int>& order)
{
  const int n = pattern.rows();
  const std::vector<int> position = inverse(order);
  std::vector<int> parent(n, -1), ancestor(n, -1);
  for (int k = 0; k < n; ++k) {
    for (const int node : pattern.columns(order[k])) {
      int column = position[node];
      while (column != -1 && column < k) {
        const int next = ancestor[column];
        ancestor[column] = k;
        if (next == -1) parent[column] = k;
        column = next;
      }
    }
  }
  return parent;
}

// Columns so that every subtree is a run that ends with its root. The fill stays the same, and
// columns of equal structure come to stand side by side.
std::vector<int> postorder(const std::vector<int>& parent)
{
  const int n = static_cast<int>(parent.size());
  std::vector<std::vector<int>> children(n + 1);  // the last: roots
  for (int k = n - 1; k >= 0; --k) children[parent[k] == -1 ? n : parent[k]].push_back(k);
  std::vector<int> result, path = {n};
  result.reserve(n);
  while (!path.empty()) {
    std::vector<int>& waiting = children[path.back()];
    if (waiting.empty()) {
      if (path.back() != n) result.push_back(path.back());
      path.pop_back();
    } else {
      const int child = waiting.back();
      waiting.pop_back();
      path.push_back(child);
    }
  }
  return result;
}

// In postorder.
std::vector<int> low_fill_order(const BlockPattern& pattern)
{
  const std::vector<int> order = minimum_degree_order(pattern);
  std::vector<int> result;
  result.reserve(order.size());
  for (const int k : postorder(elimination_tree(pattern, order))) result.push_back(order[k]);
  return result;
}

// The structure of L: of a column of A, and of all children in the tree.
Structure factor_structure(const BlockPattern& pattern, const std::vector<int>& order)
{
  const int n = pattern.rows();
  const std::vector<int> position = inverse(order);
  Structure below(n);
  for (int k = 0; k < n; ++k) {
    std::vector<int>& rows = below[k];  // by now it holds those of the children
    for (const int node : pattern.columns(order[k])) {
      if (position[node] > k) rows.push_back(position[node]);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) continue;
    std::vector<int>& parent = below[rows[0]];
    parent.insert(parent.end(), rows.begin() + 1, rows.end());
  }
  return below;
}

// Columns of L that become a supernode, while it is still open which.
struct Group {
  std::vector<int> columns;   // ascending; the last one is their root in the tree
  int below = 0;              // rows below, in blocks
  std::vector<int> children;  // groups
};

// Rough time to factor a supernode and to solve with it, in products of 3 x 3 blocks. Besides the
// products there is an overhead for each supernode, for each column (square roots wait for each
// other) and for each block that is sent to other panels.
double cost(int width, int below)
{
  const double w = width, b = below;
  const double products = w * w * w / 6.0 + w * w * b / 2.0 + w * b * b / 2.0;
  return 8.0 + 20.0 * w + b * b / 2.0 + products;
}

// Joining a child to its parent makes zeros in the child's columns, and saves a supernode.
bool worth_joining(const Group& child, const Group& parent)
{
  const int child_width = static_cast<int>(child.columns.size());
  const int parent_width = static_cast<int>(parent.columns.size());
  const int width = child_width + parent_width;
  return width <= max_supernode_width &&
         cost(width, parent.below) <=
             cost(child_width, child.below) + cost(parent_width, parent.below);
}

void join(Group& child, Group& parent)
{
  parent.columns.insert(parent.columns.end(), child.columns.begin(), child.columns.end());
  parent.children.insert(parent.children.end(), child.children.begin(), child.children.end());
  child.columns.clear();
}

// One group a column at first; then, from the leaves to the roots, children join their parents, those
// with most rows in common first. Columns must be in postorder.
std::vector<Group> group_columns(const Structure& below)
{
  const int n = static_cast<int>(below.size());
  std::vector<Group> groups(n);
  for (int k = 0; k < n; ++k) {
    Group& group = groups[k];
    group.columns = {k};
    group.below = static_cast<int>(below[k].size());
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
    if (!below[k].empty()) groups[below[k][0]].children.push_back(k);
  }
  return groups;
}

// Writes supernodes and the order in which their columns stand side by side.
void find_supernodes(const std::vector<int>& order, const Structure& below, Elimination& e)
{
  const std::vector<Group> groups = group_columns(below);
  const int n = static_cast<int>(groups.size());
  std::vector<int> parent(n, -1);
  for (int g = 0; g < n; ++g) {
    for (const int child : groups[g].children) parent[child] = g;
  }
  for (const int g : postorder(parent)) {
    if (groups[g].columns.empty()) continue;  // joined to another
    e.supernodes.push_back({.first_column = static_cast<int>(e.order.size()),
                            .width = static_cast<int>(groups[g].columns.size())});
    for (const int column : groups[g].columns) e.order.push_back(order[column]);
  }
  e.position = inverse(e.order);
}

int triangle(int width)
{
  return width * (width + 1) / 2;
}

void lay_out_panels(const Structure& below, Elimination& e)
{
  long long panel = 0;
  for (int s = 0; s < static_cast<int>(e.supernodes.size()); ++s) {
    Supernode& node = e.supernodes[s];
    const std::vector<int>& rows = below[node.first_column + node.width - 1];
    node.height = node.width + static_cast<int>(rows.size());
    node.first_row = static_cast<int>(e.rows.size());
    e.rows.insert(e.rows.end(), rows.begin(), rows.end());
    e.supernode_of.insert(e.supernode_of.end(), node.width, s);
    node.panel = static_cast<int>(panel);
    panel += 3LL * node.width * node.height;
    if (panel > std::numeric_limits<int>::max() / 4) {
      throw Error("BlockCholesky: the factor has more than 2^31 entries; use BlockPcg");
    }
    e.work += cost(node.width, static_cast<int>(rows.size()));
    e.factor_block_count += triangle(node.width) + node.width * (node.height - node.width);
  }
  e.supernodes.push_back({.first_column = static_cast<int>(below.size()),
                          .first_row = static_cast<int>(e.rows.size()),
                          .panel = static_cast<int>(panel)});
}

// The row of a supernode's panel that is row `row` of L.
int row_in_panel(const Elimination& e, const Supernode& node, int row)
{
  if (row < node.first_column + node.width) return row - node.first_column;
  const auto first = e.rows.begin() + node.first_row;
  const auto last = first + (node.height - node.width);
  const auto found = std::lower_bound(first, last, row);
  assert(found != last && *found == row);
  return node.width + static_cast<int>(found - first);
}

void find_updates(Elimination& e)
{
  for (int s = 0; s < e.supernode_count(); ++s) {
    Supernode& node = e.supernodes[s];
    node.first_update = static_cast<int>(e.updates.size());
    const int rows_below = node.height - node.width;
    const int* rows = e.rows.data() + node.first_row;
    for (int r = 0; r < rows_below;) {
      const int target = e.supernode_of[rows[r]];
      PanelUpdate update{.target = target,
                         .first_below = r,
                         .first_target_row = static_cast<int>(e.target_rows.size())};
      for (int i = r; i < rows_below; ++i) {
        e.target_rows.push_back(row_in_panel(e, e.supernodes[target], rows[i]));
      }
      while (r < rows_below && e.supernode_of[rows[r]] == target) ++r;
      update.count = r - update.first_below;
      e.updates.push_back(update);
    }
  }
  e.supernodes.back().first_update = static_cast<int>(e.updates.size());
}

void find_places(const BlockPattern& pattern, Elimination& e)
{
  e.block_count = pattern.block_count();
  for (int k = 0; k < pattern.rows(); ++k) {
    const Supernode& node = e.supernodes[e.supernode_of[k]];
    const int column = node.panel + 3 * (k - node.first_column) * node.height;
    for (const int other : pattern.columns(e.order[k])) {
      const int row = e.position[other];
      if (row < k) continue;
      e.places.push_back({.slot = pattern.slot(other, e.order[k]),
                          .place = column + row_in_panel(e, node, row),
                          .height = node.height});
    }
    e.diagonal_slots.push_back(pattern.diagonal_slot(e.order[k]));
  }
}

}  // namespace

Elimination analyse(const BlockPattern& pattern)
{
  Elimination e;
  const std::vector<int> order = low_fill_order(pattern);
  find_supernodes(order, factor_structure(pattern, order), e);
  lay_out_panels(factor_structure(pattern, e.order), e);
  find_updates(e);
  find_places(pattern, e);
  return e;
}

}  // namespace tact
