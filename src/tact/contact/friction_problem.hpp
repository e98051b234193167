// Coulomb's friction in finite dimensions, contact by contact, with nothing but matrices:
//
//   u = W lambda + q
//   K_mu* contains u^ = u + (mu |u_T|, 0),   u^ . lambda = 0,   lambda in K_mu      [De Saxce]
//   K_mu = { |lambda_T| <= mu lambda_n },  K_mu* = { u_n >= mu |u_T| }
//
// A contact has its normal first and then one tangent (2D) or two (3D). W is the Delassus matrix
// J A^-1 J'. It need be neither symmetric nor regular: implicit gyroscopic terms make it the one,
// more contacts than degrees of freedom the other. The cone is the exact one, not a pyramid.
//
// Behind the contacts stand bilateral rows, a block each as contacts have: the first row of a block
// is theirs, the others are zero. Their impulses lie between limits (ContactProblem::bilateral).
#pragma once

#include <Eigen/SparseCore>

#include <tact/contact/law.hpp>
#include <tact/core/types.hpp>

namespace tact {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct FrictionProblem {
  int dimension = 3;                // of space: 2 or 3, the rows a contact has
  SparseRows W;                     // 1/kg
  VectorXd q;                       // m/s: velocities without impulses
  VectorXd mu;                      // one a contact, >= 0
  VectorXd lower = {}, upper = {};  // N s: limits, one of each a bilateral row

  int contacts() const { return static_cast<int>(mu.size()); }
  int blocks() const { return contacts() + static_cast<int>(lower.size()); }
  int size() const { return dimension * blocks(); }
  ImpulseSet set(int block) const;
};

// On entry to a solver the warm start, where the sizes fit.
struct FrictionSolution {
  VectorXd lambda;     // N s: as many entries as q
  VectorXd u;          // m/s: W lambda + q
  VectorXd v;          // m/s: of the bodies, where the problem came in its global form
  VectorXd beta = {};  // N s: the same, of its bilateral rows
};

// A problem in space whose second tangents are all zero, in the plane; and its impulses in space.
[[nodiscard]] FrictionProblem in_plane(const FrictionProblem& problem);
[[nodiscard]] VectorXd in_space(const VectorXd& planar_lambda);

// The contacts alone, with W and q such that the bilateral rows hold whatever the impulses. Throws
// Error where a row has limits.
[[nodiscard]] FrictionProblem without_equations(const FrictionProblem& problem);

// Throws Error for sizes that do not fit, numbers that are not finite, and negative mu.
void validate(const FrictionProblem& problem);

}  // namespace tact
