// ProjectedSolver as a method among others.
#pragma once

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/regions/projected_solver.hpp>

namespace tact {

class RegionsContactSolver : public ContactSolver {
 public:
  RegionsContactSolver(ProjectedMethod method, const ContactOptions& options);

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override;
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override;

 private:
  ProjectedSolver solver_;
};

// In one call: mprgp, which does not take friction.
SolveReport solve_by_proportioning(const ContactProblem& problem, ContactSolution& solution,
                                   const ContactOptions& options);

}  // namespace tact
