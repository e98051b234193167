// The only policy: what solves a contact problem when no method is named. An island is solved by
// the methods of its plan, one after the other, until the judge is content. automatic.cpp has the
// plans as tables; in words:
//
//   contacts alone: in the memory of all islands at once
//     lone rigid bodies     sweeps, Newton's method on the cone, interior point, exact responses:
//                           to 1e-8 m/s
//     with small meshes     exact responses, conjugate sweeps
//     with large ones       passes; Newton's method in the velocities where these get on slowly;
//                           passes. Collective corrections where many contacts push one body
//   then the island as a problem of its own
//     round cone            the chain of the exact cone (cone/automatic)
//     pyramid               lemke-cone, of rigid bodies
//   bilateral rows
//     round cone            the chain of the exact cone
//     pyramid               lemke-cone, or lemke-standard where rows have limits; of rigid bodies
//                           only
//
// Groups of sides are for solvers/unions. What is no island of bodies has one method: problems of a
// matrix W the chain, rigid bodies with a pyramid of any number of sides pivoting
// (pivoting/rigid_solvers).
#pragma once

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/adapters/adapted_solvers.hpp>
#include <tact/solvers/islandwise.hpp>

namespace tact {

// The plans for contacts alone, for NestedSolver.
[[nodiscard]] NestedOptions automatic_options();

class AutomaticSolver : public ContactSolver {
 public:
  explicit AutomaticSolver(const ContactOptions& options);

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override;
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override;

 private:
  void go_on(const ContactProblem& problem, ContactSolution& solution, ContactReport& report) const;

  ContactOptions options_;
  NestedContactSolver within_;
  IslandwiseSolver with_rows_;  // of problems with bilateral rows
};

std::unique_ptr<ContactSolver> make_automatic(const ContactOptions& options);

}  // namespace tact
