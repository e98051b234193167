// Any LCP as one whose variables are free or >= 0: bounds shifted to zero, boxes made two rows.
#pragma once

#include <vector>

#include <tact/lcp/lcp_problem.hpp>

namespace tact {

// What a row of the one-sided form stands for, with x the variable of the given problem, w its row
// and y >= 0 the variable of the form:
//   equation   y = x, free, w = 0
//   lower      y = x - lower,  w >= 0       (in a box: w + y_slack >= 0)
//   mirrored   y = upper - x, -w >= 0
//   slack      y_slack = -w where x is at the upper end of its box, with upper - lower - y >= 0
// A variable with lower = upper has no row: it is known.
struct OneSidedRow {
  enum class Role { equation, lower, mirrored, slack };
  Role role;
  int variable;
};

struct OneSidedForm {
  MatrixXd M;
  VectorXd q;
  std::vector<OneSidedRow> rows;
  VectorXd reference;  // x at y = 0, one entry a variable of the given problem

  int size() const { return static_cast<int>(rows.size()); }
  bool is_equation(int row) const { return at(row).role == OneSidedRow::Role::equation; }
  const OneSidedRow& at(int row) const { return rows[row]; }
};

OneSidedForm one_sided_form(const LcpProblem& problem);

// The variables of the given problem for the y of its one-sided form.
VectorXd given_variables(const OneSidedForm& form, const VectorXd& y);

}  // namespace tact
