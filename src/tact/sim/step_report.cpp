#include <tact/sim/step_report.hpp>

namespace tact {

PhaseSeconds& PhaseSeconds::operator+=(const PhaseSeconds& other)
{
  dynamics += other.dynamics;
  broad_phase += other.broad_phase;
  narrow_phase += other.narrow_phase;
  solve += other.solve;
  return *this;
}

}  // namespace tact
