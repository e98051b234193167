// The one judge of answers to contact problems, measured from the problem and the answer alone.
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/friction_law.hpp>

namespace tact {

// Natural map of a contact, as a velocity:
//   w |lambda - P_K(lambda - u^ / w)|,   u^ = u + (mu |u_T|, 0, 0),   w = trace(J D^-1 J') / 3
// with D the diagonal blocks of A: 3 x 3 a node, 6 x 6 a rigid body. That is the contact's own
// response for rigid bodies; for meshes it leaves out how neighbours yield, and is smaller.
//
// A contact counts as active when lambda_n > 0 or u_n < 0. Means run over active contacts, so that
// rows that stand by do not dilute them.
struct Residuals {
  double natural = 0.0;      // m/s: root mean square
  double natural_max = 0.0;  // m/s: the worst contact
  double penetration = 0.0;  // m/s: largest max(0, -u_n); times dt it is a depth
  // r = A (v - v*) - J' lambda. Root mean square of |D^-1 r|, a velocity, over the nodes of
  // components that have contacts: sqrt(r' D^-1 r / m) with m the mean of the diagonal of D, for a
  // rigid body of its linear part, so that turning counts as the speed of the mass that turns.
  double momentum = 0.0;           // m/s
  double momentum_relative = 0.0;  // |r| / |J' lambda|, Euclidean; 0 where both are 0
  double cone_violation = 0.0;     // N s: how far an impulse lies outside of its friction cone
  int active = 0;

  // What tolerances are about, m/s.
  double worst() const { return natural > momentum ? natural : momentum; }
};

// An answer that is not finite or of the wrong size has infinite residuals.
[[nodiscard]] Residuals measure(const ContactProblem& problem, const ContactSolution& solution,
                                FrictionLaw law = FrictionLaw::disc);

// The same, step after step, in memory that is kept, with the diagonal blocks of A at hand.
class ResidualMeter {
 public:
  [[nodiscard]] Residuals measure(const ContactProblem& problem, const ContactSolution& solution,
                                  const DiagonalBlocks& D, FrictionLaw law);

 private:
  void measure_contacts(const ContactProblem& problem, const ContactSolution& solution,
                        const DiagonalBlocks& D, FrictionLaw law, Residuals& residuals) const;
  void measure_momentum(const ContactProblem& problem, const ContactSolution& solution,
                        const DiagonalBlocks& D, Residuals& residuals);
  void find_touched(const ContactProblem& problem);

  VectorXd x_, r_, impulse_;
  std::vector<int> component_;  // of each node
  std::vector<char> touched_;   // whether a contact acts on the component
};

}  // namespace tact
