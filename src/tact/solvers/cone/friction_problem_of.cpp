#include <tact/solvers/cone/friction_problem_of.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>

#include <fmt/core.h>

#include <tact/contact/compliance.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/core/error.hpp>
#include <tact/linalg/placed_matrix.hpp>

namespace tact {
namespace {

std::vector<int> components_of_nodes(const ContactProblem& problem)
{
  std::vector<int> component;
  component.reserve(problem.nodes());
  for (int k = 0; k < problem.components(); ++k)
    component.insert(component.end(), problem.A[k].rows(), k);
  return component;
}

// What the contacts have of one component, or of several: bilateral rows are contacts behind them.
struct Member {
  int contact;
  std::vector<RowBlock> blocks;
};

RowBlock as_first_row(const BilateralBlock& block)
{
  RowBlock first{.node = block.node};
  first.J.row(0) = block.J;
  return first;
}

// Calls `each` with the number and block of every contact and of these bilateral rows, in order.
template <class Each>
void for_each_block(const ContactProblem& problem, std::span<const int> rows, const Each& each)
{
  int c = 0;
  for (const ContactRows& contact : problem.contacts) {
    for (int b = contact.first; b < contact.first + contact.count; ++b) each(c, problem.blocks[b]);
    ++c;
  }
  for (const int r : rows) {
    const BilateralRow& row = problem.bilateral[r];
    for (int b = row.first; b < row.first + row.count; ++b)
      each(c, as_first_row(problem.bilateral_blocks[b]));
    ++c;
  }
}

std::vector<int> all_rows(const ContactProblem& problem)
{
  std::vector<int> rows(problem.bilateral.size());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// By the part that each node is of: a component, or several that equations hold together.
std::vector<std::vector<Member>> members_of_parts(const ContactProblem& problem,
                                                  std::span<const int> rows,
                                                  std::span<const int> part_of_node, int parts)
{
  std::vector<std::vector<Member>> members(parts);
  for_each_block(problem, rows, [&](int c, const RowBlock& block) {
    auto& of_part = members[part_of_node[block.node]];
    if (of_part.empty() || of_part.back().contact != c) of_part.push_back({c, {}});
    of_part.back().blocks.push_back(block);
  });
  return members;
}

// Three rows of W, summed up over the parts of a contact.
class RowGatherer {
 public:
  explicit RowGatherer(int contacts)
      : rows_(Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, 3 * contacts)), seen_(contacts)
  {
  }

  // entry(i, k, j): of row i of the contact and row j of the k-th member.
  template <class Entry>
  void add(const std::vector<Member>& members, const Entry& entry)
  {
    for (int k = 0; k < static_cast<int>(members.size()); ++k) {
      const int contact = members[k].contact;
      if (!seen_[contact]) touched_.push_back(contact);
      seen_[contact] = 1;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) rows_(i, 3 * contact + j) += entry(i, k, j);
    }
  }

  // Appends the rows of the contact to W, and forgets them.
  void write(SparseRows& W, int contact)
  {
    std::sort(touched_.begin(), touched_.end());
    for (int i = 0; i < 3; ++i) {
      W.startVec(3 * contact + i);
      for (const int other : touched_)
        for (int j = 0; j < 3; ++j)
          W.insertBack(3 * contact + i, 3 * other + j) = rows_(i, 3 * other + j);
    }
    for (const int other : touched_) {
      rows_.middleCols<3>(3 * other).setZero();
      seen_[other] = 0;
    }
    touched_.clear();
  }

 private:
  Eigen::Matrix<double, 3, Eigen::Dynamic> rows_;
  std::vector<char> seen_;
  std::vector<int> touched_;
};

// The components of A one after the other, in one matrix.
BlockMatrix joined(const std::vector<BlockMatrix>& components)
{
  std::vector<std::array<int, 2>> couples;
  int rows = 0;
  for (const BlockMatrix& A : components) {
    add_couples(*A.pattern, rows, couples);
    rows += A.rows();
  }
  BlockMatrix whole = zero_matrix(std::make_shared<const BlockPattern>(rows, couples));
  auto block = whole.blocks.begin();  // slots run row by row
  for (const BlockMatrix& A : components)
    block = std::copy(A.blocks.begin(), A.blocks.end(), block);
  return whole;
}

}  // namespace

// Where a contact stands in a part: three slots of its compliance from 3 place on, or rows of its
// response.
struct CondensedContact::Standing {
  int part;
  int place;
};

