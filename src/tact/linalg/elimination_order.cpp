#include <tact/linalg/elimination_order.hpp>

#include <mutex>
#include <new>

#include <metis.h>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <tact/core/error.hpp>

namespace tact {

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

std::vector<int> dissection_order(const BlockPattern& pattern)
{
  idx_t n = pattern.rows();
  std::vector<idx_t> first = {0}, neighbours;
  for (int row = 0; row < n; ++row) {
    for (const int column : pattern.columns(row)) {
      if (column != row) neighbours.push_back(column);
    }
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  if (neighbours.empty())
    return minimum_degree_order(pattern);  // METIS takes no graph without edges
  std::vector<idx_t> order(n), position(n), options(METIS_NOPTIONS);
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  static std::mutex one_at_a_time;  // METIS draws from the one generator of the C library
  const std::scoped_lock lock(one_at_a_time);
  const int status = METIS_NodeND(&n, first.data(), neighbours.data(), nullptr, options.data(),
                                  order.data(), position.data());
  if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
  if (status != METIS_OK) throw Error("dissection_order: METIS found no order of the nodes");
  return {order.begin(), order.end()};
}

// Liu's tree: row k of L has the columns that are met on the way from the columns of A in this row
// up to k. The ways are walked in full, since each column met is a row below one.
EliminationTree elimination_tree(const BlockPattern& pattern, std::span<const int> order)
{
  const int n = pattern.rows();
  const std::vector<int> position = inverse_order(order);
  EliminationTree tree{.parent = std::vector<int>(n, -1), .below = std::vector<int>(n, 0)};
  std::vector<int> met(n, -1);  // in row
  for (int k = 0; k < n; ++k) {
    met[k] = k;
    for (const int node : pattern.columns(order[k])) {
      if (position[node] > k) continue;
      for (int column = position[node]; met[column] != k; column = tree.parent[column]) {
        if (tree.parent[column] == -1) tree.parent[column] = k;
        ++tree.below[column];
        met[column] = k;
      }
    }
  }
  return tree;
}

std::vector<int> postorder(std::span<const int> parent)
{
  const int n = static_cast<int>(parent.size());
  std::vector<int> first_child(n + 1, -1), sibling(n, -1);  // the last: of the roots
  for (int k = n - 1; k >= 0; --k) {
    int& first = first_child[parent[k] == -1 ? n : parent[k]];
    sibling[k] = first;
    first = k;
  }
  std::vector<int> result, path = {n};
  result.reserve(n);
  while (!path.empty()) {
    const int node = path.back(), child = first_child[node];
    if (child == -1) {
      if (node != n) result.push_back(node);
      path.pop_back();
    } else {
      first_child[node] = sibling[child];
      path.push_back(child);
    }
  }
  return result;
}

std::vector<int> inverse_order(std::span<const int> order)
{
  std::vector<int> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<int>(k);
  return position;
}

}  // namespace tact
