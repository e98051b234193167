#include <tact/lcp/one_sided_form.hpp>

namespace tact {
namespace {

using Role = OneSidedRow::Role;

std::vector<OneSidedRow> choose_rows(const LcpProblem& problem)
{
  std::vector<OneSidedRow> rows;
  for (int i = 0; i < problem.size(); ++i) {
    const double lower = problem.lower_bound(i);
    const double upper = problem.upper_bound(i);
    if (lower == upper) continue;
    if (problem.is_equation(i)) {
      rows.push_back({Role::equation, i});
    } else if (lower == -infinity) {
      rows.push_back({Role::mirrored, i});
    } else {
      rows.push_back({Role::lower, i});
      if (upper != infinity) rows.push_back({Role::slack, i});
    }
  }
  return rows;
}

VectorXd reference_point(const LcpProblem& problem)
{
  VectorXd reference(problem.size());
  for (int i = 0; i < problem.size(); ++i) {
    const bool has_lower = problem.lower_bound(i) != -infinity;
    reference[i] = problem.is_equation(i) ? 0.0
                   : has_lower            ? problem.lower_bound(i)
                                          : problem.upper_bound(i);
  }
  return reference;
}

double sign(Role role)
{
  return role == Role::mirrored ? -1.0 : 1.0;
}

double coefficient(const LcpProblem& problem, const OneSidedRow& row, const OneSidedRow& column)
{
  const bool same = row.variable == column.variable;
  if (row.role == Role::slack) return same && column.role == Role::lower ? -1.0 : 0.0;
  if (column.role == Role::slack) return same ? 1.0 : 0.0;
  return sign(row.role) * sign(column.role) * problem.M(row.variable, column.variable);
}

}  // namespace

OneSidedForm one_sided_form(const LcpProblem& problem)
{
  OneSidedForm form;
  form.rows = choose_rows(problem);
  form.reference = reference_point(problem);
  const VectorXd w_reference = problem.M * form.reference + problem.q;
  form.M.resize(form.size(), form.size());
  form.q.resize(form.size());
  for (int i = 0; i < form.size(); ++i) {
    const OneSidedRow& row = form.at(i);
    form.q[i] = row.role == Role::slack
                    ? problem.upper_bound(row.variable) - problem.lower_bound(row.variable)
                    : sign(row.role) * w_reference[row.variable];
    for (int j = 0; j < form.size(); ++j) form.M(i, j) = coefficient(problem, row, form.at(j));
  }
  return form;
}

VectorXd given_variables(const OneSidedForm& form, const VectorXd& y)
{
  VectorXd x = form.reference;
  for (int i = 0; i < form.size(); ++i)
    if (form.at(i).role != Role::slack) x[form.at(i).variable] += sign(form.at(i).role) * y[i];
  return x;
}

}  // namespace tact
