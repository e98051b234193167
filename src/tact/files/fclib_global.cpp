#include <tact/files/fclib_global.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace tact {
namespace {

using Triplet = Eigen::Triplet<double>;

template <class Visit>
void for_entries(const SparseRows& matrix, const Visit& visit)
{
  for (int row = 0; row < matrix.rows(); ++row)
    for (SparseRows::InnerIterator it(matrix, row); it; ++it)
      if (it.value() != 0.0) visit(row, static_cast<int>(it.col()), it.value());
}

void require_sizes(const GlobalForm& form)
{
  const auto n = form.M.rows(), m = form.dimension * form.mu.size();
  const auto fits = [&](bool holds, const char* what) {
    if (!holds)
      throw Error(fmt::format("friction problem: {} has another size than M and mu say", what));
  };
  fits(form.M.cols() == n, "M");
  fits(form.H.rows() == n && form.H.cols() == m, "H");
  fits(form.G.cols() == 0 || form.G.rows() == n, "G");
  fits(form.f.size() == n, "f");
  fits(form.w.size() == m, "w");
  fits(form.b.size() == form.G.cols(), "b");
}

// The nodes of M with their couples, cut where nothing couples those before to those behind.
void add_components(const GlobalForm& form, ContactProblem& problem)
{
  const auto unknowns = static_cast<int>(form.M.rows()), nodes = (unknowns + 2) / 3;
  std::vector<int> furthest(nodes);
  for (int node = 0; node < nodes; ++node) furthest[node] = node;
  for_entries(form.M, [&](int row, int column, double) {
    int& reached = furthest[std::min(row, column) / 3];
    reached = std::max(reached, std::max(row, column) / 3);
  });
  for (int first = 0; first < nodes;) {
    int last = furthest[first];
    for (int node = first; node <= last; ++node) last = std::max(last, furthest[node]);
    std::vector<std::array<int, 2>> couples;
    std::vector<Triplet> entries;
    for (int row = 3 * first; row < std::min(unknowns, 3 * last + 3); ++row)
      for (SparseRows::InnerIterator it(form.M, row); it; ++it) {
        const int i = row - 3 * first, j = static_cast<int>(it.col()) - 3 * first;
        if (it.value() == 0.0) continue;
        entries.emplace_back(i, j, it.value());
        if (i / 3 != j / 3) couples.push_back({i / 3, j / 3});
      }
    BlockMatrix A = zero_matrix(std::make_shared<const BlockPattern>(last + 1 - first, couples));
    for (const Triplet& e : entries)
      A.blocks[A.pattern->slot(e.row() / 3, e.col() / 3)](e.row() % 3, e.col() % 3) += e.value();
    for (int filled = unknowns; filled < 3 * last + 3; ++filled)
      A.blocks[A.pattern->diagonal_slot(last - first)](filled % 3, filled % 3) = 1.0;
    problem.A.push_back(std::move(A));
    first = last + 1;
  }
}

// v* = M^-1 f
void set_free_velocity(const GlobalForm& form, ContactProblem& problem)
{
  const int nodes = static_cast<int>(form.M.rows() + 2) / 3;
  problem.v_star.setZero(3 * nodes);
  problem.v_star.head(form.f.size()) = form.f;
  Eigen::Index first = 0;
  for (const BlockMatrix& A : problem.A) {
    BlockCholesky factor(*A.pattern);
    VectorXd part = problem.v_star.segment(first, A.size());
    if (factor.factor(A))
      factor.solve(part);
    else
      part.setConstant(std::numeric_limits<double>::quiet_NaN());
    if (!part.allFinite())
      throw Error(
          fmt::format("friction problem: M is not positive definite among unknowns {} to {}", first,
                      first + A.size() - 1));
    problem.v_star.segment(first, A.size()) = part;
    first += A.size();
  }
}

// Columns of H or G, node by node; one that is zero gets a block of zeros.
template <class Block>
std::vector<std::map<int, Block>> blocks_of_columns(const SparseRows& matrix, int columns_each,
                                                    Eigen::Index count)
{
  std::vector<std::map<int, Block>> blocks(count);
  for_entries(matrix, [&](int row, int column, double value) {
    Block& block = blocks[column / columns_each].try_emplace(row / 3, Block::Zero()).first->second;
    block(column % columns_each, row % 3) += value;
  });
  for (auto& of_column : blocks)
    if (of_column.empty()) of_column.try_emplace(0, Block::Zero());
  return blocks;
}

void add_contacts(const GlobalForm& form, ContactProblem& problem)
{
  const auto all = blocks_of_columns<Matrix3d>(form.H, form.dimension, form.mu.size());
  for (Eigen::Index c = 0; c < form.mu.size(); ++c) {
    ContactRows rows{.first = static_cast<int>(problem.blocks.size()),
                     .count = static_cast<int>(all[c].size()),
                     .mu = form.mu[c]};
    rows.bias.head(form.dimension) = form.w.segment(form.dimension * c, form.dimension);
    for (const auto& [node, J] : all[c]) problem.blocks.push_back({node, J});
    problem.contacts.push_back(rows);
  }
}

void add_joints(const GlobalForm& form, ContactProblem& problem)
{
  const auto all = blocks_of_columns<RowVector3d>(form.G, 1, form.b.size());
  for (Eigen::Index r = 0; r < form.b.size(); ++r) {
    problem.bilateral.push_back({.first = static_cast<int>(problem.bilateral_blocks.size()),
                                 .count = static_cast<int>(all[r].size()),
                                 .bias = form.b[r]});
    for (const auto& [node, J] : all[r]) problem.bilateral_blocks.push_back({node, J});
  }
}

// Three times as many rows as there are nodes; a block of rows to its columns.
template <class Block, class Rows>
SparseRows columns_of(const std::vector<Rows>& all, const std::vector<Block>& blocks, int unknowns,
                      int columns_each)
{
  std::vector<Triplet> entries;
  for (std::size_t c = 0; c < all.size(); ++c)
    for (int b = all[c].first; b < all[c].first + all[c].count; ++b)
      for (int k = 0; k < columns_each; ++k)
        for (int i = 0; i < 3; ++i)
          if (blocks[b].J(k, i) != 0.0)
            entries.emplace_back(3 * blocks[b].node + i, columns_each * static_cast<int>(c) + k,
                                 blocks[b].J(k, i));
  SparseRows matrix(unknowns, columns_each * static_cast<int>(all.size()));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SparseRows joined_matrix(const ContactProblem& problem)
{
  std::vector<Triplet> entries;
  int first = 0;
  for (const BlockMatrix& A : problem.A) {
    for (int row = 0; row < A.rows(); ++row) {
      int slot = A.pattern->first_slot(row);
      for (const int column : A.pattern->columns(row)) {
        const Matrix3d& block = A.blocks[slot++];
        for (int k = 0; k < 9; ++k)
          if (block(k / 3, k % 3) != 0.0)
            entries.emplace_back(first + 3 * row + k / 3, first + 3 * column + k % 3,
                                 block(k / 3, k % 3));
      }
    }
    first += A.size();
  }
  SparseRows M(first, first);
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

}  // namespace

ContactProblem contact_problem(const GlobalForm& form)
{
  require_sizes(form);
  ContactProblem problem;
  add_components(form, problem);
  set_free_velocity(form, problem);
  add_contacts(form, problem);
  add_joints(form, problem);
  validate(problem);
  return problem;
}

GlobalForm global_form(const ContactProblem& problem)
{
  if (!problem.groups.empty())
    throw Error(fmt::format("found {} groups of sides, expected contacts that all hold",
                            problem.groups.size()));
  GlobalForm form{.dimension = is_planar(problem) ? 2 : 3};
  const int d = form.dimension, unknowns = static_cast<int>(problem.v_star.size());
  form.M = joined_matrix(problem);
  form.H = columns_of(problem.contacts, problem.blocks, unknowns, d);
  form.G = columns_of(problem.bilateral, problem.bilateral_blocks, unknowns, 1);
  multiply(problem, problem.v_star, form.f);
  form.w.resize(d * problem.size());
  form.mu.resize(problem.size());
  for (int c = 0; c < problem.size(); ++c) {
    form.w.segment(d * c, d) = problem.contacts[c].effective_bias().head(d);
    form.mu[c] = problem.contacts[c].mu;
  }
  form.b.resize(static_cast<Eigen::Index>(problem.bilateral.size()));
  for (Eigen::Index r = 0; r < form.b.size(); ++r) {
    const BilateralRow& row = problem.bilateral[r];
    if (row.limited()) throw Error("found a bilateral row with limits, expected equations only");
    form.b[r] = row.bias;
  }
  return form;
}

}  // namespace tact
