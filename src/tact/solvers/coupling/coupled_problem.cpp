#include <tact/solvers/coupling/coupled_problem.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace tact {
namespace {

constexpr double form_tolerance = 1e-9;  // of rows, which are made of unit vectors

// Largest weight of a block that moves points: cbrt(det J), J = weight F with F right-handed.
double weight_of(const Matrix3d& J)
{
  return std::cbrt(J.determinant());
}

Matrix3d skew(const Vector3d& r)
{
  Matrix3d S;
  S << 0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0;
  return S;
}

bool is_angular(const DiagonalBlocks& D, int node)
{
  return D.partner(node) >= 0 && D.partner(node) < node;
}

// F from the block with the largest weight. False where there is none, or where it is no frame.
bool find_frame(std::span<const RowBlock> blocks, const DiagonalBlocks& D, Matrix3d& frame)
{
  double largest = 0.0;
  for (const RowBlock& block : blocks) {
    if (is_angular(D, block.node)) continue;
    const double weight = weight_of(block.J);
    if (std::abs(weight) <= std::abs(largest)) continue;
    largest = weight;
    frame = block.J / weight;
  }
  return largest != 0.0 &&
         (frame * frame.transpose() - Matrix3d::Identity()).norm() <= form_tolerance;
}

std::span<const RowBlock> blocks_of(const ContactProblem& problem, int contact)
{
  const ContactRows& rows = problem.contacts[contact];
  return {problem.blocks.data() + rows.first, static_cast<std::size_t>(rows.count)};
}

// Where a contact comes in the order: by its first node, those without one last.
int rank_of(const ContactProblem& problem, const DiagonalBlocks& D, int contact)
{
  int first_node = std::numeric_limits<int>::max(), first_body = first_node;
  for (const RowBlock& block : blocks_of(problem, contact)) {
    int& first = D.partner(block.node) < 0 ? first_node : first_body;
    first = std::min(first, block.node);
  }
  const bool rigid = first_node == std::numeric_limits<int>::max();
  return rigid ? problem.nodes() + std::min(first_body, problem.nodes()) : first_node;
}

}  // namespace

Matrix36d BodySupport::rows(const Matrix3d& frame) const
{
  Matrix36d J;
  J << weight * frame, -weight * frame * skew(arm);
  return J;
}

bool CoupledProblem::load(const ContactProblem& problem, const DiagonalBlocks& D,
                          std::span<const int> chosen, std::span<const double> om)
{
  contacts.clear();
  body_supports.clear();
  node_supports.clear();
  bodies.clear();
  nodes.clear();
  place_of_node_.assign(problem.nodes(), -1);
  std::vector<int> rank(chosen.size()), sorted(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) rank[k] = rank_of(problem, D, chosen[k]);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return rank[a] < rank[b]; });
  order.resize(chosen.size());
  contacts.reserve(chosen.size());
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    order[k] = chosen[sorted[k]];
    if (!add_contact(problem, D, order[k])) return false;
  }
  load_blocks(problem, D, om);
  for (CoupledContact& contact : contacts) finish_contact(contact);
  return true;
}

bool CoupledProblem::add_contact(const ContactProblem& problem, const DiagonalBlocks& D,
                                 int contact)
{
  const ContactRows& rows = problem.contacts[contact];
  const std::span<const RowBlock> blocks = blocks_of(problem, contact);
  CoupledContact& added = contacts.emplace_back();
  if (!find_frame(blocks, D, added.frame)) return false;
  added.q = contact_velocity(problem, rows, problem.v_star);
  added.mu = rows.mu;
  added.scale = response(problem, D, rows);
  added.first_body = static_cast<int>(body_supports.size());
  added.first_node = static_cast<int>(node_supports.size());
  for (const RowBlock& block : blocks) {
    const int partner = D.partner(block.node);
    const auto other = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const RowBlock& b) { return b.node == partner; });
    if (is_angular(D, block.node)) {
      if (other == blocks.end()) return false;  // turns a body about a point that it does not push
      continue;
    }
    if (partner >= 0) {
      const Matrix3d angular = other == blocks.end() ? Matrix3d(Matrix3d::Zero()) : other->J;
      if (!add_body(block, angular, D, added.frame)) return false;
      continue;
    }
    const double weight = block.J.row(0).dot(added.frame.row(0));
    if ((block.J - weight * added.frame).norm() > form_tolerance) return false;
    int& place = place_of_node_[block.node];
    if (place < 0) {
      place = static_cast<int>(nodes.size());
      nodes.push_back({.node = block.node});
    }
    ++nodes[place].contacts;
    node_supports.push_back({.node = place, .weight = weight});
  }
  added.last_body = static_cast<int>(body_supports.size());
  added.last_node = static_cast<int>(node_supports.size());
  return true;
}

