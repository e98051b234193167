// How a sweep over contacts sees the others. Both make the same iterates to round-off.
#pragma once

namespace tact {

enum class CouplingKernelKind {
  low_rank,  // by the velocities of what they push, kept up to date: [Miguel11] Sec. 5
  standard,  // by the rows of B = J P^-1 J', built in full; for comparison
};

}  // namespace tact
