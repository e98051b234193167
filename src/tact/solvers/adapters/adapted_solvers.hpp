// NestedSolver, IcaSolver and ProjectedSolver, which have options and reports of their own, as
// methods among others.
#pragma once

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/regions/projected_solver.hpp>
#include <tact/solvers/reproduction/ica.hpp>

namespace tact {

// What is asked for, of one of the ways of nested.hpp and of a method of projected_solver.hpp.
[[nodiscard]] NestedOptions asked_for(NestedOptions way, const ContactOptions& options);
[[nodiscard]] IcaOptions asked_for(IcaOptions way, const ContactOptions& options);
[[nodiscard]] ProjectedOptions asked_for(ProjectedMethod method, const ContactOptions& options);

[[nodiscard]] ContactReport contact_report(const NestedReport& solved);
[[nodiscard]] ContactReport contact_report(const ProjectedReport& solved);

template <class Solver>
class AdaptedSolver : public ContactSolver {
 public:
  template <class Way>
  AdaptedSolver(const Way& way, const ContactOptions& options) : solver_(asked_for(way, options))
  {
  }

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override
  {
    solver_.begin(problem, factors);
  }
  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override
  {
    return contact_report(solver_.solve(problem, solution));
  }

 private:
  Solver solver_;
};

using NestedContactSolver = AdaptedSolver<NestedSolver>;
using IcaContactSolver = AdaptedSolver<IcaSolver>;
using RegionsContactSolver = AdaptedSolver<ProjectedSolver>;

}  // namespace tact
