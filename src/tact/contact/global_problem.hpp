// The same problem before the velocities of bodies are eliminated:
//
//   M v = H lambda + G kappa + f     momentum
//   u = H' v + w                     contact velocities
//   G' v + b = 0                     joints; G may be absent
//
// condensed() gives W and q. With K = [M, -G; G', 0] and H0 = [H; 0]:
//   W = H0' K^-1 H0,   q = H0' K^-1 [f; -b] + w
#pragma once

#include <tact/contact/friction_problem.hpp>

namespace tact {

struct GlobalFrictionProblem {
  int dimension = 3;
  SparseRows M;  // kg: n x n, regular; with joints regular on the motions they leave
  SparseRows H;  // n x (dimension times contacts)
  SparseRows G;  // n x joints; 0 columns where there are none
  VectorXd f;    // N s
  VectorXd w;    // m/s: as long as H has columns
  VectorXd b;    // m/s: as long as G has columns
  VectorXd mu;

  int contacts() const { return static_cast<int>(mu.size()); }
  int size() const { return dimension * contacts(); }
};

void validate(const GlobalFrictionProblem& problem);

// Bodies that M and G do not couple are eliminated one by one, so that W is as sparse as contacts
// are: dense only among the contacts of one body. Throws Error where a body's K is singular.
[[nodiscard]] FrictionProblem condensed(const GlobalFrictionProblem& problem);

// v for given impulses.
[[nodiscard]] VectorXd body_velocities(const GlobalFrictionProblem& problem,
                                       const VectorXd& lambda);

}  // namespace tact
