// What even impact zones do not keep apart: places nodes that would touch at half of their way, and
// only those, until nothing does. Velocities at the end do not come from here (impact_zones.hpp).
//
// Nodes of pairs that come too near move at half their velocity, and at half of that, and at last
// not at all, or along with the obstacle that drives them. A state in which nothing moves is free
// of contact, so this ends; only what scripts push together cannot be kept apart.
#pragma once

#include <span>
#include <vector>

#include <tact/collision/limits.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

class MotionCut {
 public:
  MotionCut(const World& world, const WorldSurfaces& surfaces, const VectorXd& v);

  // Takes speed from what the limits of the motion x0 -> x1 speak of. False: nothing there has any
  // left.
  bool slow_down(std::span<const Limit> limits, std::span<const Vector3d> x0,
                 std::span<const Vector3d> x1, double dt);

  VectorXd velocity() const;  // of all nodes, what is left of it

 private:
  bool halve(int node);
  bool follow(const Limit& limit, std::span<const Vector3d> x0, std::span<const Vector3d> x1,
              double dt);
  bool halt_bodies(const Limit& limit);
  template <class Visit>
  void for_each_node(int vertex, const Visit& visit) const;

  const World* world_;
  const WorldSurfaces* surfaces_;
  State start_;                // for the maps from vertices to nodes
  VectorXd full_, safe_;       // m/s: wanted, and what a halted node moves with
  std::vector<double> share_;  // for each node, of `full` against `safe`
  std::vector<char> is_prescribed_;
  std::vector<char> follows_;  // has been given an obstacle's velocity
  std::vector<char> halted_;   // stands still for good
};

}  // namespace tact
