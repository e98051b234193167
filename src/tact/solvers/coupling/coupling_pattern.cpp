#include <tact/solvers/coupling/coupling_pattern.hpp>

#include <algorithm>
#include <numeric>

#include <Eigen/LU>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr double rank_threshold = 1e-9;  // of the largest pivot, with arms in units of the longest

// The contacts of every body, and of every node, by their place in the pattern.
struct PlaceLists {
  std::vector<std::vector<int>> of_body, of_node;
};

PlaceLists list_places(const CoupledProblem& problem, const std::vector<int>& place)
{
  PlaceLists lists{std::vector<std::vector<int>>(problem.bodies.size()),
                   std::vector<std::vector<int>>(problem.nodes.size())};
  for (int c = 0; c < problem.size(); ++c) {
    for (const BodySupport& support : problem.bodies_of(problem.contacts[c])) {
      lists.of_body[support.body].push_back(place[c]);
    }
    for (const NodeSupport& support : problem.nodes_of(problem.contacts[c])) {
      lists.of_node[support.node].push_back(place[c]);
    }
  }
  return lists;
}

void add_runs(int row, std::vector<int>& columns, std::vector<PatternRun>& runs)
{
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0 && columns[k] == columns[k - 1] + 1) {
      ++runs.back().last;
    } else {
      runs.push_back({row, columns[k], columns[k] + 1});
    }
  }
}

// B_d = J_2 P_2^-1 J_2' has the rank of J_2, and that is the rank of J_2' J_2.
int rank_of_bodies(const CoupledProblem& problem)
{
  const int size = 6 * problem.body_count();
  if (size == 0) return 0;
  double reach = 0.0;
  for (const BodySupport& support : problem.body_supports) {
    reach = std::max(reach, support.arm.norm());
  }
  MatrixXd gram = MatrixXd::Zero(size, size);
  for (const CoupledContact& contact : problem.contacts) {
    for (BodySupport a : problem.bodies_of(contact)) {
      if (reach > 0.0) a.arm /= reach;
      for (BodySupport b : problem.bodies_of(contact)) {
        if (reach > 0.0) b.arm /= reach;
        gram.block<6, 6>(6 * a.body, 6 * b.body) +=
            a.rows(contact.frame).transpose() * b.rows(contact.frame);
      }
    }
  }
  Eigen::FullPivLU<MatrixXd> factors(gram);
  factors.setThreshold(rank_threshold);
  return static_cast<int>(factors.rank());
}

}  // namespace

long CouplingPattern::entries(const std::vector<PatternRun>& runs)
{
  long sum = 0;
  for (const PatternRun& run : runs) sum += run.last - run.first;
  return sum;
}

CouplingPattern coupling_pattern(const ContactProblem& problem)
{
  std::vector<int> all(problem.size());
  std::iota(all.begin(), all.end(), 0);
  return coupling_pattern(problem, all);
}

CouplingPattern coupling_pattern(const ContactProblem& problem, std::span<const int> contacts)
{
  DiagonalBlocks D;
  CoupledProblem coupled;
  if (!D.load(problem) || !coupled.load(problem, D, contacts)) {
    throw Error("pattern of a contact problem: its rows are not made of frames, arms and weights");
  }
  CouplingPattern pattern;
  pattern.contacts = coupled.size();
  pattern.rigid_bodies = coupled.body_count();
  pattern.dense_rank = rank_of_bodies(coupled);
  std::vector<int> by_set(contacts.size()), place(contacts.size());
  std::iota(by_set.begin(), by_set.end(), 0);
  std::stable_sort(by_set.begin(), by_set.end(), [&](int a, int b) {
    return coupled.contacts[a].set() < coupled.contacts[b].set();
  });
  for (std::size_t k = 0; k < by_set.size(); ++k) place[by_set[k]] = static_cast<int>(k);
  const PlaceLists lists = list_places(coupled, place);
  std::vector<int> columns;
  for (const int c : by_set) {
    const CoupledContact& contact = coupled.contacts[c];
    const ConstraintSet set = contact.set();
    ++(set == ConstraintSet::deformable ? pattern.deformable
       : set == ConstraintSet::rigid    ? pattern.rigid
                                        : pattern.mixed);
    columns.clear();
    for (const NodeSupport& support : coupled.nodes_of(contact)) {
      const std::vector<int>& list = lists.of_node[support.node];
      columns.insert(columns.end(), list.begin(), list.end());
    }
    add_runs(place[c], columns, pattern.sparse);
    for (const BodySupport& support : coupled.bodies_of(contact)) {
      const std::vector<int>& list = lists.of_body[support.body];
      columns.insert(columns.end(), list.begin(), list.end());
    }
    add_runs(place[c], columns, pattern.full);
  }
  return pattern;
}

}  // namespace tact
