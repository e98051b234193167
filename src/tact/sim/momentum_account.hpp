// What a committed step lost of momentum, linear and angular.
//
// Of an island, bodies that contacts join, that only gravity and contacts with what is held act on:
//
//   P(end) - P(start) - dt m g - impulses of those contacts,     the same about the centre of mass
//
// It looks at the states alone, so that whatever a step does to them is found. Islands that pins,
// springs or air tie to the world have no such sum: there it is what the equations of motion leave,
// r = A v - b - J' lambda, and what the committed state has beside the end that v leads to. What
// one body gives another is no loss. Each is divided by the lengths of all momenta in the island,
// or of the impulses where these are more: a net that happens to be nearly zero is no scale.
// Momenta of matter, not of bodies: one that flies without a spin has angular ones that cancel.
#pragma once

#include <algorithm>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/core/union_find.hpp>
#include <tact/sim/contact_rows.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// A step, or a half of one, as it is committed.
struct CommittedStep {
  const State* start = nullptr;
  const State* end = nullptr;
  double dt = 0.0;  // s
  const ContactProblem* problem = nullptr;
  const ContactSolution* solution = nullptr;  // v: the velocities that the equations are asked of
  const VectorXd* b = nullptr;                // N s
  std::span<const ContactRecord> records;     // one per contact of the problem
  std::span<const double> motor_work = {};    // J: of joints, one a component; or none
  std::span<const Vector3d> x0, x1;  // m: vertices of all surfaces at the start and the end
};

struct MomentumLoss {
  double share = 0.0;  // of the island that lost most: linear or angular, whichever is more
  double linear = 0.0, angular = 0.0;  // N s and N m s, the most that an island lost
  double equations = 0.0;              // |r| / |b + J' lambda|, of all nodes
  int islands = 0;                     // with contacts
  int island_contacts = 0;             // of the largest
};

// Keeps its memory from step to step. The world must outlive it.
class MomentumAccount {
 public:
  explicit MomentumAccount(const World& world);

  // `pulled`: a body that someone pulls at, or -1.
  MomentumLoss measure(const CommittedStep& step, int pulled = -1);

 private:
  struct Node {
    int body = 0;
    int first_q = 0;  // of its position in q; of a rigid body, of its centre of mass
    double mass = 0.0;
    double gyration =
        0.0;  // m: of a rigid body at its centre of mass, how far its matter is from there
    bool turns = false;  // its velocity is an angular one
    bool held = false;   // given, not solved for
  };
  struct Island {
    double mass = 0.0;
    Vector3d centre = Vector3d::Zero();                              // of mass, at the start
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();  // lost
    // Lengths added up: of momenta at the start and at the end, and of impulses.
    struct Scale {
      double start = 0.0, end = 0.0, impulses = 0.0;

      double share(const Vector3d& lost) const;
    };
    Scale linear_scale, angular_scale;
    int contacts = 0;
    bool free = true;  // but for contacts with what is held

    double share() const
    {
      return std::max(linear_scale.share(linear), angular_scale.share(angular));
    }
  };

  void find_islands(const CommittedStep& step, int pulled);
  void add_change_of_momentum(const CommittedStep& step);
  void add_equations(const CommittedStep& step);
  void add_contacts(const CommittedStep& step);
  void add_change_of_state(const CommittedStep& step);
  void add_spins(const CommittedStep& step);

  Island& island_of(int node) { return islands_[island_of_node_[node]]; }
  Vector3d position(const State& state, int node) const
  {
    return state.q.segment<3>(nodes_[node].first_q);
  }
  bool is_held(const ContactRecord& record, const State& state) const;
  Momentum momentum_of(const State& state, int node) const;

  const World* world_;
  std::vector<char> free_;  // one a component
  std::vector<Node> nodes_;
  std::vector<int> body_of_vertex_;
  UnionFind sets_;  // of the components of A
  std::vector<int> part_of_node_, island_of_node_;
  std::vector<Island> islands_;
  VectorXd unbalanced_, impulse_;
  State expected_;  // the end that v leads to
};

}  // namespace tact
