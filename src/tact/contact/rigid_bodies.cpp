#include <tact/contact/rigid_bodies.hpp>

#include <array>
#include <memory>

namespace tact {
namespace {

std::shared_ptr<const BlockPattern> pattern_of_body()
{
  static const std::array<std::array<int, 2>, 1> couple = {{{0, 1}}};
  static const auto pattern = std::make_shared<const BlockPattern>(2, couple);
  return pattern;
}

template <class Block, int rows>
int append_blocks(std::vector<Block>& blocks, const BodyRows<rows>& pair)
{
  const auto append = [&](int body, const typename BodyRows<rows>::Rows& J) {
    blocks.push_back({2 * body, J.template leftCols<3>()});
    blocks.push_back({2 * body + 1, J.template rightCols<3>()});
  };
  append(pair.body_a, pair.J_a);
  if (pair.body_b == fixed_body) return 2;
  append(pair.body_b, pair.J_b);
  return 4;
}

template <int rows, class Block>
BodyRows<rows> pair_of_blocks(const Block* blocks, int count)
{
  BodyRows<rows> pair;
  pair.body_a = blocks[0].node / 2;
  for (int i = 0; i < count; ++i) {
    const int body = blocks[i].node / 2;
    if (body != pair.body_a) pair.body_b = body;
    auto& J = body == pair.body_a ? pair.J_a : pair.J_b;
    J.template middleCols<3>(blocks[i].node % 2 * 3) = blocks[i].J;
  }
  return pair;
}

template <class Block, class Rows>
bool has_two_bodies(const std::vector<Block>& blocks, const std::vector<Rows>& all)
{
  for (const Rows& rows : all) {
    const int body_a = blocks[rows.first].node / 2;
    int body_b = body_a;
    for (int i = rows.first; i < rows.first + rows.count; ++i) {
      const int body = blocks[i].node / 2;
      if (body_b == body_a) body_b = body;
      if (body != body_a && body != body_b) return false;
    }
  }
  return true;
}

}  // namespace

void add_rigid_body(ContactProblem& problem, const Matrix6d& A, const Vector6d& v_star)
{
  problem.rigid.push_back(problem.nodes());
  BlockMatrix& blocks = problem.A.emplace_back(zero_matrix(pattern_of_body()));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      blocks.blocks[blocks.pattern->slot(i, j)] = A.block<3, 3>(3 * i, 3 * j);
  problem.v_star.conservativeResize(problem.v_star.size() + 6);
  problem.v_star.tail<6>() = v_star;
}

void add_contact(ContactProblem& problem, const BodyRows<3>& pair, ContactRows rows)
{
  rows.first = static_cast<int>(problem.blocks.size());
  rows.count = append_blocks(problem.blocks, pair);
  problem.contacts.push_back(rows);
}

void add_bilateral(ContactProblem& problem, const BodyRows<1>& pair, BilateralRow row)
{
  row.first = static_cast<int>(problem.bilateral_blocks.size());
  row.count = append_blocks(problem.bilateral_blocks, pair);
  problem.bilateral.push_back(row);
}

bool only_rigid_bodies(const ContactProblem& problem)
{
  if (problem.rigid.size() != problem.A.size()) return false;
  for (int b = 0; b < problem.components(); ++b)
    if (problem.A[b].rows() != 2 || problem.rigid[b] != 2 * b) return false;
  return has_two_bodies(problem.blocks, problem.contacts) &&
         has_two_bodies(problem.bilateral_blocks, problem.bilateral);
}

Matrix6d body_matrix(const ContactProblem& problem, int body)
{
  const BlockMatrix& blocks = problem.A[body];
  Matrix6d A = Matrix6d::Zero();
  for (int row = 0; row < 2; ++row) {
    int slot = blocks.pattern->first_slot(row);
    for (const int column : blocks.pattern->columns(row))
      A.block<3, 3>(3 * row, 3 * column) = blocks.blocks[slot++];
  }
  return A;
}

BodyRows<3> body_rows(const ContactProblem& problem, const ContactRows& contact)
{
  return pair_of_blocks<3>(problem.blocks.data() + contact.first, contact.count);
}

BodyRows<1> body_rows(const ContactProblem& problem, const BilateralRow& row)
{
  return pair_of_blocks<1>(problem.bilateral_blocks.data() + row.first, row.count);
}

}  // namespace tact
