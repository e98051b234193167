// What every body owes the simulator, whatever it is made of. A test of a new kind of body calls
// check_body_contract with a few states of its own choice and adds what is special to it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <tact/bodies/body.hpp>

namespace tact {

struct BodyContract {
  // Makes the body anew: no steady forces other than gravity and wind (`force` = 0), no damping by
  // mass and no drag, so that it keeps its momentum when left alone.
  std::function<std::unique_ptr<Body>()> make;

  // Where A is exactly the derivative of the forces: a stretched cloth, a turned soft body.
  std::vector<VectorXd> exact = {};
  // Anywhere: A is positive definite, forces are those of the energy and sum to nothing.
  std::vector<VectorXd> deformed = {};

  double dt = 0.01;  // s
};

// At the start of the body, which must be its rest shape, and at the given states:
// - place_surface() and position() agree to the bit, and map() is the derivative of position();
// - linearise() adds to its own slots and to its own part of b, wherever its nodes lie in A, and
//   the same state gives the same bits;
// - A is symmetric and positive definite, and b = h F + (M - h dF/dv) v;
// - A - M equals central differences of forces() to 1e-6 in the exact states;
// - there is no force at rest nor under rigid motion, and none that sums to a push or a turn;
// - the forces are minus the derivative of elastic_energy();
// - left alone and moving rigidly, both momenta are kept in a step to round-off.
void check_body_contract(const BodyContract& contract);

}  // namespace tact
