// The one judge of answers to contact problems, measured from the problem and the answer alone.
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/law.hpp>

namespace tact {

// Natural map of a contact, as a velocity:
//   w |lambda - P_K(lambda - u^ / w)|,   u^ = u + (mu |u_T|, 0, 0),   w = trace(J M^-1 J') / 3
// with M the masses of nodes, the sums of the rows of A, and the 6 x 6 blocks of rigid bodies. For
// rigid bodies w is the contact's own response. For meshes it is at least that, J A^-1 J', since
// nodes are taken to be free of their neighbours. A smaller w, from the diagonal blocks D, would
// hide what matters most: where w lambda is below the tolerance, any u passes, and the impulses of
// bodies at rest are that small on stiff meshes.
//
// A contact counts as active when lambda_n > 0 or u_n < 0. Means run over active contacts, so that
// rows that stand by do not dilute them.
struct Residuals {
  double natural = 0.0;      // m/s: root mean square
  double natural_max = 0.0;  // m/s: the worst contact
  double penetration = 0.0;  // m/s: largest max(0, -u_n); times dt it is a depth
  // r = A (v - v*) - J' lambda. Its energy r' D^-1 r, as the velocity that the mass m of the node
  // would have: sqrt(r' D^-1 r / m), root mean square over the nodes of components that have
  // contacts. D: diagonal blocks of A, 3 x 3 a node, 6 x 6 a rigid body, whose turning counts as the
  // speed of its mass. Or, where that is more, the speed |sum r| / sum m of a component as a whole: small
  // errors of one sign on every node of a stiff mesh are a force that nobody exerts.
  double momentum = 0.0;           // m/s
  double momentum_relative = 0.0;  // |r| / |J' lambda|, Euclidean; 0 where both are 0
  double cone_violation = 0.0;     // N s: how far an impulse lies outside of its friction cone
  double overreach = 0.0;          // m/s: how far a group is open beside a side that pushes
  int active = 0;

  // What tolerances are about, m/s.
  double worst() const { return natural > momentum ? natural : momentum; }
};

// Sides of groups that the judge passes over: those without an impulse, but for the widest of each
// group. So sides that push are held to the law of any contact, and groups to having one side that
// holds. One entry a contact; empty where there are no groups.
[[nodiscard]] std::vector<char> excused_sides(const ContactProblem& problem,
                                              const ContactSolution& solution);

// What r comes to over some nodes of one component.
struct MomentumError {
  double energy = 0.0;              // m^2/s^2: sum of r' D^-1 r / m
  Vector3d sum = Vector3d::Zero();  // N s: of r, linear
  double mass = 0.0;                // kg

  // r: the three entries of the node, with its partner's beside them.
  void add(const DiagonalBlocks& D, int node, const double* r);
  void add(const MomentumError& other);
  double speed() const { return mass > 0.0 ? sum.norm() / mass : 0.0; }
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
                        const DiagonalBlocks& D, FrictionLaw law, Residuals& residuals);
  void measure_momentum(const ContactProblem& problem, const ContactSolution& solution,
                        const DiagonalBlocks& D, Residuals& residuals);
  void find_touched(const ContactProblem& problem);

  // What some contacts or components come to, before they are summed up.
  struct ContactSum {
    Residuals worst;
    double squares = 0.0;  // of the natural map
  };
  struct MomentumSum {
    double energy = 0.0, speed = 0.0;  // of touched components, see MomentumError
    double left = 0.0, impulse = 0.0;  // squares of r and of J' lambda
    int bodies = 0;
  };
  ContactSum sum_contacts(const ContactProblem& problem, const ContactSolution& solution,
                          const DiagonalBlocks& D, FrictionLaw law, int first, int last) const;
  MomentumSum sum_momentum(const ContactProblem& problem, const ContactSolution& solution,
                           const DiagonalBlocks& D, int first, int last);

  VectorXd x_, r_, impulse_;
  std::vector<char> excused_;             // of sides of groups
  std::vector<int> first_node_;           // of each component, and all nodes at the end
  std::vector<char> touched_;             // nodes that a contact acts on
  std::vector<ContactSum> contact_sums_;  // one a chunk
  std::vector<MomentumSum> momentum_sums_;
};

}  // namespace tact
