#include <tact/solvers/held/held_bodies.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <tact/core/error.hpp>
#include <tact/core/union_find.hpp>

namespace tact {
namespace {

using SparseColumns = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// Of the unit diagonal. What rows hold by less than this against each other, they do not hold: it
// is far above the rounding of the factors, and far below the stiffness of a chain of hundreds of
// links with masses of 1 : 1e6.
constexpr double regularisation = 1e-11;
constexpr int most_refinements = 30;
constexpr double worth_going_on = 0.5;  // of the error of the refinement before

std::vector<int> components_of(const ContactProblem& problem)
{
  std::vector<int> component;
  component.reserve(problem.nodes());
  for (int k = 0; k < problem.components(); ++k)
    component.insert(component.end(), problem.A[k].rows(), k);
  return component;
}

}  // namespace

struct HeldBodies::Group {
  std::vector<int> components, first_nodes;  // of the problem; first nodes of these components
  std::vector<int> rows;                     // bilateral ones of the problem
  std::vector<int> nodes;                    // of the problem, in the order of the unknowns
  SparseColumns K;                           // scaled, without eps, whole
  VectorXd scale;                            // of the unknowns: v = scale x, beta = scale y
  std::vector<int> signature;                // what the analysis depends on
  Eigen::SimplicialLDLT<SparseColumns, Eigen::Lower> factor;

  Eigen::Index size() const { return 3 * static_cast<Eigen::Index>(nodes.size()); }

  void load(const ContactProblem& problem);
  VectorXd solve(const VectorXd& right) const;
  // The right side becomes the answer.
  void correct(const std::vector<BilateralBlock>& J, const ContactProblem& problem,
               VectorXd& x) const;

 private:
  void add_matrix(const ContactProblem& problem, Triplets& entries);
  void add_rows(const ContactProblem& problem, Triplets& entries);
  std::vector<int> signature_of(const ContactProblem& problem) const;
  int place_of(int node) const
  {
    return static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
  }
};

void HeldBodies::Group::add_matrix(const ContactProblem& problem, Triplets& entries)
{
  int first = 0;
  for (const int k : components) {
    const BlockMatrix& A = problem.A[k];
    for (int row = 0; row < A.rows(); ++row) {
      int slot = A.pattern->first_slot(row);
      for (const int column : A.pattern->columns(row)) {
        const Matrix3d& block = A.blocks[slot++];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            entries.emplace_back(first + 3 * row + i, first + 3 * column + j, block(i, j));
      }
      for (int i = 0; i < 3; ++i)
        scale[first + 3 * row + i] = 1.0 / std::sqrt(A.blocks[A.pattern->diagonal_slot(row)](i, i));
    }
    first += A.size();
  }
}

void HeldBodies::Group::add_rows(const ContactProblem& problem, Triplets& entries)
{
  Eigen::Index at = size();
  for (const int r : rows) {
    const BilateralRow& row = problem.bilateral[r];
    double response = 0.0;
    for (int b = row.first; b < row.first + row.count; ++b) {
      const BilateralBlock& block = problem.bilateral_blocks[b];
      const int place = 3 * place_of(block.node);
      for (int j = 0; j < 3; ++j) {
        response += std::pow(block.J[j] * scale[place + j], 2);
        entries.emplace_back(at, place + j, block.J[j]);
        entries.emplace_back(place + j, at, block.J[j]);
      }
    }
    scale[at] = response > 0.0 ? 1.0 / std::sqrt(response) : 1.0;
    entries.emplace_back(at, at, 0.0);
    ++at;
  }
}

std::vector<int> HeldBodies::Group::signature_of(const ContactProblem& problem) const
{
  std::vector<int> found = nodes;
  for (const int k : components) {
    found.push_back(-k - 1);
    const BlockPattern& pattern = *problem.A[k].pattern;
    for (int row = 0; row < pattern.rows(); ++row)
      found.insert(found.end(), pattern.columns(row).begin(), pattern.columns(row).end());
  }
  for (const int r : rows) {
    const BilateralRow& row = problem.bilateral[r];
    found.push_back(-row.count);
    for (int b = row.first; b < row.first + row.count; ++b)
      found.push_back(problem.bilateral_blocks[b].node);
  }
  return found;
}

void HeldBodies::Group::load(const ContactProblem& problem)
{
  const Eigen::Index n = size() + static_cast<Eigen::Index>(rows.size());
  scale.setOnes(n);
  Triplets entries;
  add_matrix(problem, entries);
  add_rows(problem, entries);
  K.resize(n, n);
  K.setFromTriplets(entries.begin(), entries.end());
  K = scale.asDiagonal() * K * scale.asDiagonal();
  std::vector<int> now = signature_of(problem);
  SparseColumns regular = K;
  for (Eigen::Index i = size(); i < n; ++i) regular.coeffRef(i, i) = -regularisation;
  if (now != signature) {
    factor.analyzePattern(regular);
    signature = std::move(now);
  }
  factor.factorize(regular);
  if (factor.info() != Eigen::Success)
    throw Error(
        fmt::format("joints: {} equations between {} nodes cannot be factored: a mass or "
                    "an axis is out of proportion",
                    rows.size(), nodes.size()));
}

// Of K x = right, refined until rounding is all that is left. The best x stays.
template <class Solve>
VectorXd refined(const SparseColumns& K, const VectorXd& right, const Solve& solve)
{
  VectorXd x = VectorXd::Zero(right.size()), best = x, left = right;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_refinements; ++k) {
    x += solve(left);
    left = right - K * x;
    const double error = left.norm();
    if (!(error < least)) break;
    best = x;
    const bool goes_on = error > 0.0 && error < worth_going_on * least;
    least = error;
    if (!goes_on) break;
  }
  return best;
}

