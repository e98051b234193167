#include <tact/contact/contact_solver.hpp>

#include <algorithm>

namespace tact {

AuditReport& AuditReport::operator+=(const AuditReport& other)
{
  regions += other.regions;
  unsolved += other.unsolved;
  ambiguous += other.ambiguous;
  difference = std::max(difference, other.difference);
  residual = std::max(residual, other.residual);
  spread = std::max(spread, other.spread);
  return *this;
}

}  // namespace tact
