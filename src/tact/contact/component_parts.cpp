#include <tact/contact/component_parts.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <tbb/parallel_for.h>
#include <Eigen/LU>

#include <tact/core/error.hpp>

namespace tact {
namespace {

// W of so many contacts takes 100 MB; above, sweeps over it would be slow as well.
constexpr int max_exact_contacts = 1200;

// Power iteration comes from below: after 10 steps it is 4 to 10 % short on sheets and on cubes.
constexpr int om_steps = 10;
constexpr double om_margin = 1.12;

}  // namespace

void ComponentParts::begin(const ContactProblem& problem, const DiagonalBlocks& D,
                           int max_exact_nodes, std::span<const BlockCholesky* const> factors)
{
  parts_.resize(problem.A.size());
  component_of_node_.resize(problem.nodes());
  int node = 0;
  for (int k = 0; k < size(); ++k) {
    Part& part = parts_[k];
    part.first_node = node;
    part.nodes = problem.A[k].rows();
    part.bodies = 0;
    for (; node < part.first_node + part.nodes; ++node) {
      component_of_node_[node] = k;
      if (D.partner(node) <= node) ++part.bodies;
    }
    part.treatment = part.bodies == 1                ? Treatment::direct
                     : part.nodes <= max_exact_nodes ? Treatment::exact
                                                     : Treatment::nodal;
    part.factor = factors.empty() ? nullptr : factors[k];
    part.contacts = 0;
    part.compliance.clear();
    part.AZ.clear();
    part.om = part.treatment == Treatment::direct ? 1.0 : 0.0;
    part.fresh.clear();
  }
}

void ComponentParts::make_factor(const ContactProblem& problem, int component)
{
  Part& part = parts_[component];
  const auto& pattern = problem.A[component].pattern;
  if (part.own_pattern != pattern) {
    part.own_factor = std::make_unique<BlockCholesky>(*pattern);
    part.own_pattern = pattern;
  }
  if (!part.own_factor->factor(problem.A[component])) {
    throw Error(
        fmt::format("contact problem: component {}: A is not positive definite", component));
  }
  part.factor = part.own_factor.get();
}

void ComponentParts::append(const ContactProblem& problem, ContactSides& sides, int first)
{
  for (int c = first; c < sides.contacts(); ++c) {
    for (const Side& side : sides.of(c)) {
      Part& part = parts_[side.component];
      ++part.contacts;
      if (part.treatment == Treatment::exact && part.contacts > max_exact_contacts)
        part.treatment = Treatment::nodal;
    }
  }
  with_fresh_.clear();
  for (int c = first; c < sides.contacts(); ++c) {
    for (Side& side : sides.of(c)) {
      Part& part = parts_[side.component];
      if (part.treatment != Treatment::exact) continue;
      if (part.fresh.empty()) with_fresh_.push_back(side.component);
      part.fresh.push_back(&side);
    }
  }
  tbb::parallel_for(0, static_cast<int>(with_fresh_.size()), [&](int k) {
    Part& part = parts_[with_fresh_[k]];
    if (part.factor == nullptr) make_factor(problem, with_fresh_[k]);
    append_fresh(sides, part);
  });
}

// Sides that begin late in the order of elimination share columns of Y with others that do: then
// these begin late as a whole.
void ComponentParts::append_fresh(const ContactSides& sides, Part& part)
{
  const std::vector<int>& position = part.factor->position();
  for (Side* side : part.fresh) {
    side->first_row = part.nodes;
    for (const RowBlock& block : sides.blocks(*side)) {
      side->first_row = std::min(side->first_row, position[block.node - part.first_node]);
    }
  }
  std::sort(part.fresh.begin(), part.fresh.end(), [](const Side* a, const Side* b) {
    return a->first_row != b->first_row ? a->first_row < b->first_row : a < b;
  });
  part.columns.clear();
  int slot = part.compliance.slots();
  for (Side* side : part.fresh) {
    side->slot = slot;
    slot += 3;
    part.columns.push_back(sides.blocks(*side));
  }
  part.compliance.append(*part.factor, part.columns, part.first_node);
  part.fresh.clear();
}

void ComponentParts::find_om(const ContactProblem& problem, const DiagonalBlocks& D, Part& part)
{
  if (part.om > 0.0) return;
  const BlockMatrix& A = problem.A[component_of_node_[part.first_node]];
  VectorXd& x = part.om_vector;
  x.resize(A.size());
  // Rough: the largest eigenvalue belongs to neighbours that move apart. Always the same, so that
  // the answer does not depend on problems solved before.
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = i % 7 < 3 ? 1.0 : -1.0;
  double growth = 0.0;
  for (int step = 0; step < om_steps; ++step) {
    x.normalize();
    multiply(A, x, part.om_product);
    for (int i = 0; i < part.nodes; ++i) {
      x.segment<3>(3 * i) = D.solve(part.first_node + i, part.om_product.data() + 3 * i);
    }
    growth = x.norm();
  }
  part.om = std::max(1.0, om_margin * growth);
}

void ComponentParts::find_whole(const ContactProblem& problem, const DiagonalBlocks& D, Part& part)
{
  if (!part.AZ.empty()) return;
  const BlockMatrix& A = problem.A[component_of_node_[part.first_node]];
  part.AZ.assign(part.nodes, Matrix3d::Zero());
  Matrix3d whole = Matrix3d::Zero();
  for (int i = 0; i < part.nodes; ++i) {
    int slot = A.pattern->first_slot(i);
    for (const int column : A.pattern->columns(i)) {
      if (!D.turns(part.first_node + column)) part.AZ[i] += A.blocks[slot];
      ++slot;
    }
    if (!D.turns(part.first_node + i)) whole += part.AZ[i];
  }
  part.per_whole = whole.inverse();
}

}  // namespace tact