VectorXd HeldBodies::Group::solve(const VectorXd& right) const
{
  return refined(K, right, [&](const VectorXd& r) { return factor.solve(r); });
}

HeldBodies::HeldBodies() = default;
HeldBodies::~HeldBodies() = default;
HeldBodies::HeldBodies(HeldBodies&&) noexcept = default;
HeldBodies& HeldBodies::operator=(HeldBodies&&) noexcept = default;

void HeldBodies::begin(const ContactProblem& problem)
{
  begin(problem, {});
}

void HeldBodies::begin(const ContactProblem& problem, std::span<const char> tight)
{
  const auto holds = [&](std::size_t r) {
    return !problem.bilateral[r].limited() || (!tight.empty() && tight[r] != 0);
  };
  const std::vector<int> component = components_of(problem);
  UnionFind sets(problem.components());
  std::vector<char> held(problem.components(), 0);
  const auto block = [&](int b) { return component[problem.bilateral_blocks[b].node]; };
  for (std::size_t r = 0; r < problem.bilateral.size(); ++r) {
    const BilateralRow& row = problem.bilateral[r];
    if (!holds(r) && tight.empty()) continue;
    for (int b = row.first; b < row.first + row.count; ++b) {
      held[block(b)] = 1;
      if (holds(r)) sets.merge(block(row.first), block(b));
    }
  }
  std::vector<std::unique_ptr<Group>> former = std::exchange(groups_, {});
  group_of_component_.assign(problem.components(), -1);
  std::vector<int> group_of_root(problem.components(), -1);
  int node = 0;
  for (int k = 0; k < problem.components(); ++k) {
    const int first = node;
    node += problem.A[k].rows();
    if (held[k] == 0) continue;
    int& group = group_of_root[sets.root(k)];
    if (group < 0) {
      group = static_cast<int>(groups_.size());
      // That which stood there before has its analysis.
      const bool known = groups_.size() < former.size();
      groups_.push_back(known ? std::move(former[groups_.size()]) : std::make_unique<Group>());
      groups_.back()->components.clear();
      groups_.back()->nodes.clear();
      groups_.back()->rows.clear();
    }
    groups_[group]->components.push_back(k);
    for (int i = first; i < node; ++i) groups_[group]->nodes.push_back(i);
    group_of_component_[k] = group;
  }
  for (std::size_t r = 0; r < problem.bilateral.size(); ++r)
    if (holds(r))
      groups_[group_of_component_[block(problem.bilateral[r].first)]]->rows.push_back(
          static_cast<int>(r));
  for (const std::unique_ptr<Group>& group : groups_) group->load(problem);
}

