// Side selection for bodies of any kind: the convex problems are solved by any solver of those.
#pragma once

#include <tact/contact/contact_solver.hpp>
#include <tact/solvers/unions/side_selection.hpp>

namespace tact {

// A contact that is left out stays in the problem with a gap that no motion closes, and without
// friction: so the solver keeps its factors and responses from trial to trial. Answers that miss
// the solver's tolerance count as solved: side selection compares them, the residual tells how good
// the one is that is returned.
class ContactSelection : public SelectedContacts {
 public:
  // The solver must have had begin() with this problem, and contacts only appended since. Both must
  // outlive this; the problem is changed during solve() and is as it was after it.
  ContactSelection(ContactProblem& problem, ContactSolver& solver);

  // `start`: where solves start from, until an answer is kept; then that one.
  void start_from(const ContactSolution& start) { kept_ = start; }

  void solve(std::span<const char> present, SelectionTrial& trial) override;
  void keep() override;
  bool monotone() const override { return frictionless_; }

  const ContactSolution& kept() const { return kept_; }
  const ContactReport& kept_report() const { return kept_report_; }

 private:
  ContactProblem* problem_;
  ContactSolver* solver_;
  bool frictionless_ = true;
  double far_ = 0.0;  // m/s: more than any contact closes with
  ContactSolution solution_, kept_;
  ContactReport report_, kept_report_;
  std::vector<Vector3d> biases_;  // of the problem as given
  std::vector<double> mu_;
};

}  // namespace tact
