// The only policy: what solves a contact problem when no method is named.
//
//   1  islands of lone rigid bodies, to 1e-8 m/s: Newton's method on the cone, the interior point
//   2  islands with small meshes: exact responses, conjugate sweeps
//   3  islands with large ones: passes; Newton's method in the velocities where these get on slowly
//   4  what the judge is not content with, where W is not too large: the chain of the exact cone
//
// 1 to 3 are those of NestedSolver; groups of sides are for solvers/unions.
#pragma once

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/nested/nested_contact_solver.hpp>

namespace tact {

class AutomaticSolver : public ContactSolver {
 public:
  explicit AutomaticSolver(const ContactOptions& options);

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override;
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override;

 private:
  void take_to_cones(const ContactProblem& problem, ContactSolution& solution,
                     ContactReport& report) const;

  ContactOptions options_;
  NestedContactSolver nested_;
};

std::unique_ptr<ContactSolver> make_automatic(const ContactOptions& options);

}  // namespace tact