void HeldBodies::move(const ContactProblem& problem, const VectorXd& p, VectorXd& v,
                      VectorXd& beta) const
{
  for (const std::unique_ptr<Group>& group : groups_) {
    // Unknown is v - v*, which no large velocity of the whole rounds.
    VectorXd right(group->scale.size());
    Eigen::Index at = 0;
    for (const int node : group->nodes) {
      right.segment<3>(at) = p.segment<3>(3 * node);
      at += 3;
    }
    for (const int r : group->rows)
      right[at++] = -bilateral_velocity(problem, problem.bilateral[r], problem.v_star);
    const VectorXd x = group->scale.cwiseProduct(group->solve(group->scale.cwiseProduct(right)));
    at = 0;
    for (const int node : group->nodes) {
      v.segment<3>(3 * node) = problem.v_star.segment<3>(3 * node) + x.segment<3>(at);
      at += 3;
    }
    for (const int r : group->rows) beta[r] = -x[at++];
  }
}

// [ A  -B' ] [ dv    ]   [ 0       ]
// [ J   0  ] [ dbeta ] = [ missing ], scaled and refined as the symmetric one.
void HeldBodies::Group::correct(const std::vector<BilateralBlock>& J, const ContactProblem& problem,
                                VectorXd& x) const
{
  SparseColumns N = K;
  for (Eigen::Index column = 0; column < size(); ++column)
    for (SparseColumns::InnerIterator entry(N, column); entry; ++entry)
      if (entry.row() >= size()) entry.valueRef() = 0.0;
  Eigen::Index at = size();
  for (const int r : rows) {
    const BilateralRow& row = problem.bilateral[r];
    for (int b = row.first; b < row.first + row.count; ++b) {
      const int place = 3 * place_of(J[b].node);
      for (int j = 0; j < 3; ++j)
        N.coeffRef(at, place + j) = scale[at] * J[b].J[j] * scale[place + j];
    }
    ++at;
  }
  SparseColumns regular = N;
  for (Eigen::Index i = size(); i < N.rows(); ++i) regular.coeffRef(i, i) = -regularisation;
  const Eigen::SparseLU<SparseColumns> lu(regular);
  if (lu.info() != Eigen::Success) return;
  x = refined(N, scale.cwiseProduct(x), [&](const VectorXd& r) { return lu.solve(r); });
  x = scale.cwiseProduct(x);
}

void HeldBodies::correct(const ContactProblem& problem, const std::vector<BilateralBlock>& J,
                         const VectorXd& missing, VectorXd& v, VectorXd& beta) const
{
  for (const std::unique_ptr<Group>& group : groups_) {
    VectorXd x = VectorXd::Zero(group->scale.size());
    Eigen::Index at = group->size();
    for (const int r : group->rows) x[at++] = missing[r];
    if (x.isZero(0.0)) continue;
    group->correct(J, problem, x);
    at = 0;
    for (const int node : group->nodes) {
      v.segment<3>(3 * node) += x.segment<3>(at);
      at += 3;
    }
    for (const int r : group->rows) beta[r] -= x[at++];
  }
}

void HeldBodies::respond(int number, const VectorXd& p, VectorXd& v) const
{
  const Group& group = *groups_[number];
  VectorXd right = VectorXd::Zero(group.scale.size());
  Eigen::Index at = 0;
  for (const int node : group.nodes) {
    right.segment<3>(at) = p.segment<3>(3 * node);
    at += 3;
  }
  const VectorXd x = group.scale.cwiseProduct(group.solve(group.scale.cwiseProduct(right)));
  at = 0;
  for (const int node : group.nodes) {
    v.segment<3>(3 * node) = x.segment<3>(at);
    at += 3;
  }
}

}  // namespace tact
