// Small problems that the tests of this folder share.
#pragma once

#include <tact/contact/rigid_bodies.hpp>
#include <tact/core/random.hpp>
#include <tact/samples/contact_families.hpp>
#include <tact/samples/rigid_contacts.hpp>

namespace tact {

// A 2 kg block of 1 x 1 x 0.5 m on the ground with four contacts, given a velocity before the step.
inline ContactProblem block_on_ground(const Vector3d& velocity, double mu,
                                      const Vector3d& ground_velocity = Vector3d::Zero())
{
  RigidContactBuilder builder;
  const int block = builder.add_body({.mass = 2.0,
                                      .inertia = box_inertia(2.0, {1.0, 1.0, 0.5}),
                                      .centre = {0.0, 0.0, 0.25},
                                      .velocity = velocity});
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      builder.add_contact(
          {.body_a = block, .point = {x, y, 0.0}, .mu = mu, .obstacle_velocity = ground_velocity});
    }
  }
  return builder.build();
}

// The same in another unit of mass.
inline void scale_masses(ContactProblem& problem, double factor)
{
  for (BlockMatrix& A : problem.A)
    for (Matrix3d& block : A.blocks) block *= factor;
}

// Every family of [Lloyd05] at a size that runs in no time.
inline ContactProblem small_problem(int kind, Random& random, MuRange mu = {})
{
  switch (kind % 3) {
    case 0: return peg_in_hole(4 + 2 * random.below(15), random, mu);
    case 1: return single_body(random.below(single_body_situations), random, mu);
    default: {
      const int bodies = 1 + random.below(5);
      return block_stack(bodies, 4 * bodies + 4 * random.below(bodies), random, mu);
    }
  }
}

}  // namespace tact
