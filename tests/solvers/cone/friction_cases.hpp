// Friction problems whose answers are known, and random ones.
#pragma once

#include <tact/contact/friction_problem.hpp>
#include <tact/core/random.hpp>

namespace tact {

// From a dense W.
FrictionProblem friction_problem(int dimension, const MatrixXd& W, const VectorXd& q,
                                 const VectorXd& mu);

// A point of `mass` kg meets the ground at velocity q.
FrictionProblem point_on_ground(double mass, const VectorXd& q, double mu);

// A box of unit mass on its four corners, its centre of mass in the plane of contact, so that it
// does not tip: four contacts, twelve rows, rank six.
FrictionProblem box_on_corners(const Vector3d& velocity, double mu);

// W = S S' + (share of a skew matrix), regular; q and mu random, mu of every fifth contact zero.
struct RandomCase {
  int dimension = 3;
  int contacts = 6;
  double skew = 0.0;
};
FrictionProblem random_problem(const RandomCase& asked, Random& random);

// The contacts in reverse order.
FrictionProblem reversed(const FrictionProblem& problem);
VectorXd reversed(const VectorXd& by_contacts, int dimension);

}  // namespace tact
