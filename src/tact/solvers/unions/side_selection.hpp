// Side selection: one side a group, a convex problem for the choice, and better choices.
//
// With a side chosen in every group that needs one, what is left is an ordinary contact problem.
// Who solves that is no business of this file: it asks a SelectedContacts, which the rigid problem,
// the general problem or a time stepper provides.
//
// Among several answers this rule decides, so that the same problem has the same answer:
//   1. if the contacts outside of the groups alone lead to a state that every group allows, that;
//   2. else the answer of least impulse work, (v - v*)' A (v - v*) / 2 in J: the least change of
//      motion. Without friction it is -lambda . u_free / 2;
//   3. of answers within 1e-9 of that work, the one whose chosen sides come first in their groups,
//      the first group counting most.
//
// Where a start is given, as in time steps, there is no rule 1: the local search begins with those
// sides. What held in the last step then goes on holding, as long as it is consistent.
//
// An answer is consistent where no chosen side carries an impulse while another side of its group
// is open: then it solves the max form. Where no consistent answer is found, which takes friction,
// the one of least work is returned as `stalled`: its end state is allowed, but a side pushes too
// far. Sides that may not push (SideGroups::pushing) are never chosen.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/side_groups.hpp>
#include <tact/core/solve_report.hpp>

namespace tact {

// (v - v*)' A (v - v*) / 2, J: what impulses have changed.
[[nodiscard]] double impulse_work(const ContactProblem& problem, const VectorXd& v);

// Every third entry, the first included: the normal ones of vectors with three a contact.
[[nodiscard]] VectorXd normal_entries(const VectorXd& three_a_contact);

// The answer of the convex problem of one choice.
struct SelectionTrial {
  bool solved = false;
  double work = 0.0;  // J
  VectorXd u_n;       // m/s at the answer, of every contact, present or not
  VectorXd lambda_n;  // N s, of every contact; 0 for those that are not present

  // All but `solved`, from the answer.
  void take(const ContactProblem& problem, const ContactSolution& solution);
};

// "Solve the convex problem with these contacts."
class SelectedContacts {
 public:
  virtual ~SelectedContacts() = default;

  // `present` has one entry a contact, 0 for those to be left out. Contacts in no group are always
  // present. Not solved means that there is no answer, or that the solver found none.
  virtual void solve(std::span<const char> present, SelectionTrial& trial) = 0;

  // The answer of the last solve() is the best so far: it is to be kept.
  virtual void keep() = 0;

  // Whether a further contact can only add work, as without friction: bounds the search.
  virtual bool monotone() const = 0;
};

struct SelectionOptions {
  double tolerance = 1e-9;        // m/s: a side above it is open, a group below minus it is crossed
  int max_enumerated_groups = 6;  // up to so many groups every choice counts; beyond, local search
  int max_trials = 4096;          // convex problems to be solved, at most
};

struct SelectionReport {
  SolveStatus status = SolveStatus::no_solution;
  std::vector<int> chosen;  // of each group the contact that pushes; -1 where none does
  double work = 0.0;        // J
  int trials = 0;           // convex problems solved
  bool exhaustive = false;  // no choice has less work, but for those that rule 1 passes over
};

// `contacts` is the number of contacts of the problem. The answer is the one kept last. `start`: of
// each group the contact to begin the local search with, -1 for none; or nothing at all.
SelectionReport select_sides(const SideGroups& groups, int contacts, SelectedContacts& convex,
                             const SelectionOptions& options, std::span<const int> start = {});

}  // namespace tact
