// One linearised implicit step of all bodies without contact: A v = b.      [Otaduy09] eq. (2), (3)
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <tact/linalg/block_matrix.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// Linearises step after step in the same memory. Components run on several threads; each adds to
// blocks of its own only, so that the bits do not depend on how many there are.
class Lineariser {
 public:
  explicit Lineariser(const World& world);

  // At the given state, for a step of length dt (s). A gets one matrix a component of the world, b
  // three entries a node (N s); both keep their memory from call to call.
  void linearise(const State& state, double dt, std::vector<BlockMatrix>& A, VectorXd& b);

  // See Integrator::pull.
  void pull(const std::optional<Spring>& spring) { pull_ = spring; }

 private:
  void linearise(const Component& component, int index, const State& state, double dt,
                 BlockMatrix& A, VectorXd& b) const;

  const World* world_;
  std::vector<std::unique_ptr<BodyWorkspace>> workspaces_;  // one a body
  std::vector<std::vector<PrescribedNode>> prescribed_;     // one list a component
  std::optional<Spring> pull_;
};

// |A v - b| / |b|, 0 where both are 0: how well v keeps the balance of momentum.
double momentum_error(const std::vector<BlockMatrix>& A, const VectorXd& v, const VectorXd& b);

// The velocity that takes the node to where its pin is at state.t + dt.
Vector3d prescribed_velocity(const World& world, const State& state, const PrescribedNode& node,
                             double dt);

}  // namespace tact
