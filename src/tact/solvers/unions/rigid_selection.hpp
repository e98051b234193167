// Side selection for rigid bodies: the convex problems are solved by cone-state Lemke.
#pragma once

#include <tact/contact/contact_problem.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/unions/side_selection.hpp>

namespace tact {

class RigidSelection : public SelectedContacts {
 public:
  // The problem must outlive it. `directions`: sides of the friction pyramid.
  RigidSelection(const ContactProblem& problem, int directions);

  void solve(std::span<const char> present, SelectionTrial& trial) override;
  void keep() override { kept_ = solution_; }
  bool monotone() const override { return frictionless_; }

  // What was kept: velocities of all bodies and impulses of all contacts.
  const ContactSolution& kept() const { return kept_; }
  int pivots() const { return pivots_; }  // of all solves

 private:
  const ContactProblem* problem_;
  bool frictionless_ = true;
  ConeLemke solver_;
  ContactProblem selected_;  // with the contacts that are present
  ContactSolution selected_solution_;
  ContactSolution solution_, kept_;
  int pivots_ = 0;
};

}  // namespace tact
