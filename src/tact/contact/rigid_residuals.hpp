// The one judge of contact answers, measured from the problem and the answer alone.
#pragma once

#include <tact/contact/friction_pyramid.hpp>
#include <tact/contact/rigid_contact_problem.hpp>

namespace tact {

// All relative and without unit. `natural`, `bilateral` are velocities over the largest free
// contact velocity |J v* + bias|; `momentum` is an impulse over the largest generalised impulse in
// the problem.
struct RigidResiduals {
  double natural = 0.0;    // natural map of the contact law, worst row
  double bilateral = 0.0;  // |B v + bias|, worst row
  double momentum = 0.0;   // |A (v - v*) - J' lambda - B' beta|, worst row

  double worst() const;
};

// The contact law with a friction pyramid, [Lloyd05] eq. (6), per contact
//   0 <= theta     perp  nu = u_n                        >= 0
//   0 <= phi_x     perp  sigma_x = d_x . u_T + slack     >= 0,  x = 1..d
//   0 <= slack     perp  gamma = mu theta - sum phi      >= 0
// with theta = lambda_n, phi the least split of lambda_T, slack = max(0, -min_x d_x . u_T). Each
// row counts |min(w z, u)| with impulses turned into velocities by the contact's own scale
// w = trace(W_cc) / 3, W = J A^-1 J': the same answer gets the same figure in any unit of mass.
// An answer that is not finite has infinite residuals.
RigidResiduals measure(const RigidContactProblem& problem, const RigidContactSolution& solution,
                       const FrictionPyramid& pyramid);

}  // namespace tact
