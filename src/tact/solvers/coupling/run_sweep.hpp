// A sweep over a run of contacts: consecutive ones, each of which acts on one rigid body, the same
// for all, and on any nodes.
//
// The same as relaxing them one by one through the state, but for round-off. What differs is how
// long a contact waits for the one before, which is what sweeps over one body spend their time
// with: the velocity of the body stays in registers, and turning goes through rows J = arm x frame,
// made ahead,
//
//   u = q + F (weight v + sum_i weight_i x_i) + J omega,   v += weight F' change / m,
//   omega += I^-1 J' change
//
// in place of a cross product, a frame and a product with P^-1 each way, one after the other. Nodes
// go through memory as ever: contacts of a run may share them.
#pragma once

#include <tact/solvers/coupling/compact_rows.hpp>

namespace tact {

void sweep_run(const CompactRows& rows, const ContactRun& run, double* lambda, double* state);

}  // namespace tact
