// The one judge of answers, measured from the problem and the answer alone: of contact problems, by
// the friction cone or by a pyramid of any sides, and of problems of impulses (W, q, mu). And the
// sums that solvers look at on their way, so that they mean the same by the same figure.
#pragma once

#include <algorithm>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/friction_problem.hpp>
#include <tact/contact/friction_pyramid.hpp>
#include <tact/contact/law.hpp>
#include <tact/core/solve_report.hpp>

namespace tact {

// Natural maps of some contacts (law.hpp), m/s. The only place that takes the root of their mean.
struct NaturalSum {
  double squares = 0.0;
  double worst = 0.0;
  int active = 0;

  void add(double map, bool is_active = true)
  {
    squares += map * map;
    worst = std::max(worst, map);
    if (is_active) ++active;
  }
  // Passes over a contact that is open: there the law holds. An impulse that pulls counts although
  // it is not active.
  void add(const Vector3d& u, const Vector3d& lambda, double mu, double w,
           FrictionLaw law = FrictionLaw::disc)
  {
    if (lambda.isZero(0.0) && u[0] >= 0.0) return;
    add(natural_map<3>(u, lambda, mu, w, law).norm(), lambda[0] > 0.0 || u[0] < 0.0);
  }
  void add(const NaturalSum& other);
  double rms() const;   // over active contacts
  double norm() const;  // Euclidean
};

// What r = A (v - v*) - J' lambda - rest comes to over some nodes of one component, see
// Residuals::momentum.
struct MomentumError {
  double energy = 0.0;              // m^2/s^2: sum of r' D^-1 r / m
  Vector3d sum = Vector3d::Zero();  // N s: of r, linear
  double mass = 0.0;                // kg
  int bodies = 0;                   // nodes, rigid bodies counted once

  // r: the three entries of the node, with its partner's beside them.
  void add(const DiagonalBlocks& D, int node, const double* r);
  void add(const MomentumError& other);
  double speed() const { return mass > 0.0 ? sum.norm() / mass : 0.0; }
};

// The same over components.
struct MomentumSum {
  double energy = 0.0, speed = 0.0;
  int bodies = 0;

  void add(const MomentumError& component);
  void add(const MomentumSum& other);
  double value() const;  // m/s: what Residuals::momentum is
};

// Natural map of a contact, as a velocity:
//   w |lambda - P_K(lambda - u^ / w)|,   u^ = u + (mu |u_T|, 0, 0),   w = trace(J M^-1 J') / 3
// with M the masses of nodes, the sums of the rows of A, and the 6 x 6 blocks of rigid bodies. For
// rigid bodies w is the contact's own response. For meshes it is at least that, J A^-1 J', since
// nodes are taken to be free of their neighbours. A smaller w, from the diagonal blocks D, would
// hide what matters most: where w lambda is below the tolerance, any u passes, and the impulses of
// bodies at rest are that small on stiff meshes.
//
// A contact counts as active when lambda_n > 0 or u_n < 0. Means run over active contacts, so that
// rows that stand by do not dilute them. Bilateral rows are measured alike, by the natural map of
// their limits: w |beta - clamp(beta - (B v + bias) / w)|, which without limits is |B v + bias|.
struct Residuals {
  double natural = 0.0;      // m/s: root mean square
  double natural_max = 0.0;  // m/s: the worst contact
  double penetration = 0.0;  // m/s: largest max(0, -u_n); times dt it is a depth
  // r = A (v - v*) - J' lambda - rest. Its energy r' D^-1 r, as the velocity that the mass m of the
  // node would have: sqrt(r' D^-1 r / m), root mean square over the nodes of components that have
  // contacts. D: diagonal blocks of A, 3 x 3 a node, 6 x 6 a rigid body, whose turning counts as
  // the speed of its mass. Or, where that is more, the speed |sum r| / sum m of a component as a
  // whole: small errors of one sign on every node of a stiff mesh are a force that nobody exerts.
  double momentum = 0.0;           // m/s
  double momentum_relative = 0.0;  // |r| / |J' lambda|, Euclidean; 0 where both are 0
  double cone_violation = 0.0;     // N s: how far an impulse lies outside of its friction cone
  double overreach = 0.0;          // m/s: how far a group is open beside a side that pushes
  double bilateral = 0.0;          // m/s: the worst bilateral row
  // Of problems of impulses alone, below: without unit, or as it is where q is zero.
  double rel_q = 0.0;    // e / |q|
  double rel_max = 0.0;  // e / max(|q|, |lambda|, |u|), never above rel_q
  int active = 0;