CondensedContact::CondensedContact(const ContactProblem& problem, Equations equations)
    : problem_(problem), rows_(all_rows(problem))
{
  if (equations == Equations::eliminated) {
    held_.begin(problem);
    std::erase_if(rows_, [&](int r) { return !problem.bilateral[r].limited(); });
  }
  factors_.reserve(problem.A.size());
  for (const BlockMatrix& A : problem.A)
    if (!factors_.emplace_back(*A.pattern).factor(A))
      throw Error(fmt::format("contact problem: component {}: A is not positive definite",
                              factors_.size() - 1));
}

FrictionProblem CondensedContact::friction_problem() const
{
  const int n = blocks(), components = problem_.components();
  const int parts = components + held_.group_count();
  std::vector<int> part = components_of_nodes(problem_);
  for (int& k : part)
    if (!held_.empty() && held_.group_of(k) >= 0) k = components + held_.group_of(k);
  const auto members = members_of_parts(problem_, rows_, part, parts);
  std::vector<Compliance> compliances(components);
  std::vector<MatrixXd> responses(held_.group_count());
  std::vector<std::vector<Standing>> standings(n);
  int first_node = 0;
  for (int k = 0; k < parts; ++k) {
    std::vector<std::span<const RowBlock>> columns;
    for (const Member& member : members[k]) {
      standings[member.contact].push_back({k, static_cast<int>(columns.size())});
      columns.emplace_back(member.blocks);
    }
    if (k >= components && !columns.empty())
      responses[k - components] = response_of(k - components, columns);
    if (k < components && !columns.empty()) compliances[k].append(factors_[k], columns, first_node);
    if (k < components) first_node += problem_.A[k].rows();
  }
  FrictionProblem condensed{3, SparseRows(3 * n, 3 * n), VectorXd::Zero(3 * n),
                            VectorXd(problem_.size())};
  RowGatherer gatherer(n);
  for (int c = 0; c < n; ++c) {
    for (const auto& [k, place] : standings[c]) {
      if (k < components)
        gatherer.add(members[k], [&, row = 3 * place, &W = compliances[k]](int i, int m, int j) {
          return W.row(row + i)[3 * m + j];
        });
      else
        gatherer.add(members[k], [&, row = 3 * place, &W = responses[k - components]](
                                     int i, int m, int j) { return W(row + i, 3 * m + j); });
    }
    gatherer.write(condensed.W, c);
  }
  condensed.W.finalize();
  load_free_velocities(condensed);
  if (!held_.empty()) leave_out_immovable(condensed);
  return condensed;
}

// J K J' of contacts and rows on a group of held bodies, column by column.
MatrixXd CondensedContact::response_of(int group,
                                       std::span<const std::span<const RowBlock>> columns) const
{
  const auto n = 3 * static_cast<Eigen::Index>(columns.size());
  MatrixXd W = MatrixXd::Zero(n, n);
  VectorXd impulse = VectorXd::Zero(problem_.v_star.size()), v = impulse;
  for (Eigen::Index column = 0; column < n; ++column) {
    for (const RowBlock& block : columns[column / 3])
      impulse.segment<3>(3 * block.node) += block.J.row(column % 3).transpose();
    if (!impulse.isZero(0.0)) {
      held_.respond(group, impulse, v);
      for (Eigen::Index row = 0; row < n; row += 3)
        for (const RowBlock& block : columns[row / 3])
          W.block<3, 1>(row, column) += block.J * v.segment<3>(3 * block.node);
    }
    for (const RowBlock& block : columns[column / 3]) impulse.segment<3>(3 * block.node).setZero();
  }
  return 0.5 * (W + W.transpose());
}

FrictionProblem CondensedContact::local_problem() const
{
  return is_planar(problem_) ? in_plane(friction_problem()) : friction_problem();
}

// q and what is known of the impulses.
void CondensedContact::load_free_velocities(FrictionProblem& condensed) const
{
  VectorXd v = problem_.v_star, beta = VectorXd::Zero(problem_.bilateral.size());
  held_.move(problem_, VectorXd::Zero(v.size()), v, beta);
  for (int c = 0; c < problem_.size(); ++c) {
    condensed.q.segment<3>(3 * c) = contact_velocity(problem_, problem_.contacts[c], v);
    condensed.mu[c] = problem_.contacts[c].mu;
  }
  const auto rows = static_cast<Eigen::Index>(rows_.size());
  condensed.lower.resize(rows);
  condensed.upper.resize(rows);
  for (Eigen::Index r = 0; r < rows; ++r) {
    const BilateralRow& row = problem_.bilateral[rows_[r]];
    condensed.q[3 * (problem_.size() + r)] = bilateral_velocity(problem_, row, v);
    condensed.lower[r] = row.lower;
    condensed.upper[r] = row.upper;
  }
}

