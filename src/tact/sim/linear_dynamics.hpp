// One linearised implicit step of all bodies without contact: A v = b.      [Otaduy09] eq. (2), (3)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <tact/linalg/block_matrix.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// The force F of a joint at an arm r of a rigid body has the torque r x F, which changes as the
// body turns: -K per angle, K = (F . r) (1 - n n') of an arm along n that the force is along.
// Nothing is given about the arm itself, where a thin link has no inertia. Where links are light
// and loads heavy that is far stiffer than a step is short. So it acts like inertia, on the change
// of velocity in a step, as it does in implicit central differences [Newmark 1959]:
//
//   A += h^2 K,   b += (1 - e) h^2 K v_0
//
// Steps are stable for any load and, with e = 0, neither lose nor gain energy by it. e is 0.05
// where h^2 K is above the inertia of the body, and vanishes with it below.
struct JointLoad {
  int body = 0;
  Matrix3d linear = Matrix3d::Zero();   // N/m, of both nodes: symmetric, no negative eigenvalue
  Matrix3d angular = Matrix3d::Zero();  // N m
};

// The blocks of a rigid body, and what stands at them of b. v: at the start of the step.
void add_load(const JointLoad& load, double dt, const Eigen::Ref<const VectorXd>& v,
              Matrix3d& linear, Matrix3d& angular, Segment b);

// Linearises step after step in the same memory. Components run on several threads; each adds to
// blocks of its own only, so that the bits do not depend on how many there are.
class Lineariser {
 public:
  explicit Lineariser(const World& world);

  // At the given state, for a step of length dt (s). A gets one matrix a component of the world, b
  // three entries a node (N s); both keep their memory from call to call.
  void linearise(const State& state, double dt, std::vector<BlockMatrix>& A, VectorXd& b);

  // See Integrator::carry.
  void carry(std::span<const JointLoad> loads);

  // See Integrator::pull.
  void pull(const std::optional<Spring>& spring) { pull_ = spring; }

 private:
  void linearise(const Component& component, int index, const State& state, double dt,
                 BlockMatrix& A, VectorXd& b) const;

  const World* world_;
  std::vector<std::unique_ptr<BodyWorkspace>> workspaces_;  // one a body
  std::vector<std::vector<PrescribedNode>> prescribed_;     // one list a component
  std::optional<Spring> pull_;
  std::vector<std::vector<JointLoad>> loads_;  // one list a component
};

// |A v - b| / |b|, 0 where both are 0: how well v keeps the balance of momentum.
double momentum_error(const std::vector<BlockMatrix>& A, const VectorXd& v, const VectorXd& b);

// The velocity that takes the node to where its pin is at state.t + dt.
Vector3d prescribed_velocity(const World& world, const State& state, const PrescribedNode& node,
                             double dt);

}  // namespace tact
