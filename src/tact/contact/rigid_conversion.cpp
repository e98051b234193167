#include <tact/contact/rigid_conversion.hpp>

#include <array>
#include <memory>

namespace tact {
namespace {

bool only_rigid_bodies(const ContactProblem& problem)
{
  if (problem.rigid.size() != problem.A.size()) return false;
  for (int b = 0; b < problem.components(); ++b) {
    if (problem.A[b].rows() != 2 || problem.rigid[b] != 2 * b) return false;
  }
  return true;
}

bool convert(const ContactProblem& problem, const ContactRows& from, RigidContactRows& to)
{
  to = {
      .bias = from.bias, .mu = from.mu, .restitution = from.restitution, .approach = from.approach};
  to.body_a = problem.blocks[from.first].node / 2;
  for (int i = from.first; i < from.first + from.count; ++i) {
    const auto& [node, J] = problem.blocks[i];
    const int body = node / 2;
    if (body != to.body_a && to.body_b == fixed_body) to.body_b = body;
    if (body != to.body_a && body != to.body_b) return false;
    (body == to.body_a ? to.J_a : to.J_b).middleCols<3>(node % 2 * 3) = J;
  }
  return true;
}

void add_blocks(int body, const Matrix36d& J, ContactProblem& problem)
{
  problem.blocks.push_back({2 * body, J.leftCols<3>()});
  problem.blocks.push_back({2 * body + 1, J.rightCols<3>()});
}

}  // namespace

std::optional<RigidContactProblem> as_rigid(const ContactProblem& problem)
{
  if (!only_rigid_bodies(problem)) return std::nullopt;
  RigidContactProblem rigid;
  for (const BlockMatrix& A : problem.A) rigid.A.push_back(to_dense(A));
  rigid.v_star = problem.v_star;
  for (const ContactRows& contact : problem.contacts) {
    if (!convert(problem, contact, rigid.contacts.emplace_back())) return std::nullopt;
  }
  return rigid;
}

std::optional<ContactProblem> as_general(const RigidContactProblem& problem)
{
  if (!problem.bilateral.empty()) return std::nullopt;
  ContactProblem general;
  const std::array<std::array<int, 2>, 1> couple = {{{0, 1}}};
  const auto pattern = std::make_shared<const BlockPattern>(2, couple);
  for (int b = 0; b < problem.bodies(); ++b) {
    BlockMatrix& A = general.A.emplace_back(zero_matrix(pattern));
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) {
        A.blocks[pattern->slot(i, j)] = problem.A[b].block<3, 3>(3 * i, 3 * j);
      }
    }
    general.rigid.push_back(2 * b);
  }
  general.v_star = problem.v_star;
  for (const RigidContactRows& from : problem.contacts) {
    general.contacts.push_back({.first = static_cast<int>(general.blocks.size()),
                                .count = from.body_b == fixed_body ? 2 : 4,
                                .bias = from.bias,
                                .mu = from.mu,
                                .restitution = from.restitution,
                                .approach = from.approach});
    add_blocks(from.body_a, from.J_a, general);
    if (from.body_b != fixed_body) add_blocks(from.body_b, from.J_b, general);
  }
  return general;
}

}  // namespace tact
