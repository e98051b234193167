#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include <tbb/parallel_for.h>

#include <linalg/block_problems.hpp>
#include <tact/linalg/elimination.hpp>
#include <tact/linalg/elimination_order.hpp>
#include <tact/linalg/joined_order.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

bool names_every_node_once(std::vector<int> order, int nodes)
{
  std::sort(order.begin(), order.end());
  std::vector<int> all(nodes);
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

// Column by column: eliminating one joins all that it is coupled with.
std::vector<std::set<int>> rows_below_by_hand(const BlockPattern& pattern,
                                              const std::vector<int>& order)
{
  const std::vector<int> position = inverse_order(order);
  std::vector<std::set<int>> below(pattern.rows());
  for (int k = 0; k < pattern.rows(); ++k) {
    for (const int node : pattern.columns(order[k]))
      if (position[node] > k) below[k].insert(position[node]);
    for (const std::set<int>& left : std::vector(below.begin(), below.begin() + k))
      if (left.contains(k)) below[k].insert(left.upper_bound(k), left.end());
  }
  return below;
}

const EliminationTask& task_with(const Elimination& e, int supernode)
{
  for (const EliminationTask& task : e.tasks)
    if (std::count(task.supernodes.begin(), task.supernodes.end(), supernode) == 1) return task;
  FAIL("no task has the supernode");
  return e.tasks[0];
}

bool is_below(const Elimination& e, const EliminationTask& task, const EliminationTask& above)
{
  return std::any_of(above.children.begin(), above.children.end(), [&](int child) {
    return &e.tasks[child] == &task || is_below(e, task, e.tasks[child]);
  });
}

int blocks_of(const BlockPattern& pattern, std::span<const int> order)
{
  return analyse(pattern, order).factor_block_count;
}

}  // namespace

TEST_CASE("both ways to find an order name every node once and find the same order again")
{
  Random random(21);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const BlockPattern& pattern = *named.pattern;
    if (pattern.rows() == 0) continue;
    CHECK(names_every_node_once(minimum_degree_order(pattern), pattern.rows()));
    CHECK(names_every_node_once(dissection_order(pattern), pattern.rows()));
    CHECK(dissection_order(pattern) == dissection_order(pattern));
  }
}

TEST_CASE("dissections that are sought at the same time are those sought one after the other")
{
  std::vector<SharedPattern> patterns;
  for (int size = 6; size < 14; ++size) patterns.push_back(tet_box(size, 6, 6));
  std::vector<std::vector<int>> alone, together(patterns.size());
  for (const SharedPattern& pattern : patterns) alone.push_back(dissection_order(*pattern));
  with_threads(4, [&] {
    tbb::parallel_for(std::size_t{0}, patterns.size(),
                      [&](std::size_t k) { together[k] = dissection_order(*patterns[k]); });
  });
  CHECK(together == alone);
}

TEST_CASE("the elimination tree has the parents and the counts of elimination by hand")
{
  Random random(22);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const BlockPattern& pattern = *named.pattern;
    std::vector<int> order(pattern.rows());
    std::iota(order.begin(), order.end(), 0);
    std::reverse(order.begin(), order.end());
    const EliminationTree tree = elimination_tree(pattern, order);
    const auto below = rows_below_by_hand(pattern, order);
    for (int k = 0; k < pattern.rows(); ++k) {
      CHECK(tree.below[k] == static_cast<int>(below[k].size()));
      CHECK(tree.parent[k] == (below[k].empty() ? -1 : *below[k].begin()));
    }
  }
}

TEST_CASE(
    "panels have room for all that elimination by hand fills in and the rows of their last column")
{
  Random random(23);
  for (const NamedPattern& named : all_patterns(random)) {
    CAPTURE(named.name);
    const BlockPattern& pattern = *named.pattern;
    const Elimination e = analyse(pattern);
    const auto below = rows_below_by_hand(pattern, e.order);
    for (int s = 0; s < e.supernode_count(); ++s) {
      const Supernode& node = e.supernodes[s];
      const int end = node.first_column + node.width;
      const auto first = e.rows.begin() + node.first_row;
      const std::set<int> rows(first, first + (node.height - node.width));
      CHECK(rows == below[end - 1]);
      for (int k = node.first_column; k < end; ++k)
        for (const int row : below[k]) CHECK((row < end || rows.contains(row)));
    }
  }
}

