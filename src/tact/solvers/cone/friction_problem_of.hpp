// A contact problem with its velocities eliminated: what the solvers of the exact Coulomb cone
// (tact/solvers/cone) take.
//
//   W = J A^-1 J',  q = J v* + bias,   and back:  v = v* + A^-1 J' lambda
//
// with bilateral rows as further rows of J. Or, those without limits eliminated too, with K for
// A^-1 and the motion that they leave for v* (solvers/held/held_bodies).
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/friction_problem.hpp>
#include <tact/linalg/block_cholesky.hpp>
#include <tact/solvers/cone/velocity_system.hpp>
#include <tact/solvers/held/held_bodies.hpp>

namespace tact {

enum class Equations { kept, eliminated };

class CondensedContact {
 public:
  // Factors A, component by component. Throws Error where one is not positive definite. The problem
  // must outlive this.
  explicit CondensedContact(const ContactProblem& problem, Equations equations = Equations::kept);

  // Whether W has all rows, and comes of A and J alone.
  [[nodiscard]] bool is_whole() const { return held_.empty(); }

  // W is dense among the contacts of one component, or of one group of held ones, and zero between
  // those that share none. A contact whose bodies the equations hold still is out of account there.
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
  struct Standing;
  int blocks() const { return problem_.size() + static_cast<int>(rows_.size()); }
  [[nodiscard]] MatrixXd response_of(int group,
                                     std::span<const std::span<const RowBlock>> columns) const;
  void load_free_velocities(FrictionProblem& condensed) const;
  void leave_out_immovable(FrictionProblem& condensed) const;
  void respond(VectorXd& impulse) const;  // A^-1 x

  const ContactProblem& problem_;
  std::vector<BlockCholesky> factors_;  // one a component
  HeldBodies held_;
  std::vector<int> rows_;  // the bilateral rows that are blocks of W
};

// Whether the second tangents of all contacts are zero: what a problem in the plane has.
[[nodiscard]] bool is_planar(const ContactProblem& problem);

// A and J of the problem: what the solvers may use besides W.
[[nodiscard]] VelocityForm velocity_form(const ContactProblem& problem);

// Numbers in W: what to look at before one is made of thousands of contacts on one mesh.
[[nodiscard]] double condensed_entries(const ContactProblem& problem);

}  // namespace tact
