// The accounts of a step, for its report: momentum part by part, energy over the whole of it. They
// look at states, equations and impulses alone, so that whatever a step does to them is found. The
// cost is linear in bodies, contacts and nonzeros of A.
#pragma once

#include <tact/sim/energy_account.hpp>
#include <tact/sim/momentum_account.hpp>
#include <tact/sim/step_report.hpp>

namespace tact {

class StepBalance {
 public:
  explicit StepBalance(const World& world) : momentum_(world), energy_(world) {}

  void pull(int body) { pulled_ = body; }  // from the next step on; -1: none
  void begin(const State& start, double dt) { energy_.begin(start, dt, pulled_); }
  bool meshes_gain(const CommittedStep& part, double tolerance)
  {
    return energy_.meshes_gain(part, tolerance);
  }
  void add(const CommittedStep& part, StepReport& report);
  void finish(const State& end, StepReport& report);

 private:
  MomentumAccount momentum_;
  EnergyAccount energy_;
  int pulled_ = -1;
};

}  // namespace tact
