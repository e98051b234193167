// A step as a value: where it started, the contact problem that it solved, the answer, and how good
// that is. Of a step that was halved or cut into parts it is the last part that is told; the report
// is of all.
#pragma once

#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/contact/judge.hpp>
#include <tact/sim/contact_rows.hpp>
#include <tact/sim/held_joints.hpp>
#include <tact/sim/state.hpp>
#include <tact/sim/step_report.hpp>

namespace tact {

struct StepResult {
  StepReport report;
  State start;
  double dt = 0.0;                      // s
  std::vector<ContactRecord> contacts;  // one a row of three of the problem
  std::vector<JointReaction> joints;    // one a joint of the world
  ContactProblem problem;
  VectorXd right_side;         // N s: A v* = b
  ContactSolution warm_start;  // of the last solve
  ContactSolution solution;
  Residuals residuals;  // what the judge said of it
};

}  // namespace tact