  // What tolerances are about, m/s.
  double worst() const { return std::max(natural > momentum ? natural : momentum, bilateral); }
};

// What the status of a solve is with this residual, whatever the method thinks.
[[nodiscard]] SolveStatus judged(SolveStatus status, double residual, double tolerance);

// Sides of groups that the judge passes over: those without an impulse, but for the widest of each
// group. So sides that push are held to the law of any contact, and groups to having one side that
// holds. One entry a contact; empty where there are no groups.
[[nodiscard]] std::vector<char> excused_sides(const ContactProblem& problem,
                                              const ContactSolution& solution);

// Whether sizes fit, and all is finite: an answer for which this is false has infinite residuals.
[[nodiscard]] bool is_answer(const ContactProblem& problem, const ContactSolution& solution);
[[nodiscard]] Residuals infinite_residuals();

// The natural map of the worst bilateral row, m/s. Of an answer of the right size.
[[nodiscard]] double bilateral_residual(const ContactProblem& problem,
                                        const ContactSolution& solution, const DiagonalBlocks& D);

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
    NaturalSum natural;
    double penetration = 0.0, cone_violation = 0.0;
  };
  struct ComponentSum {
    MomentumSum touched;               // by contacts
    double left = 0.0, impulse = 0.0;  // squares of r and of J' lambda
  };
  ContactSum sum_contacts(const ContactProblem& problem, const ContactSolution& solution,
                          const DiagonalBlocks& D, FrictionLaw law, int first, int last) const;
  ComponentSum sum_components(const ContactProblem& problem, const ContactSolution& solution,
                              const DiagonalBlocks& D, int first, int last);

  VectorXd x_, r_, impulse_;
  std::vector<char> excused_;             // of sides of groups
  std::vector<int> first_node_;           // of each component, and all nodes at the end
  std::vector<char> touched_;             // nodes that a contact acts on
  std::vector<ContactSum> contact_sums_;  // one a chunk
  std::vector<ComponentSum> component_sums_;
};

// ---- Problems of impulses: (W, q, mu)
//
//   e = | lambda - P_K(lambda - u^) | over all contacts, u^ = u + (mu |u_T|, 0), u = W lambda + q
//
// adds N s to m/s, as is the custom with stored problems (FCLIB, Siconos), so it is not free of
// units. eps_nat is in m/s.
//
// What a tolerance is about: rel_q, free of the size of q, or eps_nat.
enum class FrictionMeasure { rel_q, eps_nat };

// Of the residuals these are rel_q, rel_max, penetration, cone_violation, and eps_nat as `natural`:
// the root mean square of w_c |lambda - P_K(lambda - u^ / w_c)| over all blocks, bilateral rows
// among them, w_c = trace(W_cc) / dimension. Impulses that are not finite or of the wrong number
// have infinite residuals; so do impulses so large that q is lost in the rounding of W lambda + q,
// for which e would be small for want of digits: those of a problem without answer.
[[nodiscard]] Residuals measure(const FrictionProblem& problem, const VectorXd& lambda);

// ---- Problems with a friction pyramid of any sides: what pivoting solves exactly
//
// The contact law with a friction pyramid, [Lloyd05] eq. (6), per contact
//   0 <= theta     perp  nu = u_n                        >= 0
//   0 <= phi_x     perp  sigma_x = d_x . u_T + slack     >= 0,  x = 1..d
//   0 <= slack     perp  gamma = mu theta - sum phi      >= 0
// with theta = lambda_n, phi the least split of lambda_T, slack = max(0, -min_x d_x . u_T). Each
// row counts |min(w z, u)| with impulses turned into velocities by the contact's own response w:
// the same answer gets the same figure in any unit of mass.
//
// All relative, without unit, and by the worst row: `natural` and `bilateral` over the largest free
// velocity of a row, |J v* + bias|; `momentum` over the largest generalised impulse in the problem.
// Other entries are 0. Groups are left out of account. An answer that is not finite has infinite
// residuals.
[[nodiscard]] Residuals measure(const ContactProblem& problem, const ContactSolution& solution,
                                const FrictionPyramid& pyramid);

}  // namespace tact
