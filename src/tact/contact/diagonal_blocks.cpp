#include <tact/contact/diagonal_blocks.hpp>

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace tact {
namespace {

constexpr double least_mass = 1e-9;  // of a diagonal block: below, the sum of a row is round-off

const Matrix3d& block(const BlockMatrix& A, int row, int column, const Matrix3d& none)
{
  const int slot = A.pattern->slot(row, column);
  return slot < 0 ? none : A.blocks[slot];
}

// A block of a body as it meets us in A: node `row` of the component.
Matrix6d rigid_block(const BlockMatrix& A, int row)
{
  const Matrix3d none = Matrix3d::Zero();
  Matrix6d D;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      D.block<3, 3>(3 * i, 3 * j) = block(A, row + i, row + j, none);
    }
  }
  return D;
}

// Inner forces do not resist a uniform motion, so that the blocks of a row add up to the mass of
// its node. Where they do not, in a matrix made otherwise, the node's own block has to do.
double free_mass(const BlockMatrix& A, int row)
{
  double sum = 0.0;
  for (int slot = A.pattern->first_slot(row); slot < A.pattern->first_slot(row + 1); ++slot) {
    sum += A.blocks[slot].trace();
  }
  const double own = A.blocks[A.pattern->diagonal_slot(row)].trace();
  return (sum > least_mass * own ? std::min(sum, own) : own) / 3.0;
}

// Cholesky by hand: cheap, and it tells whether the block is positive definite.
bool positive_definite(const Matrix3d& D)
{
  const double minor = D(0, 0) * D(1, 1) - D(0, 1) * D(1, 0);
  return D(0, 0) > 0.0 && minor > 0.0 && D.determinant() > 0.0;
}

// trace(J M^-1 J')
template <class Block>
double trace_of_response(const DiagonalBlocks& D, const Block* blocks, int count)
{
  double trace = 0.0;
  for (int i = 0; i < count; ++i) {
    const auto& [node, J] = blocks[i];
    if (D.partner(node) < 0) {
      trace += J.squaredNorm() / D.mass(node);
      continue;
    }
    trace += (J * D.own(node)).cwiseProduct(J).sum();
    for (int j = 0; j < count; ++j) {
      if (blocks[j].node != D.partner(node)) continue;
      trace += (J * D.cross(node)).cwiseProduct(blocks[j].J).sum();
    }
  }
  return trace;
}

}  // namespace

bool DiagonalBlocks::load(const ContactProblem& problem)
{
  const auto nodes = static_cast<std::size_t>(problem.nodes());
  own_.resize(nodes);
  mass_.resize(nodes);
  partner_.assign(nodes, -1);
  rigid_.assign(nodes, -1);
  cross_.clear();
  auto next_rigid = problem.rigid.begin();
  int node = 0;
  for (const BlockMatrix& A : problem.A) {
    const int first = node;
    for (; node < first + A.rows(); ++node) {
      const Matrix3d& D = A.blocks[A.pattern->diagonal_slot(node - first)];
      mass_[node] = free_mass(A, node - first);
      if (next_rigid == problem.rigid.end() || node != *next_rigid) {
        if (!positive_definite(D)) return false;
        own_[node] = D.inverse();
        continue;
      }
      ++next_rigid;
      mass_[node] = D.trace() / 3.0;
      const Eigen::LLT<Matrix6d> factor(rigid_block(A, node - first));
      if (factor.info() != Eigen::Success) return false;
      load_rigid(node, factor.solve(Matrix6d::Identity()));
      ++node;
    }
  }
  return true;
}

void DiagonalBlocks::load_rigid(int node, const Matrix6d& inverse)
{
  own_[node] = inverse.topLeftCorner<3, 3>();
  own_[node + 1] = inverse.bottomRightCorner<3, 3>();
  mass_[node + 1] = mass_[node];
  partner_[node] = node + 1;
  partner_[node + 1] = node;
  rigid_[node] = rigid_[node + 1] = static_cast<int>(cross_.size());
  cross_.push_back(inverse.topRightCorner<3, 3>());
}

Matrix3d DiagonalBlocks::cross(int node) const
{
  const Matrix3d& upper = cross_[rigid_[node]];
  return partner_[node] > node ? upper : Matrix3d(upper.transpose());
}

Vector3d DiagonalBlocks::solve(int node, const double* r) const
{
  Vector3d x = own_[node] * Eigen::Map<const Vector3d>(r);
  const int partner = partner_[node];
  if (partner >= 0) x += cross(node) * Eigen::Map<const Vector3d>(r + 3 * (partner - node));
  return x;
}

double response(const ContactProblem& problem, const DiagonalBlocks& D, const ContactRows& contact)
{
  return trace_of_response(D, problem.blocks.data() + contact.first, contact.count) / 3.0;
}

double response(const ContactProblem& problem, const DiagonalBlocks& D, const BilateralRow& row)
{
  return trace_of_response(D, problem.bilateral_blocks.data() + row.first, row.count);
}

}  // namespace tact
