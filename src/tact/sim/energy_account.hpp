// What a step gained of energy that nothing gave it.
//
//   gain = kinetic + potential energy at the end - at the start - work
//
// where the work is that of obstacles that move by a script (impulse times their displacement over
// dt), of motors of joints, of constant forces and of the wind. Backward Euler, friction and
// impacts only take energy, so that an honest step of it has gain <= 0 up to the solver's
// tolerance; explicit steps of elastic bodies swing about it. Links of mechanisms have the
// velocities of the way: their weight is counted half a step before, and what is left swings by the
// square of dt. Components that a hand moves, by pins, joints or springs on moving obstacles or by
// a pull, may have any energy: they are not counted, and what they push at gets work from them as
// from an obstacle.
#pragma once

#include <optional>
#include <vector>

#include <tact/core/union_find.hpp>
#include <tact/sim/momentum_account.hpp>

namespace tact {

struct StepEnergy {
  double kinetic = 0.0, potential = 0.0;  // J, of all bodies at the end
  double gain = 0.0;                      // J: negative where energy was lost
};

// W: how fast weight works on a body. The energy of a link, whose velocities are those of the way,
// is that of half a step before: what it has at the end of a step and dt / 2 times this.
[[nodiscard]] double power_of_weight(const World& world, const State& state, int body);

// Keeps its memory from step to step. The world must outlive it.
class EnergyAccount {
 public:
  explicit EnergyAccount(const World& world);

  // Before a step of length dt (s); `pulled`: the body that someone pulls at, or -1.
  void begin(const State& start, double dt, int pulled);
  void add(const CommittedStep& part);  // of the step, in order
  StepEnergy finish(const State& end);

  // Whether bodies that push each other have more energy by a step that is not committed yet, in
  // which everything moved with `solution`, and the forces of meshes gave it: they are linear in
  // the step, and give what a mesh has more where it turns or bends far. What contacts, gravity and
  // others do to a mesh is no such gift. Nothing is said of less than a thousandth of their kinetic
  // energy, or than velocities make that are off by `tolerance` (m/s).
  bool meshes_gain(const CommittedStep& part, double tolerance);

 private:
  struct Sums {
    std::vector<double> kinetic, potential;  // J, one per component
    std::vector<double> falling;             // W: power of weight, of links; 0 of others
  };

  void measure(const State& state, Sums& sums) const;
  void find_driven(const State& start, double dt, int pulled);
  void drive_mechanisms(const State& start, double dt);
  bool is_moving(const Attachment& end, const State& start, double dt) const;
  double work_of_contacts(const CommittedStep& part) const;
  double work_of_forces(const CommittedStep& part) const;
  // Of a component in a step, J; of several, added up.
  struct Growth {
    double energy = 0.0, gift = 0.0, kinetic = 0.0;
    double mass = 0.0;  // kg

    void add(const Growth& other)
    {
      energy += other.energy;
      gift += other.gift;
      kinetic += other.kinetic;
      mass += other.mass;
    }
  };
  std::vector<char> join_pushed(const CommittedStep& part);
  Growth growth(int index, const CommittedStep& part) const;

  const World* world_;
  std::vector<char> is_obstacle_vertex_;
  std::vector<int> component_of_node_;
  std::vector<char> driven_;  // one per component
  State last_;                // whose energies are `before_`
  Sums before_, after_;
  VectorXd push_;      // N s: A v - b
  UnionFind sets_;     // components that push each other
  double work_ = 0.0;  // J
  double dt_ = 0.0;    // s: of the last part of the step
};

}  // namespace tact