// Between bodies that equations hold still, rounding is all that is left of W: no impulse moves
// them, and none is needed. A row with limits is at the one that its motion asks for.
void CondensedContact::leave_out_immovable(FrictionProblem& condensed) const
{
  constexpr double rounding = 1e-9;  // of the response of free bodies
  DiagonalBlocks D;
  if (!D.load(problem_)) return;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Eigen::Index at = 3 * (problem_.size() + static_cast<Eigen::Index>(r));
    if (condensed.W.coeff(at, at) >=
        rounding * tact::response(problem_, D, problem_.bilateral[rows_[r]]))
      continue;
    const auto k = static_cast<Eigen::Index>(r);
    const double bound = condensed.q[at] > 0.0 ? condensed.lower[k] : condensed.upper[k];
    if (condensed.q[at] != 0.0 && std::isfinite(bound))
      condensed.lower[k] = condensed.upper[k] = bound;
  }
  std::vector<char> immovable(condensed.blocks(), 0);
  for (int c = 0; c < problem_.size(); ++c)
    if (condensed.W.coeff(3 * c, 3 * c) <
        rounding * tact::response(problem_, D, problem_.contacts[c]))
      immovable[c] = 1;
  if (std::ranges::count(immovable, 1) == 0) return;
  condensed.W.prune([&](Eigen::Index row, Eigen::Index column, double) {
    return immovable[row / 3] == 0 && immovable[column / 3] == 0;
  });
  for (int c = 0; c < problem_.size(); ++c)
    if (immovable[c] != 0) condensed.q.segment<3>(3 * c) = Vector3d::Zero();
}

VectorXd CondensedContact::impulses(const ContactSolution& solution) const
{
  if (rows_.empty()) return solution.lambda;
  VectorXd all = VectorXd::Zero(3 * blocks());
  if (solution.lambda.size() == 3 * problem_.size())
    all.head(3 * problem_.size()) = solution.lambda;
  if (solution.beta.size() != static_cast<Eigen::Index>(problem_.bilateral.size())) return all;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    all[3 * (problem_.size() + static_cast<Eigen::Index>(r))] = solution.beta[rows_[r]];
  return all;
}

ContactSolution CondensedContact::solution(const VectorXd& impulses) const
{
  ContactSolution found{.v = {}, .lambda = impulses.head(3 * problem_.size())};
  found.beta.setZero(static_cast<Eigen::Index>(problem_.bilateral.size()));
  for (std::size_t r = 0; r < rows_.size(); ++r)
    found.beta[rows_[r]] = impulses[3 * (problem_.size() + static_cast<Eigen::Index>(r))];
  VectorXd pushed = generalised_impulse(problem_, found.lambda);
  add_bilateral_impulse(problem_, found.beta, pushed);
  found.v = pushed;
  respond(found.v);
  found.v += problem_.v_star;
  held_.move(problem_, pushed, found.v, found.beta);
  return found;
}

// Of what equations hold, as if they did not.
void CondensedContact::respond(VectorXd& impulse) const
{
  VectorXd part;
  int first = 0;
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    part = impulse.segment(first, problem_.A[k].size());
    factors_[k].solve(part);
    impulse.segment(first, part.size()) = part;
    first += problem_.A[k].size();
  }
}

VectorXd CondensedContact::response(const VectorXd& lambda) const
{
  VectorXd v = generalised_impulse(problem_, lambda);
  respond(v);
  return v;
}

bool is_planar(const ContactProblem& problem)
{
  const auto is_flat = [&](const ContactRows& contact) {
    const auto blocks = std::span(problem.blocks).subspan(contact.first, contact.count);
    return contact.bias[2] == 0.0 && std::ranges::all_of(blocks, [](const RowBlock& block) {
             return block.J.row(2).isZero(0.0);
           });
  };
  return problem.size() > 0 && std::ranges::all_of(problem.contacts, is_flat);
}

VelocityForm velocity_form(const ContactProblem& problem)
{
  VelocityForm form{.A = joined(problem.A), .J = {}};
  const std::vector<int> rows = all_rows(problem);
  for_each_block(problem, rows, [&](int c, const RowBlock& block) {
    while (form.J.contacts() < c) form.J.close_contact();
    form.J.add(block);
  });
  const int all = problem.size() + static_cast<int>(rows.size());
  while (form.J.contacts() < all) form.J.close_contact();
  return form;
}

double condensed_entries(const ContactProblem& problem)
{
  double entries = 0.0;
  const auto members = members_of_parts(problem, all_rows(problem), components_of_nodes(problem),
                                        problem.components());
  for (const auto& of_part : members) {
    const auto rows = 3.0 * static_cast<double>(of_part.size());
    entries += rows * rows;
  }
  return entries;
}

}  // namespace tact