// The angular block is -weight F skew(arm).
bool CoupledProblem::add_body(const RowBlock& linear, const Matrix3d& angular,
                              const DiagonalBlocks& D, const Matrix3d& frame)
{
  const double weight = linear.J.row(0).dot(frame.row(0));
  if ((linear.J - weight * frame).norm() > form_tolerance || weight == 0.0) return false;
  const Matrix3d S = frame.transpose() * angular / -weight;
  if ((S + S.transpose()).norm() > form_tolerance * (1.0 + S.norm())) return false;
  int& place = place_of_node_[linear.node];
  if (place < 0) {
    place = static_cast<int>(bodies.size());
    bodies.push_back({.node = linear.node});
  }
  ++bodies[place].contacts;
  body_supports.push_back({.body = place, .weight = weight, .arm = {S(2, 1), S(0, 2), S(1, 0)}});
  return D.partner(linear.node) == linear.node + 1;
}

void CoupledProblem::load_blocks(const ContactProblem& problem, const DiagonalBlocks& D,
                                 std::span<const double> om)
{
  std::vector<double> per_om(problem.nodes(), 1.0);
  int first = 0;
  for (std::size_t k = 0; k < om.size(); first += problem.A[k].rows(), ++k) {
    std::fill_n(per_om.begin() + first, problem.A[k].rows(), 1.0 / om[k]);
  }
  for (CoupledBody& body : bodies) {
    const int i = body.node;
    body.inverse << D.own(i), D.cross(i), D.cross(i + 1), D.own(i + 1);
    body.inverse *= per_om[i];
    body.mass = body.inverse.inverse();
  }
  for (CoupledNode& node : nodes) node.inverse = per_om[node.node] * D.own(node.node);
}

void CoupledProblem::finish_contact(CoupledContact& contact) const
{
  contact.W.setZero();
  for (const NodeSupport& support : nodes_of(contact)) {
    contact.W += support.weight * support.weight * nodes[support.node].inverse;
  }
  contact.W = contact.frame * contact.W * contact.frame.transpose();
  contact.nodal = contact.W;
  for (const BodySupport& support : bodies_of(contact)) {
    const Matrix36d J = support.rows(contact.frame);
    contact.W += J * bodies[support.body].inverse * J.transpose();
  }
}

Vector3d CoupledProblem::velocity(const CoupledContact& contact, const VectorXd& w) const
{
  Vector3d apart = Vector3d::Zero();
  for (const BodySupport& support : bodies_of(contact)) {
    const double* x = w.data() + body_at(support.body);
    const Eigen::Map<const Vector3d> v(x), omega(x + 3);
    apart += support.weight * (v + omega.cross(support.arm));
  }
  for (const NodeSupport& support : nodes_of(contact)) {
    apart += support.weight * w.segment<3>(node_at(support.node));
  }
  return contact.frame * apart;
}

void CoupledProblem::respond(const VectorXd& lambda, VectorXd& w) const
{
  w.setZero(response_size());
  for (int c = 0; c < size(); ++c) {
    const CoupledContact& contact = contacts[c];
    const Vector3d force = contact.frame.transpose() * lambda.segment<3>(3 * c);
    for (const BodySupport& support : bodies_of(contact)) {
      const Vector3d f = support.weight * force;
      w.segment<3>(body_at(support.body)) += f;
      w.segment<3>(body_at(support.body) + 3) += support.arm.cross(f);
    }
    for (const NodeSupport& support : nodes_of(contact)) {
      w.segment<3>(node_at(support.node)) += support.weight * force;
    }
  }
  for (int b = 0; b < body_count(); ++b) {
    const Vector6d force = w.segment<6>(body_at(b));
    w.segment<6>(body_at(b)) = bodies[b].inverse * force;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vector3d force = w.segment<3>(node_at(static_cast<int>(i)));
    w.segment<3>(node_at(static_cast<int>(i))) = nodes[i].inverse * force;
  }
}

bool is_block_diagonal(const ContactProblem& problem)
{
  auto next_rigid = problem.rigid.begin();
  int first = 0;
  for (const BlockMatrix& A : problem.A) {
    for (int i = 0; i < A.rows(); ++i) {
      const bool rigid = next_rigid != problem.rigid.end() && *next_rigid == first + i;
      const int last = rigid ? i + 1 : i;  // of its own columns
      for (int row = i; row <= last; ++row) {
        for (int slot = A.pattern->first_slot(row); slot < A.pattern->first_slot(row + 1); ++slot) {
          const int column = A.pattern->columns(row)[slot - A.pattern->first_slot(row)];
          if ((column < i || column > last) && !A.blocks[slot].isZero(0.0)) return false;
        }
      }
      if (rigid) ++next_rigid;
      i = last;
    }
    first += A.rows();
  }
  return true;
}

}  // namespace tact
