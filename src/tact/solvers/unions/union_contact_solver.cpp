#include <tact/solvers/unions/union_contact_solver.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include <tact/contact/rigid_bodies.hpp>
#include <tact/solvers/unions/contact_selection.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>

namespace tact {
namespace {

constexpr int most_lcp_rows = 200;  // some ms; what is larger is left to side selection

// As if all contacts had friction.
int rows_of_form(const ContactProblem& problem, const UnionContactOptions& options)
{
  const ConstraintCount count{.convex = problem.size() - problem.groups.sides(),
                              .sides = problem.groups.sides(),
                              .groups = problem.groups.size(),
                              .directions = options.directions};
  return options.method == NonconvexMethod::max_form ? count.max() : count.sum();
}

// Of each group the side that pushes, -1 where none does. Of several the one that pushes least:
// alone it does the least work, where sides are at right angles.
std::vector<int> gentlest_sides(const SideGroups& groups, const VectorXd& lambda)
{
  const std::vector<int> acting = acting_sides(groups, lambda);
  std::vector<int> sides(groups.size(), -1);
  for (int g = 0; g < groups.size(); ++g)
    for (const int side : groups[g]) {
      if (!std::binary_search(acting.begin(), acting.end(), side)) continue;
      if (sides[g] < 0 || lambda[3 * side] < lambda[3 * sides[g]]) sides[g] = side;
    }
  return sides;
}

std::vector<int> first_sides(const SideGroups& groups)
{
  std::vector<int> sides;
  for (int g = 0; g < groups.size(); ++g) sides.push_back(groups[g].front());
  return sides;
}

bool may_push(const SideGroups& groups, int group, int side)
{
  const auto pushing = groups[group].first(groups.pushing(group));
  return std::find(pushing.begin(), pushing.end(), side) != pushing.end();
}

// The convex problem of given sides; kept where it ends in a state that all groups allow.
bool solve_given(const ContactProblem& problem, std::span<const int> sides, double tolerance,
                 ContactSelection& convex)
{
  const SideGroups& groups = problem.groups;
  std::vector<char> present(problem.size(), 1);
  for (const int side : groups.all_sides()) present[side] = 0;
  for (const int side : sides)
    if (side >= 0) present[side] = 1;
  SelectionTrial trial;
  convex.solve(present, trial);
  if (!trial.solved) return false;
  for (int g = 0; g < groups.size(); ++g)
    if (sides[g] < 0 && -opening(groups[g], trial.u_n) > tolerance) return false;
  convex.keep();
  return true;
}

// The side that pushes in each group by Lemke's answer, -1 where none does. Nothing where there is
// no such answer, where some body is not rigid, and where the problem is too large.
std::optional<std::vector<int>> sides_by_form(const ContactProblem& problem,
                                              const UnionContactOptions& options)
{
  if (options.method == NonconvexMethod::selection ||
      rows_of_form(problem, options) > most_lcp_rows)
    return {};
  if (!only_rigid_bodies(problem)) return {};
  ContactSolution answer;
  const NonconvexReport solved = solve_rigid_unions(
      problem, answer, {.method = options.method, .directions = options.directions});
  if (!solved.solve.ok()) return {};
  std::vector<int> sides = gentlest_sides(problem.groups, answer.lambda);
  for (int g = 0; g < problem.groups.size(); ++g)
    if (sides[g] >= 0 && !may_push(problem.groups, g, sides[g])) return {};
  return sides;
}

// Leaves the answer in `convex`.
void choose_sides(const ContactProblem& problem, const ContactSolution& warm_start,
                  const UnionContactOptions& options, ContactSelection& convex,
                  ContactReport& report)
{
  if (const auto sides = sides_by_form(problem, options)) {
    ++report.trials;
    report.by_form = solve_given(problem, *sides, options.tolerance, convex);
    if (report.by_form) return;
  }
  std::vector<int> start;
  if (options.from_warm_start && warm_start.lambda.size() == 3 * problem.size())
    start = gentlest_sides(problem.groups, warm_start.lambda);
  const SelectionReport selected =
      select_sides(problem.groups, problem.size(), convex,
                   {.tolerance = options.tolerance, .max_trials = options.max_trials}, start);
  report.trials += selected.trials;
  if (selected.status != SolveStatus::no_solution) return;
  ++report.trials;
  solve_given(problem, first_sides(problem.groups), options.tolerance, convex);
}

}  // namespace

UnionSolver::UnionSolver(std::unique_ptr<ContactSolver> convex, const UnionContactOptions& options)
    : convex_(std::move(convex)), options_(options)
{
}

void UnionSolver::begin(const ContactProblem& problem,
                        std::span<const BlockCholesky* const> factors)
{
  convex_->begin(problem, factors);
}

ContactReport UnionSolver::solve(ContactProblem& problem, ContactSolution& solution)
{
  if (problem.groups.empty()) return convex_->solve(problem, solution);
  ContactReport report;
  ContactSelection convex(problem, *convex_);
  convex.start_from(solution);
  choose_sides(problem, solution, options_, convex, report);
  solution = convex.kept();
  report.residuals = measure(problem, solution, options_.law);
  report.status = judged(convex.kept_report().status, report.residuals.worst(), options_.tolerance);
  report.iterations = report.trials;
  report.note = fmt::format("{} convex problems, sides by {}", report.trials,
                            name(report.by_form ? options_.method : NonconvexMethod::selection));
  return report;
}

}  // namespace tact
