// Where a soft solid comes to rest, by Newton's method with a sparse factorisation: for meshes that
// are too large for the dense solver of one_body.hpp.
#pragma once

#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <tact/bodies/body.hpp>
#include <tact/linalg/block_cholesky.hpp>

namespace tact {

// Rows and columns of these nodes become those of the identity.
inline void pin(BlockMatrix& A, const std::vector<bool>& pinned)
{
  for (int row = 0; row < A.rows(); ++row) {
    const auto columns = A.pattern->columns(row);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!pinned[row] && !pinned[columns[k]]) continue;
      Matrix3d& block = A.blocks[A.pattern->first_slot(row) + static_cast<int>(k)];
      block.setZero();
      if (row == columns[k]) block.setIdentity();
    }
  }
}

// From the start of the body, under gravity and `load` (N, three a node). Steps of 10 s from rest:
// mass hardly counts, so that one step is one of Newton's method. Ends when the largest move is
// below 1e-10 m, and fails the test when that takes more than 50 steps.
inline VectorXd soft_equilibrium(Body& body, const Vector3d& gravity, const VectorXd& load,
                                 const std::vector<bool>& pinned)
{
  std::vector<std::array<int, 2>> couples;
  body.add_couples(0, couples);
  const auto pattern = std::make_shared<const BlockPattern>(body.node_count(), couples);
  body.bind(*pattern, 0);
  const std::unique_ptr<BodyWorkspace> workspace = body.make_workspace();
  BlockMatrix A = zero_matrix(pattern);
  BlockCholesky cholesky(*pattern);
  VectorXd q(body.q_size()), v(body.v_size());
  body.start(q, v);
  const StepInput input{.dt = 10.0, .gravity = gravity};
  const VectorXd at_rest = VectorXd::Zero(body.v_size());
  for (int k = 0; k < 50; ++k) {
    set_zero(A);
    VectorXd b = input.dt * load;
    body.linearise(input, q, at_rest, workspace.get(), A, b);
    pin(A, pinned);
    for (int i = 0; i < body.node_count(); ++i)
      if (pinned[i]) b.segment<3>(3 * i).setZero();
    REQUIRE(cholesky.factor(A));
    cholesky.solve(b);
    q += input.dt * b;
    if (input.dt * b.lpNorm<Eigen::Infinity>() < 1e-10) return q;
  }
  FAIL_CHECK("no equilibrium after 50 steps");
  return q;
}

}  // namespace tact
