#include <tact/linalg/elimination_tasks.hpp>

#include <algorithm>

namespace tact {

namespace {

// Products of blocks in a subtree that becomes a task: some 700 us to factor, 30 us to solve with.
// With more and smaller tasks solves spend their time on what tasks fetch from each other.
constexpr double worth_a_task = 5e5;

// The tree of supernodes: a run of supernodes that ends with s is its subtree.
struct Subtrees {
  std::vector<int> first;  // supernode of the subtree
  std::vector<double> work;
  std::vector<std::vector<int>> heavy;  // children whose subtrees are worth a task
  std::vector<int> roots;               // those of them that have no parent
};

Subtrees find_subtrees(const Elimination& e)
{
  const int n = e.supernode_count();
  Subtrees trees{.first = std::vector<int>(n, n),
                 .work = std::vector<double>(n, 0.0),
                 .heavy = std::vector<std::vector<int>>(n),
                 .roots = {}};
  for (int s = 0; s < n; ++s) {
    const Supernode& node = e.supernodes[s];
    const int below = node.height - node.width;
    trees.first[s] = std::min(trees.first[s], s);
    trees.work[s] += supernode_work(node.width, below);
    const int parent = below == 0 ? -1 : e.supernode_of[e.rows[node.first_row]];
    if (parent != -1) {
      trees.first[parent] = std::min(trees.first[parent], trees.first[s]);
      trees.work[parent] += trees.work[s];
    }
    if (trees.work[s] < worth_a_task) continue;
    (parent == -1 ? trees.roots : trees.heavy[parent]).push_back(s);
  }
  return trees;
}

// A task that ends below the branches that the heads, or what is left of a single one on the way
// down, part into.
class TaskMaker {
 public:
  TaskMaker(const Subtrees& trees, Elimination& e)
      : trees_(trees), e_(e), task_of_(e.supernode_count(), 0)
  {
  }

  int add(std::vector<int> heads)
  {
    const int task = static_cast<int>(e_.tasks.size());
    e_.tasks.emplace_back();
    for (const int head : heads)
      std::fill(task_of_.begin() + trees_.first[head], task_of_.begin() + head + 1, task);
    while (heads.size() == 1) heads = trees_.heavy[heads[0]];
    for (const int head : heads) {
      const int child = add({head});
      e_.tasks[task].children.push_back(child);
    }
    return task;
  }

  const std::vector<int>& task_of() const { return task_of_; }

 private:
  const Subtrees& trees_;
  Elimination& e_;
  std::vector<int> task_of_;
};

void defer_updates(const std::vector<int>& task_of, Elimination& e)
{
  std::vector<std::vector<int>> fetches(e.supernode_count());
  for (int s = 0; s < e.supernode_count(); ++s) {
    Supernode& node = e.supernodes[s];
    const int last = e.supernodes[s + 1].first_update;
    node.first_deferred = node.first_update;
    node.own_height = node.width;
    while (node.first_deferred < last &&
           task_of[e.updates[node.first_deferred].target] == task_of[s]) {
      node.own_height += e.updates[node.first_deferred++].count;
    }
    for (int u = node.first_deferred; u < last; ++u) fetches[e.updates[u].target].push_back(u);
  }
  for (int s = 0; s < e.supernode_count(); ++s) {
    e.supernodes[s].first_fetch = static_cast<int>(e.fetches.size());
    e.fetches.insert(e.fetches.end(), fetches[s].begin(), fetches[s].end());
    EliminationTask& task = e.tasks[task_of[s]];
    task.supernodes.push_back(s);
    if (!fetches[s].empty()) task.fetching.push_back(s);
  }
  e.supernodes.back().first_fetch = static_cast<int>(e.fetches.size());
}

// The longest way from a leaf to the given task, which no number of threads can shorten.
double longest_way(const Elimination& e, int task)
{
  double own = 0.0, below = 0.0;
  for (const int s : e.tasks[task].supernodes) {
    const Supernode& node = e.supernodes[s];
    own += supernode_work(node.width, node.height - node.width);
  }
  for (const int child : e.tasks[task].children) below = std::max(below, longest_way(e, child));
  return own + below;
}

}  // namespace

double supernode_work(int width, int below)
{
  const double w = width, b = below;
  const double products = w * w * w / 6.0 + w * w * b / 2.0 + w * b * b / 2.0;
  return 8.0 + 20.0 * w + b * b / 2.0 + products;
}

void find_tasks(Elimination& e)
{
  const Subtrees trees = find_subtrees(e);
  TaskMaker maker(trees, e);
  maker.add(trees.roots);
  defer_updates(maker.task_of(), e);
  e.parallel_work = 0.5 * (e.work + longest_way(e, 0));  // at most so much (Brent 1974)
}

}  // namespace tact
