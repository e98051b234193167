// Springs and soft pins between two points, linearised implicitly; springs for explicit steps too.
#pragma once

#include <tact/sim/linear_dynamics.hpp>

namespace tact {

// Adds the joints of a component to its A and b. With d = x_a - x_b, l = |d|, n = d/l:
//   F_a = -(k (l - l_0) + c n.v_ab) n
//   A  += J' S J,  S = (h c + h^2 k) n n' + h^2 k max(0, 1 - l_0/l) (I - n n')
//   b  += -J' (h k (l - l_0) n + S w)   w: the part of v_a - v_b of an end that a script moves
// J maps the other velocities to v_a - v_b. What acts across a compressed spring is left out, so
// that S stays positive semi-definite. Damping takes no part in b: it meets the new velocity in
// full.
//
// A soft pin is a spring of no length with h^2 k = 1e6 times the heavier end's mass: under its
// weight a body hangs 1e-6 g h^2 too low, which is 1e-10 m at 4 ms.
void add_joints(const World& world, const State& state, double dt, const Component& component,
                BlockMatrix& A, const Segment& b);

// The same of one spring that is not the world's, whose end a is on a body of the component.
void add_spring(const World& world, const State& state, double dt, const Component& component,
                const Spring& spring, BlockMatrix& A, const Segment& b);

// b += h J' F with the forces F of the component's springs at the start of the step; soft pins are
// too stiff for that.
void add_spring_impulses(const World& world, const State& state, double dt,
                         const Component& component, const Segment& b);

void add_spring_impulse(const World& world, const State& state, double dt,
                        const Component& component, const Spring& spring, const Segment& b);

}  // namespace tact
