// Side selection for rigid bodies: the convex problems are solved by cone-state Lemke.
#pragma once

#include <tact/contact/rigid_contact_problem.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/unions/side_selection.hpp>

namespace tact {

// (v - v*)' A (v - v*) / 2, J: what impulses have changed.
double impulse_work(const RigidContactProblem& problem, const VectorXd& v);

class RigidSelection : public SelectedContacts {
 public:
  // The problem must outlive it. `directions`: sides of the friction pyramid.
  RigidSelection(const RigidContactProblem& problem, int directions);

  void solve(std::span<const char> present, SelectionTrial& trial) override;
  void keep() override { kept_ = solution_; }
  bool monotone() const override { return frictionless_; }

  // What was kept: velocities of all bodies and impulses of all contacts.
  const RigidContactSolution& kept() const { return kept_; }
  int pivots() const { return pivots_; }  // of all solves

 private:
  const RigidContactProblem* problem_;
  bool frictionless_ = true;
  ConeLemke solver_;
  RigidContactProblem selected_;  // with the contacts that are present
  RigidContactSolution selected_solution_;
  RigidContactSolution solution_, kept_;
  int pivots_ = 0;
};

}  // namespace tact
