// The global form of FCLIB as a contact problem, and back:
//
//   M v = H lambda + G kappa + f     A = M, v* = M^-1 f
//   u = H' v + w                     J = H', bias = w
//   G' v + b = 0                     bilateral rows without limits, B = G'
//
// Unknowns are taken three at a time as nodes; where their number is no multiple of three, unknowns
// of 1 kg that nothing touches fill up the last node. Contacts in the plane have a third row of
// zeros.
#pragma once

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_problem.hpp>

namespace tact {

// As it stands in a file.
struct GlobalForm {
  int dimension = 3;
  SparseRows M = {};  // n x n
  SparseRows H = {};  // n x (dimension times contacts)
  SparseRows G = {};  // n x joints, or empty
  VectorXd f = {}, w = {}, b = {};
  VectorXd mu = {};
};

// Throws Error unless M is symmetric positive definite, and for what validate() refuses.
[[nodiscard]] ContactProblem contact_problem(const GlobalForm& form);

// Throws Error for groups of sides and for limits, which the form lacks.
[[nodiscard]] GlobalForm global_form(const ContactProblem& problem);

}  // namespace tact