TEST_CASE("tasks share no supernode and send nothing but upwards")
{
  const Elimination e = analyse(*tet_box(11, 11, 11));
  REQUIRE(e.tasks.size() > 2);
  CHECK(e.parallel_work < 0.9 * e.work);
  std::vector<int> all;
  for (const EliminationTask& task : e.tasks)
    all.insert(all.end(), task.supernodes.begin(), task.supernodes.end());
  CHECK(names_every_node_once(all, e.supernode_count()));
  CHECK(std::set(e.fetches.begin(), e.fetches.end()).size() == e.fetches.size());
  for (int s = 0; s < e.supernode_count(); ++s) {
    const Supernode& node = e.supernodes[s];
    const EliminationTask& own = task_with(e, s);
    for (int u = node.first_update; u < e.supernodes[s + 1].first_update; ++u) {
      const EliminationTask& target = task_with(e, e.updates[u].target);
      CHECK((u < node.first_deferred ? &own == &target : is_below(e, own, target)));
    }
  }
}

TEST_CASE("large solids are dissected and need less work than with minimum degree")
{
  const SharedPattern box = tet_box(11, 11, 11);
  const Elimination by_degree = analyse(*box, minimum_degree_order(*box));
  const Elimination chosen = analyse(*box);
  CHECK(chosen.parallel_work < 0.8 * by_degree.parallel_work);
}

TEST_CASE("a joined order keeps the fill of meshes that a few short couples are added to")
{
  // Every eighth node of a sheet is joined to the node two to the right, which is no neighbour.
  const int width = 40;
  const SharedPattern sheet = grid(width, width);
  Couples couples, all;
  for (int node = 0; node + 2 < sheet->rows(); node += 8)
    if (node % width + 2 < width) couples.push_back({node, node + 2});
  for (int i = 0; i < sheet->rows(); ++i)
    for (const int j : sheet->columns(i)) all.push_back({i, j});
  all.insert(all.end(), couples.begin(), couples.end());
  const int body = sheet->rows();  // one more node, joined to many
  for (int node = 0; node < 200; ++node) all.push_back({node, body});
  const BlockPattern joined(body + 1, all);
  const Elimination mesh = analyse(*sheet);
  const std::vector<JoinedMesh> meshes = {{.elimination = &mesh, .first_node = 0}};
  const std::vector<int> last = {body};

  const std::vector<int> order = joined_order(meshes, last, couples, joined.rows() / 10);
  REQUIRE(names_every_node_once(order, joined.rows()));
  CHECK(order.back() == body);
  CHECK(blocks_of(joined, order) < 1.25 * blocks_of(joined, minimum_degree_order(joined)));
  std::vector<int> unmoved = mesh.order;
  unmoved.push_back(body);
  CHECK(blocks_of(joined, order) < 0.9 * blocks_of(joined, unmoved));
}

TEST_CASE("no order is joined where couples tie meshes together all over")
{
  const SharedPattern sheet = grid(20, 20);
  const Elimination mesh = analyse(*sheet);
  const std::vector<JoinedMesh> meshes = {{.elimination = &mesh, .first_node = 0},
                                          {.elimination = &mesh, .first_node = 400}};
  Couples couples;
  for (int node = 0; node < 400; ++node) couples.push_back({node, 400 + node});
  CHECK(joined_order(meshes, {}, couples, 80).empty());
  CHECK(names_every_node_once(joined_order(meshes, {}, couples, 400), 800));
  couples.resize(10);
  CHECK(names_every_node_once(joined_order(meshes, {}, couples, 80), 800));
}
