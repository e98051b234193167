// NestedSolver as a method among others.
#pragma once

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/nested/nested.hpp>

namespace tact {

class NestedContactSolver : public ContactSolver {
 public:
  // One of the four ways of nested.hpp, with what is asked for.
  NestedContactSolver(NestedOptions way, const ContactOptions& options);

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override;
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override;

 private:
  NestedSolver solver_;
};

}  // namespace tact
