#include <tact/sim/step_balance.hpp>

#include <algorithm>

namespace tact {

void StepBalance::add(const CommittedStep& part, StepReport& report)
{
  const MomentumLoss loss = momentum_.measure(part, pulled_);
  report.momentum_loss = std::max(report.momentum_loss, loss.share);
  report.momentum_error = std::max(report.momentum_error, loss.equations);
  report.islands = std::max(report.islands, loss.islands);
  report.island_contacts = std::max(report.island_contacts, loss.island_contacts);
  energy_.add(part);
}

void StepBalance::finish(const State& end, StepReport& report)
{
  const StepEnergy energy = energy_.finish(end);
  report.kinetic_energy = energy.kinetic;
  report.potential_energy = energy.potential;
  report.energy_gain = std::max(0.0, energy.gain);
}

}  // namespace tact
