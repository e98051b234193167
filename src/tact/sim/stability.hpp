// How long a step of semi-implicit Euler may be.
//
//   v+ = v + h M^-1 F(q, v),   q+ = q + h v+
//
// A mode with frequency w and damping c, x'' = -w^2 x - c x', is stable up to h^2 w^2 + 2 h c = 4.
// The implicit A has both in it: the largest eigenvalue of M^-1 A - 1 is h c + h^2 w^2, so that two
// lengths of step tell them apart. It is found by power iteration at the start, with a margin;
// rotations of elements, and so motion, hardly change it.
#pragma once

#include <tact/sim/world.hpp>

namespace tact {

struct StiffestMode {
  double frequency_squared = 0.0;  // w^2, 1/s^2
  double damping = 0.0;            // c, 1/s

  double longest_step() const;  // s; infinite where nothing is stiff
};

// The mode of a world that allows the shortest steps.
[[nodiscard]] StiffestMode stiffest_mode(const World& world);

}  // namespace tact
