// A contact problem with its velocities eliminated: what the solvers of the exact Coulomb cone
// (tact/solvers/cone) take.
//
//   W = J A^-1 J',  q = J v* + bias,   and back:  v = v* + A^-1 J' lambda
//
// with bilateral rows as further rows of J.
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_problem.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/solvers/cone/velocity_system.hpp>

namespace tact {

class CondensedContact {
 public:
  // Factors A, component by component. Throws Error where one is not positive definite. The problem
  // must outlive this.
  explicit CondensedContact(const ContactProblem& problem);

  // W is dense among the contacts of one component and zero between those that share none.
  [[nodiscard]] FrictionProblem friction_problem() const;

  // The same in two dimensions where the problem is_planar().
  [[nodiscard]] FrictionProblem local_problem() const;

  // What the impulses of contacts add to the velocities, A^-1 J' lambda.
  [[nodiscard]] VectorXd response(const VectorXd& lambda) const;

  // Impulses of a friction_problem(), of what fits of a solution, and back: with the velocities
  // that go with them.
  [[nodiscard]] VectorXd impulses(const ContactSolution& solution) const;
  [[nodiscard]] ContactSolution solution(const VectorXd& impulses) const;

 private:
  void load_rows(FrictionProblem& condensed) const;
  void respond(VectorXd& impulse) const;  // A^-1 x

  const ContactProblem& problem_;
  std::vector<BlockCholesky> factors_;
};

// Whether the second tangents of all contacts are zero: what a problem in the plane has.
[[nodiscard]] bool is_planar(const ContactProblem& problem);

// A and J of the problem: what the solvers may use besides W.
[[nodiscard]] VelocityForm velocity_form(const ContactProblem& problem);

// Numbers in W: what to look at before one is made of thousands of contacts on one mesh.
[[nodiscard]] double condensed_entries(const ContactProblem& problem);

}  // namespace tact
