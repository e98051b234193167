#include <tact/solvers/unions/rigid_selection.hpp>

#include <algorithm>

namespace tact {

RigidSelection::RigidSelection(const ContactProblem& problem, int directions)
    : problem_(&problem), solver_({.directions = directions})
{
  selected_ = problem;
  selected_.groups.clear();
  frictionless_ = std::all_of(problem.contacts.begin(), problem.contacts.end(),
                              [](const ContactRows& contact) { return contact.mu == 0.0; });
  kept_.v = problem.v_star;
  kept_.lambda.setZero(3 * problem.size());
  kept_.beta.setZero(static_cast<Eigen::Index>(problem.bilateral.size()));
}

void RigidSelection::solve(std::span<const char> present, SelectionTrial& trial)
{
  selected_.contacts.clear();
  for (int c = 0; c < problem_->size(); ++c)
    if (present[c]) selected_.contacts.push_back(problem_->contacts[c]);
  const ConeReport report = solver_.solve(selected_, selected_solution_);
  pivots_ += report.pivots;
  trial.solved = report.status == SolveStatus::converged;
  if (!trial.solved) return;

  solution_.v = selected_solution_.v;
  solution_.beta = selected_solution_.beta;
  solution_.lambda.setZero(3 * problem_->size());
  for (int c = 0, from = 0; c < problem_->size(); ++c)
    if (present[c])
      solution_.lambda.segment<3>(3 * c) = selected_solution_.lambda.segment<3>(3 * from++);
  trial.take(*problem_, solution_);
}

}  // namespace tact
