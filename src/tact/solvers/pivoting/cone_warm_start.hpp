// Where a cone-state path can begin when the answer of a similar problem is known.
//
// Take a point strictly inside the old states: impulses lambda_0 and velocities u_0. With
//   c = u_0 - (J (k + J' lambda_0) + bias)
// as covering vector the old states hold exactly at z0 = 1, and the path from there to z0 = 0 is
// short when the problem changed little. c need not lie in the dual cone, so a ray is possible: the
// caller then starts cold.
#pragma once

#include <vector>

#include <tact/solvers/pivoting/cone_path.hpp>

namespace tact {

struct ConeWarmStart {
  std::vector<ConeState> states;
  VectorXd lambda;  // three a contact
  VectorXd beta;    // one an independent bilateral row

  bool fits(const WhitenedProblem& problem) const;

  // Fills `cover` (three a contact, one a bilateral row). Returns the size of the velocities, m/s.
  double choose_cover(const WhitenedProblem& problem, const FrictionPyramid& pyramid,
                      std::vector<double>& cover);

 private:
  Vector3d inner_impulse(int contact, const FrictionPyramid& pyramid, double mu, double step) const;
  Vector3d inner_velocity(int contact, const FrictionPyramid& pyramid, double mu, const Vector3d& u,
                          double step) const;

  std::vector<Twist> y_;  // velocities at lambda_0
};

}  // namespace tact
