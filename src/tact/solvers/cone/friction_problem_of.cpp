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

// What the contacts have of one component.
struct Member {
  int contact;
  std::vector<RowBlock> blocks;
};

std::vector<std::vector<Member>> members_of_components(const ContactProblem& problem)
{
  const std::vector<int> component = components_of_nodes(problem);
  std::vector<std::vector<Member>> members(problem.A.size());
  for (int c = 0; c < problem.size(); ++c) {
    const ContactRows& contact = problem.contacts[c];
    for (int b = contact.first; b < contact.first + contact.count; ++b) {
      const RowBlock& block = problem.blocks[b];
      auto& of_component = members[component[block.node]];
      if (of_component.empty() || of_component.back().contact != c) of_component.push_back({c, {}});
      of_component.back().blocks.push_back(block);
    }
  }
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
  const int n = problem_.size();
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
  FrictionProblem condensed{3, SparseRows(3 * n, 3 * n), VectorXd(3 * n), VectorXd(n)};
  RowGatherer gatherer(n);
  for (int c = 0; c < n; ++c) {
    for (const Standing& at : standings[c])
      gatherer.add(compliances[at.component], members[at.component], at.place);
    gatherer.write(condensed.W, c);
    condensed.q.segment<3>(3 * c) =
        contact_velocity(problem_, problem_.contacts[c], problem_.v_star);
    condensed.mu[c] = problem_.contacts[c].mu;
  }
  condensed.W.finalize();
  return condensed;
}

VectorXd CondensedContact::response(const VectorXd& lambda) const
{
  VectorXd v = generalised_impulse(problem_, lambda);
  VectorXd part;
  int first = 0;
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    part = v.segment(first, problem_.A[k].size());
    factors_[k].solve(part);
    v.segment(first, part.size()) = part;
    first += problem_.A[k].size();
  }
  return v;
}

VectorXd CondensedContact::velocity(const VectorXd& lambda) const
{
  return response(lambda) + problem_.v_star;
}

VelocityForm velocity_form(const ContactProblem& problem)
{
  VelocityForm form{.A = joined(problem.A), .first = {0}, .parts = {}};
  form.parts.reserve(problem.blocks.size());
  for (const ContactRows& contact : problem.contacts) {
    for (int b = contact.first; b < contact.first + contact.count; ++b)
      form.parts.push_back({problem.blocks[b].node, problem.blocks[b].J});
    form.first.push_back(static_cast<int>(form.parts.size()));
  }
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
