// Newton steps on the contact law of a small island, for what sweeps converge slowly on: stacks of
// very different masses, friction near its limit.
//
//   u = W lambda + q,   y_n = lambda_n - u_n / w_nn,   y_T = lambda_T - u_T / |w_TT|
//   Phi(lambda) = lambda - clamp(y) = 0                                [Alart and Curnier 1991]
//
// Each row of the derivative of Phi is that of the branch that the contact is in: open, sticking or
// sliding. Redundant contacts make it singular; a proximal term keeps it regular. A line search on
// the natural map decides how far to go: a step is taken only if it helps.
#pragma once

#include <vector>

#include <tact/linalg/dense_lu.hpp>
#include <tact/solvers/nested/contact_sweep.hpp>

namespace tact {

class NewtonCorrection {
 public:
  // True: lambda got better, its natural map to half or less. Otherwise lambda is left as it is.
  // No component may be nodal. Cost: n^3 of n rows, a few times. Allocates when there are more
  // contacts than before.
  bool improve(const ContactSweep& sweep, ContactRange contacts, double* lambda);

 private:
  void load(const ContactSweep& sweep, ContactRange contacts, const double* lambda);
  double merit(const ContactSweep& sweep, ContactRange contacts, const std::vector<double>& lambda);
  bool find_step(const ContactSweep& sweep, ContactRange contacts);
  bool search(const ContactSweep& sweep, ContactRange contacts, double& merit_now);

  int rows_ = 0;           // three a contact
  std::vector<double> W_;  // row by row
  std::vector<double> q_, u_, lambda_, trial_, step_;
  DenseLu H_;
};

}  // namespace tact
