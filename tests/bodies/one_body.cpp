#include "one_body.hpp"

#include <Eigen/Cholesky>

#include <doctest/doctest.h>

namespace tact {

OneBody::OneBody(std::unique_ptr<Body> body) : body_(std::move(body))
{
  std::vector<std::array<int, 2>> couples;
  body_->add_couples(0, couples);
  pattern_ = std::make_shared<const BlockPattern>(body_->node_count(), couples);
  body_->bind(*pattern_, 0);
  workspace_ = body_->make_workspace();
}

BodyState OneBody::start() const
{
  BodyState state{VectorXd(body_->q_size()), VectorXd(body_->v_size())};
  body_->start(state.q, state.v);
  return state;
}

DenseStep OneBody::linearise(const StepInput& input, const BodyState& state) const
{
  BlockMatrix A = zero_matrix(pattern_);
  VectorXd b = VectorXd::Zero(body_->v_size());
  body_->linearise(input, state.q, state.v, workspace_.get(), A, b);
  return {to_dense(A), b};
}

VectorXd OneBody::forces(const StepInput& input, const BodyState& state) const
{
  VectorXd f(body_->v_size());
  body_->forces(input, state.q, state.v, workspace_.get(), f);
  return f;
}

BodyState OneBody::advance(const StepInput& input, const BodyState& state, const VectorXd& v) const
{
  BodyState end{VectorXd(body_->q_size()), VectorXd(body_->v_size())};
  body_->advance(input, state.q, state.v, v, end.q, end.v);
  return end;
}

BodyState OneBody::step(const StepInput& input, const BodyState& state,
                        const std::vector<int>& pinned) const
{
  DenseStep step = linearise(input, state);
  for (const int node : pinned) {
    step.A.middleRows<3>(3 * node).setZero();
    step.A.middleCols<3>(3 * node).setZero();
    step.A.block<3, 3>(3 * node, 3 * node).setIdentity();
    step.b.segment<3>(3 * node).setZero();
  }
  return advance(input, state, step.A.ldlt().solve(step.b));
}

VectorXd OneBody::equilibrium(StepInput input, VectorXd q, const std::vector<int>& pinned,
                              double tolerance) const
{
  const VectorXd at_rest = VectorXd::Zero(body_->v_size());
  double worst = 0.0;
  for (int k = 0; k < 300; ++k) {
    VectorXd f = forces(input, {q, at_rest});
    for (const int node : pinned) f.segment<3>(3 * node).setZero();
    worst = f.lpNorm<Eigen::Infinity>();
    if (worst <= tolerance) return q;
    q = step(input, {q, at_rest}, pinned).q;
  }
  FAIL_CHECK("no equilibrium: the largest force left is " << worst << " N");
  return q;
}

}  // namespace tact
