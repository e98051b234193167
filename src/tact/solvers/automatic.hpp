// The only policy: what solves a contact problem when no method is named. An island is solved by
// the methods of its plan, one after the other from where the last one ended, until the judge is
// content:
//
//   bilateral rows, round cone           the chain of the exact cone (cone/automatic)
//   bilateral rows, pyramid              lemke-cone, or lemke-standard where rows have limits; of
//                                        rigid bodies only
//   contacts alone, round cone           the nested solver; the chain of the exact cone
//   contacts alone, pyramid              the nested solver; lemke-cone, of rigid bodies
//
// The nested solver takes all islands at once:
//   of lone rigid bodies    Newton's method on the cone, to 1e-8 m/s; the interior point
//   with small meshes       exact responses, conjugate sweeps
//   with large ones         passes; Newton's method in the velocities where these get on slowly
//
// Groups of sides are for solvers/unions.
#pragma once

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/adapters/adapted_solvers.hpp>
#include <tact/solvers/islandwise.hpp>

namespace tact {

class AutomaticSolver : public ContactSolver {
 public:
  explicit AutomaticSolver(const ContactOptions& options);

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override;
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override;

 private:
  void go_on(const ContactProblem& problem, ContactSolution& solution, ContactReport& report) const;

  ContactOptions options_;
  NestedContactSolver nested_;
  IslandwiseSolver with_rows_;  // of problems with bilateral rows
};

std::unique_ptr<ContactSolver> make_automatic(const ContactOptions& options);

}  // namespace tact
