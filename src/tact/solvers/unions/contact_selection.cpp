#include <tact/solvers/unions/contact_selection.hpp>

#include <algorithm>
#include <utility>

namespace tact {

ContactSelection::ContactSelection(ContactProblem& problem, ContactSolver& solver)
    : problem_(&problem), solver_(&solver)
{
  for (const ContactRows& contact : problem.contacts) {
    biases_.push_back(contact.bias);
    mu_.push_back(contact.mu);
    frictionless_ = frictionless_ && contact.mu == 0.0;
  }
  // Impulses stop motion and push out of overlaps: a thousand times the fastest of both is far.
  const VectorXd free = contact_velocities(problem, problem.v_star);
  far_ = 1e3 * (1.0 + (free.size() > 0 ? free.cwiseAbs().maxCoeff() : 0.0));
}

void ContactSelection::solve(std::span<const char> present, SelectionTrial& trial)
{
  const int n = problem_->size();
  for (int c = 0; c < n; ++c) {
    if (present[c]) continue;
    problem_->contacts[c].bias = Vector3d(far_, 0.0, 0.0);
    problem_->contacts[c].mu = 0.0;
  }
  SideGroups none;  // a side that is present has to hold, whatever others of its group do
  std::swap(problem_->groups, none);
  solution_ = kept_;
  report_ = solver_->solve(*problem_, solution_);
  std::swap(problem_->groups, none);
  for (int c = 0; c < n; ++c) {
    problem_->contacts[c].bias = biases_[c];
    problem_->contacts[c].mu = mu_[c];
  }
  trial.solved = report_.status != SolveStatus::no_solution && solution_.v.allFinite();
  if (!trial.solved) return;

  for (int c = 0; c < n; ++c)
    if (!present[c]) solution_.lambda.segment<3>(3 * c).setZero();
  trial.take(*problem_, solution_);
}

void ContactSelection::keep()
{
  kept_ = solution_;
  kept_report_ = report_;
}

}  // namespace tact
