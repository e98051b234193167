// A primal-dual interior point on coupled problems in which no node has two contacts: O(n) a step,
// and hardly more steps for many contacts than for few. For accuracy where Newton's method in the
// velocities of bodies (body_newton.hpp) does not come to its end.
//
//   z = (mu lambda_n, lambda_T),  y = (u^_n / mu, u_T),  both in L = { x_0 >= |x_1| }
//   y - |y_T| e_0 = P^-1 (q + J w),  w = A^-1 J' lambda,  y o z = sigma mu_c e
//
// with Nesterov-Todd scaling and Mehrotra's predictor (cone/interior_iterate.hpp); what differs
// from cone/interior_point.hpp is the linear algebra (condensed_system.hpp). The kink of |y_T| is
// blurred, less in every step.
#pragma once

#include <vector>

#include <tact/solvers/cone/interior_iterate.hpp>
#include <tact/solvers/coupling/condensed_system.hpp>

namespace tact {

struct CondensedInteriorOptions {
  double tolerance = 1e-6;  // m/s: root mean square of the natural map over active contacts
  int max_steps = 100;
  int patience = 15;  // steps without a better answer
};

struct CondensedInteriorReport {
  int steps = 0;
  double natural = 0.0;  // m/s: of the answer
  bool reached = false;
};

class CondensedInterior {
 public:
  // Of `lambda` nothing is used but its memory: starts from the middle of the cones. On return the
  // best answer; where it reached the tolerance, impulses of contacts that part are zero. The law
  // is the disc: a pyramid is no cone of second order.
  CondensedInteriorReport solve(const CoupledProblem& problem,
                                const CondensedInteriorOptions& options, VectorXd& lambda);

 private:
  using Contact = InteriorIterate<3>::Contact;

  void start(const CoupledProblem& problem);
  double look(const CoupledProblem& problem, const VectorXd& lambda);
  bool finish(const CoupledProblem& problem, double tolerance);
  void linearise(double blur);
  void find_step(Vector3d Contact::*dy, Vector3d Contact::*dz);

  InteriorIterate<3> at_;
  std::vector<CondensedSystem::Term> terms_;
  CondensedSystem system_;
  VectorXd lambda_, finished_, w_, u_, dz_;
  double speed_ = 0.0;  // m/s: root mean square of q
};

}  // namespace tact
