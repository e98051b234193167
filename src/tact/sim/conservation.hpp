// What a step must not change: momentum of matter that nothing holds, and energy, which may only
// fall.
//
// Momentum. For mechanisms (components that joints hold together) that no pin, spring, joint or air
// ties to the world
//   P_1 = P_0 + dt m g + sum of impulses,   L_1 = L_0 + sum of (p - o) x impulses     about o = c_0
// holds for rigid bodies by the way they are stepped. Meshes lose it where their linear systems are
// not solved to the last digit, and the angular part in every step, since a linearised elastic
// force is free of torque only to first order; so does matter whose places do not come from its
// velocities (impact zones, bodies that are parted). What is missing is put back as a rigid motion,
// which strains nothing.
//
// Energy. Inertia that turns, rows that follow the turn and springs that are linearised may raise
// the energy by terms of second order in dt. Where bodies that touch, or one alone, have more
// energy after a step than before, their velocities go as far as needed towards the rigid motion
// with the same momenta: of all motions of these momenta it is the one with least energy.
// Where that is not enough, what flies turns as a whole; for others the step was too long for its
// linearisation. Mechanisms are left to what their velocities have to give: joints do no work in
// the long run, and steps swing about the energy.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/core/union_find.hpp>
#include <tact/sim/contact_rows.hpp>
#include <tact/sim/matter_sum.hpp>

namespace tact {

// A step from start to end.
struct StepEnds {
  const State* start = nullptr;
  State* end = nullptr;  // its velocities are corrected
  double dt = 0.0;
  std::span<const BodyPair>
      touching;  // that pushed each other, whether it changed velocities or not
};

struct RowImpulses {
  std::span<const ContactRecord> records;
  const VectorXd* lambda = nullptr;
};

struct EnergyLimit {
  // What pushed meshes hold more than their velocities had to give: the largest of all groups, each
  // relative to the energy that it had.
  double growth = 0.0;
  bool moved = false;  // places of the end, too: the motion is to be checked again
};

// One a component: whether no pin, spring, joint, given force or air ties it to the world.
std::vector<char> free_components(const World& world);

class Conservation {
 public:
  explicit Conservation(const World& world);

  // Someone pulls at a body, or nobody (-1): it is not free.
  void set_pulled(int body) { pulled_ = body; }

  // Together: the places of bodies in contact do not come from their velocities alone, so that only
  // what touches keeps its angular momentum as a whole. Apart: every component keeps its own. What
  // hangs together with an obstacle by contacts is left as the solver leaves it: there is no
  // momentum to be kept. (Rows of meshes act on the two surfaces and are counted at one point
  // between them: under a load that stays, the difference would be a spin that the state has and
  // nobody makes.)
  enum class Momenta { apart, together };
  void keep_momentum(const StepEnds& step, const RowImpulses& rows, Momenta momenta);

  // After keep_momentum(), of what touches no obstacle: these do work, and take momentum.
  EnergyLimit limit_energy(const StepEnds& step);

 private:
  struct Sums {  // of a component at the start
    Vector3d about = Vector3d::Zero();
    Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();  // targets at the end
    double scale = 0.0;   // N s: of momenta and impulses, which rounding is measured against
    double length = 0.0;  // m: of arms
  };
  bool is_free(int component) const;
  template <class Visit>
  void for_each_body(std::span<const int> group, const Visit& visit) const
  {
    for (const int k : group)
      for (const int body : world_->components()[k].bodies) visit(world_->body(body), body);
  }
  // With the places of one state and the velocities of another.
  MatterSum matter(std::span<const int> group, const State& places, const State& moving) const;
  std::vector<Sums> targets(const StepEnds& step, const RowImpulses& rows) const;
  void join(std::span<const BodyPair> touching);
  // Components of each set, by the smallest, or each mechanism for itself; sets that touch what is
  // held left out.
  std::vector<std::vector<int>> free_groups(Momenta momenta);
  void correct(std::span<const int> group, std::span<const Sums> sums, State& end) const;
  double energy(std::span<const int> group, const State& state) const;
  double kinetic_energy(std::span<const int> group, const State& state) const;
  double slow_down(std::span<const int> group, const StepEnds& step) const;
  void keep_share(std::span<const int> group, double share, State& end) const;
  bool is_mechanism(std::span<const int> group) const;
  bool can_turn(int component) const;
  bool spins_off(std::span<const int> group, const StepEnds& step) const;
  void turn_as_a_whole(std::span<const int> group, const StepEnds& step) const;
  struct Turn {
    Matrix3d R;
    Vector3d from, to;  // m: where the centre is before and after
  };
  void place_turned(std::span<const int> group, const StepEnds& step, const Turn& turn,
                    double share, std::span<const VectorXd> own) const;
  auto places(const Body& body, int i, State& state) const
  {
    return state.q.segment(world_->place(i).q, body.q_size());
  }
  auto velocities(const Body& body, int i, State& state) const
  {
    return state.v.segment(3 * world_->place(i).node, body.v_size());
  }
  void add_motion(std::span<const int> group, const RigidMotion& motion, State& state) const;

  const World* world_;
  std::vector<char> free_;                        // one a component
  std::vector<std::vector<double>> node_masses_;  // one a body
  int pulled_ = -1;
  UnionFind sets_;  // components that touch
};

}  // namespace tact
