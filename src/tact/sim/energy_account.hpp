// What a step gained of energy that nothing gave it.
//
//   gain = kinetic + potential energy at the end - at the start - work
//
// where the work is that of obstacles that move by a script (impulse times their displacement over
// dt), of constant forces and of the wind. Backward Euler, friction and impacts only take energy,
// so that an honest step of it has gain <= 0 up to the solver's tolerance; explicit steps of
// elastic bodies swing about it. Components that a hand moves, by pins, joints or springs on
// moving obstacles or by a pull, may have any energy: they are not counted, and what they push at
// gets work from them as from an obstacle.
#pragma once

#include <optional>
#include <vector>

#include <tact/sim/momentum_account.hpp>

namespace tact {

struct StepEnergy {
  double kinetic = 0.0, potential = 0.0;  // J, of all bodies at the end
  double gain = 0.0;                      // J: negative where energy was lost
};

// Keeps its memory from step to step. The world must outlive it.
class EnergyAccount {
 public:
  explicit EnergyAccount(const World& world);

  // Before a step of length dt (s); `pulled`: the body that someone pulls at, or -1.
  void begin(const State& start, double dt, int pulled);
  void add(const CommittedStep& part);  // of the step, in order
  StepEnergy finish(const State& end);

 private:
  struct Sums {
    std::vector<double> kinetic, potential;  // J, one per component
  };

  void measure(const State& state, Sums& sums) const;
  void find_driven(const State& start, double dt, int pulled);
  void drive_mechanisms(const State& start, double dt);
  bool is_moving(const Attachment& end, const State& start, double dt) const;
  double work_of_contacts(const CommittedStep& part) const;
  double work_of_forces(const CommittedStep& part) const;

  const World* world_;
  std::vector<char> is_obstacle_vertex_;
  std::vector<int> component_of_node_;
  std::vector<char> driven_;  // one per component
  State last_;                // whose energies are `before_`
  Sums before_, after_;
  double work_ = 0.0;  // J
};

}  // namespace tact
