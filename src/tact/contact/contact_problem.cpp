#include <tact/contact/contact_problem.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include <tact/contact/diagonal_blocks.hpp>
#include <tact/core/error.hpp>
#include <tact/linalg/row_chunks.hpp>

namespace tact {
namespace {

void check_matrix(const BlockMatrix& A, int component)
{
  const std::string who = fmt::format("contact problem: component {}", component);
  if (!A.pattern || A.rows() == 0) throw Error(who + ": A is empty, expected at least one node");
  const int blocks = A.pattern->block_count();
  if (static_cast<int>(A.blocks.size()) != blocks) {
    throw Error(fmt::format("{}: A has {} blocks, expected {} by its pattern", who, A.blocks.size(),
                            blocks));
  }
  double scale = 0.0;
  for (const Matrix3d& block : A.blocks) {
    if (!block.allFinite()) throw Error(who + ": A is not finite");
    scale = std::max(scale, block.cwiseAbs().maxCoeff());
  }
  for (int row = 0; row < A.rows(); ++row) {
    int slot = A.pattern->first_slot(row);
    for (const int column : A.pattern->columns(row)) {
      const Matrix3d& mirror = A.blocks[A.pattern->slot(column, row)];
      if ((A.blocks[slot++] - mirror.transpose()).cwiseAbs().maxCoeff() > 1e-10 * scale) {
        throw Error(fmt::format("{}: A is not symmetric in block ({}, {})", who, row, column));
      }
    }
  }
}

void check_rigid(const ContactProblem& problem, const std::vector<int>& first)
{
  int free = 0;  // the first node that no body has taken
  auto component = first.begin();
  for (const int node : problem.rigid) {
    if (node < free || node >= problem.nodes()) {
      throw Error(fmt::format(
          "contact problem: rigid body at node {}, expected ascending nodes from {} to {}", node,
          free, problem.nodes() - 2));
    }
    while (*(component + 1) <= node) ++component;
    if (node + 2 > *(component + 1)) {
      throw Error(fmt::format(
          "contact problem: rigid body at node {} needs two nodes of its component, found one",
          node));
    }
    free = node + 2;
  }
}

// The blocks of a contact or a bilateral row.
template <class Block, class Rows>
void check_blocks(const ContactProblem& problem, const std::vector<Block>& all, const Rows& rows,
                  const std::string& who)
{
  if (rows.first < 0 || rows.count < 1 || rows.first + rows.count > static_cast<int>(all.size())) {
    throw Error(fmt::format("{}: blocks {} to {}, expected at least one of 0 to {}", who,
                            rows.first, rows.first + rows.count - 1,
                            static_cast<int>(all.size()) - 1));
  }
  const Block* blocks = all.data() + rows.first;
  for (int i = 0; i < rows.count; ++i) {
    const int node = blocks[i].node;
    if (node < 0 || node >= problem.nodes()) {
      throw Error(fmt::format("{}: node is {}, expected 0 to {}", who, node, problem.nodes() - 1));
    }
    if (!blocks[i].J.allFinite()) throw Error(who + ": J is not finite");
    for (int j = 0; j < i; ++j) {
      if (blocks[j].node == node) throw Error(fmt::format("{}: node {} stands twice", who, node));
    }
  }
}

void check_contact(const ContactProblem& problem, int index)
{
  const ContactRows& contact = problem.contacts[index];
  const std::string who = fmt::format("contact problem: contact {}", index);
  check_blocks(problem, problem.blocks, contact, who);
  if (!contact.bias.allFinite()) throw Error(who + ": bias is not finite");
  if (!(contact.mu >= 0.0) || !std::isfinite(contact.mu)) {
    throw Error(fmt::format("{}: mu is {}, expected a number >= 0", who, contact.mu));
  }
  if (!(contact.restitution >= 0.0 && contact.restitution <= 1.0)) {
    throw Error(fmt::format("{}: restitution is {}, expected 0 to 1", who, contact.restitution));
  }
  if (!std::isfinite(contact.approach)) throw Error(who + ": approach is not finite");
}

void check_bilateral(const ContactProblem& problem, int index)
{
  const BilateralRow& row = problem.bilateral[index];
  const std::string who = fmt::format("contact problem: bilateral row {}", index);
  check_blocks(problem, problem.bilateral_blocks, row, who);
  if (!std::isfinite(row.bias)) throw Error(who + ": bias is not finite");
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (!(row.lower <= row.upper && row.lower < infinite && row.upper > -infinite)) {
    throw Error(fmt::format("{}: limits {} and {}, expected the lower one first", who, row.lower,
                            row.upper));
  }
}

}  // namespace

void validate(const ContactProblem& problem)
{
  for (int k = 0; k < problem.components(); ++k) check_matrix(problem.A[k], k);
  const std::vector<int> first = first_nodes(problem);
  if (problem.v_star.size() != 3 * first.back()) {
    throw Error(fmt::format("contact problem: v_star has {} entries, expected {} (3 a node)",
                            problem.v_star.size(), 3 * first.back()));
  }
  if (!problem.v_star.allFinite()) throw Error("contact problem: v_star is not finite");
  if (problem.rest.size() != 0 && problem.rest.size() != problem.v_star.size())
    throw Error(fmt::format("contact problem: rest has {} entries, expected none or {}",
                            problem.rest.size(), problem.v_star.size()));
  if (!problem.rest.allFinite()) throw Error("contact problem: rest is not finite");
  check_rigid(problem, first);
  DiagonalBlocks D;
  if (!D.load(problem)) {
    throw Error(
        "contact problem: a diagonal block of A is not positive definite; masses and inertias must "
        "be > 0");
  }
  for (int c = 0; c < problem.size(); ++c) check_contact(problem, c);
  for (std::size_t r = 0; r < problem.bilateral.size(); ++r)
    check_bilateral(problem, static_cast<int>(r));
  validate(problem.groups, problem.size());
}

std::vector<int> first_nodes(const ContactProblem& problem)
{
  std::vector<int> first = {0};
  for (const BlockMatrix& A : problem.A) first.push_back(first.back() + A.rows());
  return first;
}

Vector3d contact_velocity(const ContactProblem& problem, const ContactRows& contact,
                          const VectorXd& v)
{
  Vector3d u = contact.effective_bias();
  for (int b = contact.first; b < contact.first + contact.count; ++b) {
    u += problem.blocks[b].J * v.segment<3>(3 * problem.blocks[b].node);
  }
  return u;
}

VectorXd contact_velocities(const ContactProblem& problem, const VectorXd& v)
{
  VectorXd u(3 * problem.size());
  int row = 0;
  for (const ContactRows& contact : problem.contacts) {
    u.segment<3>(row) = contact_velocity(problem, contact, v);
    row += 3;
  }
  return u;
}

double bilateral_velocity(const ContactProblem& problem, const BilateralRow& row, const VectorXd& v)
{
  double w = row.bias;
  for (int b = row.first; b < row.first + row.count; ++b) {
    const BilateralBlock& block = problem.bilateral_blocks[b];
    w += block.J.dot(v.segment<3>(3 * block.node));
  }
  return w;
}

VectorXd generalised_impulse(const ContactProblem& problem, const VectorXd& lambda)
{
  VectorXd impulse;
  generalised_impulse(problem, lambda, impulse);
  return impulse;
}

void generalised_impulse(const ContactProblem& problem, const VectorXd& lambda, VectorXd& impulse)
{
  impulse.setZero(problem.v_star.size());
  int row = 0;
  for (const ContactRows& contact : problem.contacts) {
    const Vector3d lambda_c = lambda.segment<3>(row);
    row += 3;
    if (lambda_c.isZero(0.0)) continue;
    for (int b = contact.first; b < contact.first + contact.count; ++b) {
      impulse.segment<3>(3 * problem.blocks[b].node) += problem.blocks[b].J.transpose() * lambda_c;
    }
  }
}

void add_bilateral_impulse(const ContactProblem& problem, const VectorXd& beta, VectorXd& impulse)
{
  Eigen::Index r = 0;
  for (const BilateralRow& row : problem.bilateral) {
    for (int b = row.first; b < row.first + row.count; ++b) {
      const BilateralBlock& block = problem.bilateral_blocks[b];
      impulse.segment<3>(3 * block.node) += block.J.transpose() * beta[r];
    }
    ++r;
  }
}

void multiply(const ContactProblem& problem, const VectorXd& x, VectorXd& y)
{
  y.resize(x.size());
  int first = 0;
  for (const BlockMatrix& A : problem.A) {
    for_row_chunks(*A.pattern, [&](RowChunk rows) {
      multiply_rows(A, rows, x.data() + 3 * first, y.data() + 3 * first);
    });
    first += A.rows();
  }
}

}  // namespace tact
