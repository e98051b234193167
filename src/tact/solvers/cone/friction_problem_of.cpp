#include <tact/solvers/cone/friction_problem_of.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include <fmt/core.h>

#include <tact/contact/compliance.hpp>
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

// What the contacts have of one component; bilateral rows are contacts behind them.
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

// Calls `each` with the number and the block of every contact and bilateral row, in order.
template <class Each>
void for_each_block(const ContactProblem& problem, const Each& each)
{
  int c = 0;
  for (const ContactRows& contact : problem.contacts) {
    for (int b = contact.first; b < contact.first + contact.count; ++b) each(c, problem.blocks[b]);
    ++c;
  }
  for (const BilateralRow& row : problem.bilateral) {
    for (int b = row.first; b < row.first + row.count; ++b)
      each(c, as_first_row(problem.bilateral_blocks[b]));
    ++c;
  }
}

int blocks_of(const ContactProblem& problem)
{
  return problem.size() + static_cast<int>(problem.bilateral.size());
}

std::vector<std::vector<Member>> members_of_components(const ContactProblem& problem)
{
  const std::vector<int> component = components_of_nodes(problem);
  std::vector<std::vector<Member>> members(problem.A.size());
  for_each_block(problem, [&](int c, const RowBlock& block) {
    auto& of_component = members[component[block.node]];
    if (of_component.empty() || of_component.back().contact != c) of_component.push_back({c, {}});
    of_component.back().blocks.push_back(block);
  });
  return members;
}

// Where a contact stands in a component: three slots from 3 place on.
struct Standing {
  int component;
  int place;
};

// Three rows of W, summed up over the components of a contact.
class RowGatherer {
 public:
  explicit RowGatherer(int contacts)
      : rows_(Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, 3 * contacts)), seen_(contacts)
  {
  }

  void add(const Compliance& compliance, const std::vector<Member>& members, int place)
  {
    for (std::size_t other = 0; other < members.size(); ++other) {
      const int contact = members[other].contact;
      if (!seen_[contact]) touched_.push_back(contact);
      seen_[contact] = 1;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          rows_(i, 3 * contact + j) += compliance.row(3 * place + i)[3 * other + j];
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

CondensedContact::CondensedContact(const ContactProblem& problem) : problem_(problem)
{
  factors_.reserve(problem.A.size());
  for (const BlockMatrix& A : problem.A)
    if (!factors_.emplace_back(*A.pattern).factor(A))
      throw Error(fmt::format("contact problem: component {}: A is not positive definite",
                              factors_.size() - 1));
}

FrictionProblem CondensedContact::friction_problem() const
{
  const int n = blocks_of(problem_);
  const auto members = members_of_components(problem_);
  std::vector<Compliance> compliances(members.size());
  std::vector<std::vector<Standing>> standings(n);
  int first_node = 0;
  for (int k = 0; k < problem_.components(); ++k) {
    std::vector<std::span<const RowBlock>> columns;
    for (const Member& member : members[k]) {
      standings[member.contact].push_back({k, static_cast<int>(columns.size())});
      columns.emplace_back(member.blocks);
    }
    if (!columns.empty()) compliances[k].append(factors_[k], columns, first_node);
    first_node += problem_.A[k].rows();
  }
  FrictionProblem condensed{3, SparseRows(3 * n, 3 * n), VectorXd::Zero(3 * n),
                            VectorXd(problem_.size())};
  RowGatherer gatherer(n);
  for (int c = 0; c < n; ++c) {
    for (const Standing& at : standings[c])
      gatherer.add(compliances[at.component], members[at.component], at.place);
    gatherer.write(condensed.W, c);
  }
  condensed.W.finalize();
  for (int c = 0; c < problem_.size(); ++c) {
    condensed.q.segment<3>(3 * c) =
        contact_velocity(problem_, problem_.contacts[c], problem_.v_star);
    condensed.mu[c] = problem_.contacts[c].mu;
  }
  load_rows(condensed);
  return condensed;
}

FrictionProblem CondensedContact::local_problem() const
{
  return is_planar(problem_) ? in_plane(friction_problem()) : friction_problem();
}

void CondensedContact::load_rows(FrictionProblem& condensed) const
{
  const auto rows = static_cast<Eigen::Index>(problem_.bilateral.size());
  condensed.lower.resize(rows);
  condensed.upper.resize(rows);
  for (Eigen::Index r = 0; r < rows; ++r) {
    const BilateralRow& row = problem_.bilateral[r];
    condensed.q[3 * (problem_.size() + r)] = bilateral_velocity(problem_, row, problem_.v_star);
    condensed.lower[r] = row.lower;
    condensed.upper[r] = row.upper;
  }
}

VectorXd CondensedContact::impulses(const ContactSolution& solution) const
{
  const auto rows = static_cast<Eigen::Index>(problem_.bilateral.size());
  if (rows == 0) return solution.lambda;
  VectorXd all = VectorXd::Zero(3 * blocks_of(problem_));
  if (solution.lambda.size() == 3 * problem_.size())
    all.head(3 * problem_.size()) = solution.lambda;
  if (solution.beta.size() == rows)
    for (Eigen::Index r = 0; r < rows; ++r) all[3 * (problem_.size() + r)] = solution.beta[r];
  return all;
}

ContactSolution CondensedContact::solution(const VectorXd& impulses) const
{
  ContactSolution found{.v = {}, .lambda = impulses.head(3 * problem_.size())};
  found.beta.resize(static_cast<Eigen::Index>(problem_.bilateral.size()));
  for (Eigen::Index r = 0; r < found.beta.size(); ++r)
    found.beta[r] = impulses[3 * (problem_.size() + r)];
  found.v = generalised_impulse(problem_, found.lambda);
  add_bilateral_impulse(problem_, found.beta, found.v);
  respond(found.v);
  found.v += problem_.v_star;
  return found;
}

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
  for_each_block(problem, [&](int c, const RowBlock& block) {
    while (form.J.contacts() < c) form.J.close_contact();
    form.J.add(block);
  });
  while (form.J.contacts() < blocks_of(problem)) form.J.close_contact();
  return form;
}

double condensed_entries(const ContactProblem& problem)
{
  double entries = 0.0;
  for (const auto& members : members_of_components(problem)) {
    const auto rows = 3.0 * static_cast<double>(members.size());
    entries += rows * rows;
  }
  return entries;
}

}  // namespace tact
