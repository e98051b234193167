// A method that solves a problem in one call, as a solver of time steps: island by island. What it
// does not take another one does, and the report says so.
#pragma once

#include <vector>

#include <tact/contact/contact_solver.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/island_problem.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact {

class IslandwiseSolver : public ContactSolver {
 public:
  // `otherwise`: makes who solves what the method does not take. Where nobody does, such an island
  // moves freely, and the status is `unsupported`.
  IslandwiseSolver(SolveInOneCall method, const ContactOptions& options,
                   MakeContactSolver otherwise);

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override;
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override;

 private:
  struct Answer {
    ContactSolution solution;
    ContactReport report;
    bool refused = false;
  };
  Answer solve_island(IslandProblem& island, const ContactProblem& problem,
                      const ContactSolution& start) const;
  ContactReport solve_otherwise(IslandProblem& island, ContactSolution& solution) const;

  SolveInOneCall method_;
  ContactOptions options_;
  MakeContactSolver otherwise_;
  DiagonalBlocks D_;
  std::vector<const BlockCholesky*> factors_;  // one a component, or none
  ResidualMeter meter_;
};

}  // namespace tact
