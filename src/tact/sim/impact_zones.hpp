// The last resort of a step that could not be solved: what still comes too near moves as one rigid
// body.
//                                                              [Bridson02] Sec. 7.5, [Harmon08]
// A unit is a body that keeps its shape, a node of a mesh or an obstacle. All units of a pair that
// comes too near form a zone, and zones grow until nothing comes too near any more. A zone moves by
//   x -> c + dt V + R (x - c),   V = P / M,   omega = I^-1 L,   R = exp(dt omega)
// with the momenta P, L of its members: a finite rotation, or its members would part or meet by
// r (omega dt)^2 / 2. Since sum m (R - 1)(x - c) = 0, the momentum of the displacements is P too. A
// zone with an obstacle moves as the obstacle does, one with a pinned node by the way of that node.
// It takes in the mechanism of a link, all of it, so that joints hold.
//
// Only the places of a step come from here. Velocities stay those of the solver, which satisfy
// A v = b + J' lambda: nothing sticks together, and the next step has another try from elsewhere.
#pragma once

#include <span>
#include <vector>

#include <tact/collision/limits.hpp>
#include <tact/core/union_find.hpp>
#include <tact/sim/world_surfaces.hpp>

namespace tact {

class ImpactZones {
 public:
  // Nodes would move with velocity v from `start` over dt. All must outlive it.
  ImpactZones(const World& world, const WorldSurfaces& surfaces, const State& start,
              const VectorXd& v, double dt);

  // Merges what the limits speak of. False: each lies within one zone already.
  bool grow(std::span<const Limit> limits);

  // Of all nodes: displacement over the step / dt. x0, x1: surface vertices, of which those of
  // obstacles are read.
  VectorXd velocity(std::span<const Vector3d> x0, std::span<const Vector3d> x1) const;

 private:
  struct Zone {
    std::vector<int> units;  // ascending
    int obstacle = -1;       // the body that it follows; one that moves before one that rests
    int pinned = -1;         // a node that is prescribed
    bool held = false;       // a joint holds it to the world
  };
  // x -> to + R (x - from), and the angular velocity of R.
  struct Displacement {
    Matrix3d R = Matrix3d::Identity();
    Vector3d from = Vector3d::Zero(), to = Vector3d::Zero(), omega = Vector3d::Zero();
  };
  template <class Visit>
  void for_each_unit(int vertex, const Visit& visit) const;
  std::vector<Zone> zones(std::span<const Vector3d> x0, std::span<const Vector3d> x1) const;
  Displacement of_members(const Zone& zone) const;
  Displacement of_obstacle(int body, std::span<const Vector3d> x0,
                           std::span<const Vector3d> x1) const;
  Vector3d place_of(int node) const;
  int unit_of(const JointEnd& end) const;
  void join_mechanisms();

  const World* world_;
  const WorldSurfaces* surfaces_;
  const State* start_;
  const VectorXd* v_;
  double dt_;
  // Nodes, then bodies that are obstacles, then the world; finding shortens paths.
  mutable UnionFind sets_;
  std::vector<char> is_zoned_;  // one a component: a link of it is in a zone
  std::vector<int> body_of_node_;
  std::vector<double> mass_of_node_;
  std::vector<char> is_prescribed_;
};

}  // namespace tact
