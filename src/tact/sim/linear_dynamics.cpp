#include <tact/sim/linear_dynamics.hpp>

#include <cmath>

#include <tbb/parallel_for.h>

#include <tact/sim/joints.hpp>

namespace tact {
namespace {

// Of what a joint's load does against turning, where a step is longer than that takes: else links
// go on to shiver at the pace of steps, more and more.
constexpr double lost_of_unresolved = 0.05;

// Replaces the equation of a node by v = velocity, and takes its known part of the others' to the
// right side: A stays symmetric positive definite, of the same pattern and scale.
void prescribe(int node, const Vector3d& velocity, BlockMatrix& A, Segment b)
{
  const BlockPattern& pattern = *A.pattern;
  const int first = pattern.first_slot(node);
  const std::span<const int> columns = pattern.columns(node);
  for (int k = 0; k < static_cast<int>(columns.size()); ++k) {
    const int other = columns[k];
    if (other == node) continue;
    Matrix3d& mirror = A.blocks[pattern.slot(other, node)];
    b.segment<3>(3 * other) -= mirror * velocity;
    mirror.setZero();
    A.blocks[first + k].setZero();
  }
  Matrix3d& diagonal = A.blocks[pattern.diagonal_slot(node)];
  const double scale = diagonal.trace() / 3.0;
  diagonal = scale * Matrix3d::Identity();
  b.segment<3>(3 * node) = scale * velocity;
}

}  // namespace

Vector3d prescribed_velocity(const World& world, const State& state, const PrescribedNode& node,
                             double dt)
{
  const Vector3d end = position(world, state, node.pin.b, state.t + dt);
  return (end - position(world, state, node.pin.a)) / dt;
}

double momentum_error(const std::vector<BlockMatrix>& A, const VectorXd& v, const VectorXd& b)
{
  double error = 0.0;
  int first = 0;
  for (const BlockMatrix& part : A) {
    for (int row = 0; row < part.rows(); ++row) {
      Vector3d r = -b.segment<3>(first + 3 * row);
      int slot = part.pattern->first_slot(row);
      for (const int column : part.pattern->columns(row))
        r += part.blocks[slot++] * v.segment<3>(first + 3 * column);
      error += r.squaredNorm();
    }
    first += part.size();
  }
  const double scale = b.squaredNorm();
  return error > 0.0 ? std::sqrt(error / scale) : 0.0;
}

Lineariser::Lineariser(const World& world) : world_(&world)
{
  for (int i = 0; i < world.body_count(); ++i)
    workspaces_.push_back(world.body(i).make_workspace());
  prescribed_.resize(world.components().size());
  for (const PrescribedNode& node : world.prescribed()) prescribed_[node.component].push_back(node);
}

void add_load(const JointLoad& load, double dt, const Eigen::Ref<const VectorXd>& v,
              Matrix3d& linear, Matrix3d& angular, Segment b)
{
  const double squared = dt * dt;
  const double stiff = squared * load.angular.trace() / angular.trace();
  const double kept = 1.0 - lost_of_unresolved * stiff / (1.0 + stiff);
  linear += squared * load.linear;
  angular += squared * load.angular;
  b.head<3>() += kept * squared * (load.linear * v.head<3>());
  b.tail<3>() += kept * squared * (load.angular * v.tail<3>());
}

void Lineariser::carry(std::span<const JointLoad> loads)
{
  loads_.assign(world_->components().size(), {});
  for (const JointLoad& load : loads) loads_[world_->place(load.body).component].push_back(load);
}

void Lineariser::linearise(const State& state, double dt, std::vector<BlockMatrix>& A, VectorXd& b)
{
  const std::span<const Component> components = world_->components();
  if (A.size() != components.size()) {
    A.clear();
    for (const Component& component : components) A.push_back(zero_matrix(component.pattern));
  }
  b.setZero(world_->v_size());
  tbb::parallel_for(0, static_cast<int>(components.size()),
                    [&](int i) { linearise(components[i], i, state, dt, A[i], b); });
}

void Lineariser::linearise(const Component& component, int index, const State& state, double dt,
                           BlockMatrix& A, VectorXd& b) const
{
  const StepInput input{.dt = dt, .gravity = world_->gravity(), .wind = world_->wind()};
  set_zero(A);
  for (const int i : component.bodies) {
    const Body& body = world_->body(i);
    body.linearise(input, world_->q(state, i), world_->v(state, i), workspaces_[i].get(), A,
                   b.segment(3 * world_->place(i).node, body.v_size()));
  }
  for (const JointLoad& load : loads_.empty() ? std::span<const JointLoad>() : loads_[index]) {
    const int node = world_->place(load.body).node;
    const int row = node - component.first_node;
    add_load(load, dt, world_->v(state, load.body), A.blocks[component.pattern->diagonal_slot(row)],
             A.blocks[component.pattern->diagonal_slot(row + 1)], b.segment(3 * node, 6));
  }
  auto own = b.segment(3 * component.first_node, 3 * component.node_count());
  add_joints(*world_, state, dt, component, A, own);
  if (pull_ && world_->place(pull_->a.body).component == index)
    add_spring(*world_, state, dt, component, *pull_, A, own);
  for (const PrescribedNode& node : prescribed_[index])
    prescribe(node.node - component.first_node, prescribed_velocity(*world_, state, node, dt), A,
              own);
}

}  // namespace tact
