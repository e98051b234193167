#include <tact/solvers/unions/nonconvex_solvers.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/core/timer.hpp>
#include <tact/solvers/pivoting/pyramid_lcp.hpp>
#include <tact/solvers/unions/rigid_selection.hpp>
#include <tact/solvers/unions/union_lemke.hpp>

namespace tact {
namespace {

// What velocities are small against: the largest normal velocity without contact.
double velocity_unit(const ContactProblem& problem)
{
  if (problem.size() == 0) return 1.0;
  const double largest = contact_velocities(problem, problem.v_star).cwiseAbs().maxCoeff();
  return largest > 0.0 ? largest : 1.0;
}

double fastest_side(const SideGroups& groups, const VectorXd& u_n)
{
  double fastest = 0.0;
  for (const int side : groups.all_sides()) fastest = std::max(fastest, std::abs(u_n[side]));
  return fastest;
}

UnionConstants completed(UnionConstants given, const UnionConstants& chosen)
{
  if (given.velocity_scale == 0.0) given.velocity_scale = chosen.velocity_scale;
  if (given.gamma == 0.0) given.gamma = std::max(chosen.gamma, 4.0 * given.velocity_scale);
  if (given.cap == 0.0) given.cap = chosen.cap;
  return given;
}

void solve_by_selection(const ContactProblem& problem, ContactSolution& solution,
                        const NonconvexOptions& options, NonconvexReport& report)
{
  RigidSelection convex(problem, options.directions);
  const SelectionReport selected =
      select_sides(problem.groups, problem.size(), convex,
                   {.tolerance = options.tolerance * velocity_unit(problem),
                    .max_enumerated_groups = options.max_enumerated_groups,
                    .max_trials = options.max_trials});
  solution = convex.kept();
  report.solve.status = selected.status;
  report.solve.iterations = convex.pivots();
  report.trials = selected.trials;
  report.exhaustive = selected.exhaustive;
}

void solve_by_lemke(const ContactProblem& problem, ContactSolution& solution,
                    const NonconvexOptions& options, NonconvexReport& report)
{
  const SideGroups& groups = problem.groups;
  const FrictionPyramid pyramid(options.directions);
  WhitenedProblem whitened;
  whitened.load(problem);
  PyramidLcp base;
  base.load(whitened, pyramid);
  report.constants = completed(options.constants, choose_constants(base.lcp(), groups));
  UnionLcp unions;
  unions.load(base.lcp(), groups,
              options.method == NonconvexMethod::max_form ? UnionForm::max : UnionForm::sum,
              report.constants);
  report.constraints = unions.lcp().size();

  LcpSolution answer;
  const double unit = std::max(1.0, unions.lcp().q.cwiseAbs().maxCoeff());
  report.solve = UnionLemke(1e-2 * options.tolerance * unit).solve(unions, answer);
  VectorXd beta;
  std::vector<Twist> y;
  base.read(unions.base_variables(answer.z), solution.lambda, beta, y);
  whitened.write(y, beta, solution);
}

}  // namespace

std::vector<int> acting_sides(const SideGroups& groups, const VectorXd& lambda)
{
  std::vector<int> acting;
  if (groups.empty()) return acting;
  const double smallest = 1e-12 * lambda.cwiseAbs().maxCoeff();
  for (const int side : groups.all_sides())
    if (lambda[3 * side] > smallest) acting.push_back(side);
  std::sort(acting.begin(), acting.end());
  return acting;
}

std::string_view name(NonconvexMethod method)
{
  switch (method) {
    case NonconvexMethod::selection: return "selection";
    case NonconvexMethod::max_form: return "max";
    case NonconvexMethod::sum_form: return "sum";
  }
  return "";
}

Residuals measure_unions(const ContactProblem& problem, const ContactSolution& solution,
                         const FrictionPyramid& pyramid, UnionForm form, double cap)
{
  if (solution.v.size() != problem.v_star.size()) return measure(problem, solution, pyramid);
  const VectorXd u_n = normal_entries(contact_velocities(problem, solution.v));
  const VectorXd effective = effective_normal_velocities(problem.groups, form, cap, u_n);
  ContactProblem convex = problem;
  for (const int side : problem.groups.all_sides())
    convex.contacts[side].bias[0] += effective[side] - u_n[side];
  return measure(convex, solution, pyramid);
}

NonconvexReport solve_rigid_unions(const ContactProblem& problem, ContactSolution& solution,
                                   const NonconvexOptions& options)
{
  validate(problem);
  NonconvexReport report;
  const Timer timer;
  const bool by_selection = options.method == NonconvexMethod::selection;
  (by_selection ? solve_by_selection : solve_by_lemke)(problem, solution, options, report);
  report.solve.seconds = timer.seconds();

  const VectorXd u_n = normal_entries(contact_velocities(problem, solution.v));
  report.acting = acting_sides(problem.groups, solution.lambda);
  report.work = impulse_work(problem, solution.v);
  report.forbidden = forbidden_depth(problem.groups, u_n);
  if (!by_selection)
    report.gamma_margin = report.constants.gamma - report.constants.velocity_scale -
                          fastest_side(problem.groups, u_n);

  const UnionForm form =
      options.method == NonconvexMethod::sum_form ? UnionForm::sum : UnionForm::max;
  report.solve.residual = measure_unions(problem, solution, FrictionPyramid(options.directions),
                                         form, report.constants.cap)
                              .worst();
  report.solve.status = judged(report.solve.status, report.solve.residual, options.tolerance);
  return report;
}

}  // namespace tact
