#include <tact/solvers/solvers.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/core.h>

#include <tact/contact/residuals.hpp>
#include <tact/contact/rigid_conversion.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/solvers/coupling/coupling_solver.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>
#include <tact/solvers/regions/projected_solver.hpp>
#include <tact/solvers/reproduction/full_anticipation.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>

namespace tact {
namespace {

SolveReport nested_with(NestedOptions nested, const ContactProblem& problem,
                        ContactSolution& solution, const ContactOptions& options)
{
  nested.tolerance = options.tolerance;
  nested.law = options.law;
  if (options.max_iterations > 0) {
    nested.max_passes = nested.max_sweeps = options.max_iterations;
  }
  NestedSolver solver(nested);
  solver.begin(problem);
  const NestedReport solved = solver.solve(problem, solution);
  SolveReport report;
  report.status = solved.status;
  report.iterations = std::max(solved.passes, solved.sweeps);
  report.note = fmt::format("{} passes, {} sweeps, {} factorisations, {} islands", solved.passes,
                            solved.sweeps, solved.factors, solved.islands);
  return report;
}

template <NonconvexMethod method>
SolveReport unions_by(const ContactProblem& problem, ContactSolution& solution,
                      const ContactOptions& options)
{
  return solve_nonconvex(problem, solution, options, method).solve;
}

SolveReport automatic(const ContactProblem& problem, ContactSolution& solution,
                      const ContactOptions& options)
{
  if (!problem.groups.empty())
    return unions_by<NonconvexMethod::selection>(problem, solution, options);
  return nested_with(automatic_options(), problem, solution, options);
}

SolveReport anticipation(const ContactProblem& problem, ContactSolution& solution,
                         const ContactOptions& options)
{
  return nested_with(anticipation_options(), problem, solution, options);
}

SolveReport nested(const ContactProblem& problem, ContactSolution& solution,
                   const ContactOptions& options)
{
  return nested_with(accelerated_options(), problem, solution, options);
}

SolveReport ica(const ContactProblem& problem, ContactSolution& solution,
                const ContactOptions& options)
{
  return nested_with(ica_options(), problem, solution, options);
}

SolveReport full(const ContactProblem& problem, ContactSolution& solution,
                 const ContactOptions& options)
{
  FullAnticipationOptions full;
  full.tolerance = options.tolerance;
  full.law = options.law;
  if (options.max_iterations > 0) full.max_sweeps = options.max_iterations;
  return solve_full_anticipation(problem, solution, full);
}

template <ProjectedMethod method>
SolveReport projected(const ContactProblem& problem, ContactSolution& solution,
                      const ContactOptions& options)
{
  ProjectedOptions chosen;
  chosen.method = method;
  chosen.tolerance = options.tolerance;
  chosen.law = options.law;
  if (options.max_iterations > 0) chosen.max_cg = chosen.max_sweeps = options.max_iterations;
  ProjectedSolver solver(chosen);
  solver.begin(problem);
  const ProjectedReport solved = solver.solve(problem, solution);
  SolveReport report;
  report.status = solved.status;
  report.iterations = solved.cg_iterations + solved.sweeps;
  report.note = solved.note;
  return report;
}

SolveReport coupling(const ContactProblem& problem, ContactSolution& solution,
                     const ContactOptions& options)
{
  CouplingOptions coupling;
  coupling.tolerance = options.tolerance;
  coupling.law = options.law;
  if (options.max_iterations > 0) coupling.max_sweeps = options.max_iterations;
  return solve_coupling(problem, solution, coupling);
}

SolveReport unsupported(std::string note)
{
  SolveReport report;
  report.status = SolveStatus::unsupported;
  report.note = std::move(note);
  return report;
}

// Pivoting has edges of the friction pyramid along its directions d_x, where ours has its facets:
// the square [-mu, mu]^2 is the diamond of radius sqrt(2) mu in tangents turned by 45 degrees.
RigidContactProblem with_turned_tangents(RigidContactProblem problem)
{
  const double half = std::sqrt(0.5);
  Matrix3d turn;
  turn << 1.0, 0.0, 0.0, 0.0, half, half, 0.0, -half, half;
  for (RigidContactRows& contact : problem.contacts) {
    contact.J_a = turn * contact.J_a;
    contact.J_b = turn * contact.J_b;
    contact.bias = turn * contact.bias;
    contact.mu *= std::sqrt(2.0);
  }
  return problem;
}

void turn_back(VectorXd& lambda)
{
  const double half = std::sqrt(0.5);
  for (Eigen::Index c = 0; c + 2 < lambda.size(); c += 3) {
    const Vector2d t = lambda.segment<2>(c + 1);
    lambda.segment<2>(c + 1) = Vector2d(half * (t[0] - t[1]), half * (t[0] + t[1]));
  }
}

// The pivoting solvers, for problems of rigid bodies.
template <const char* const& name>
SolveReport by_pivoting(const ContactProblem& problem, ContactSolution& solution,
                        const ContactOptions& options)
{
  const std::optional<RigidContactProblem> rigid = as_rigid(problem);
  if (!rigid) return unsupported("some component is not a rigid body");
  const bool friction = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                    [](const ContactRows& c) { return c.mu > 0.0; });
  if (friction && options.law == FrictionLaw::disc) {
    return unsupported("pivoting needs a friction pyramid or mu = 0");
  }
  RigidContactSolution answer;
  const SolveReport report =
      solve_rigid_contact(with_turned_tangents(*rigid), answer, name,
                          {.max_iterations = options.max_iterations, .directions = 4});
  if (report.status == SolveStatus::unsupported) return report;
  turn_back(answer.lambda);
  solution = {.v = answer.v, .lambda = answer.lambda};
  return report;
}

constexpr const char* lemke_cone = "lemke-cone";
constexpr const char* lemke_reduced = "lemke-reduced";
constexpr const char* lemke_structural = "lemke-structural";
constexpr const char* lemke_standard = "lemke-standard";
constexpr const char* block_pivoting = "block-pivoting";

SolveReport solve_supported(const ContactSolver& solver, const ContactProblem& problem,
                            ContactSolution& solution, const ContactOptions& options)
{
  const bool has_groups = !problem.groups.empty();
  if (solver.unions == Unions::refused && has_groups)
    return unsupported(fmt::format("the problem has {} groups of sides; side-selection takes them",
                                   problem.groups.size()));
  if (solver.unions == Unions::needed && !has_groups)
    return unsupported("the problem has no groups of sides");
  return solver.solve(problem, solution, options);
}

SolveReport run(const ContactSolver& solver, const ContactProblem& problem,
                ContactSolution& solution, const ContactOptions& options)
{
  const Timer timer;
  SolveReport report = solve_supported(solver, problem, solution, options);
  report.seconds = timer.seconds();
  if (report.status == SolveStatus::unsupported) {
    report.residual = std::numeric_limits<double>::infinity();
    return report;
  }
  report.residual = measure(problem, solution, options.law).worst();
  const bool good = report.residual <= options.tolerance;
  if (good) report.status = SolveStatus::converged;
  if (!good && report.ok()) report.status = SolveStatus::stalled;
  return report;
}

const ContactSolver& find(std::string_view name)
{
  static const ContactSolver by_itself = {
      "auto", "exact where components are small, accelerated passes where they are large",
      automatic, Unions::either};
  if (name == by_itself.name) return by_itself;
  const std::vector<ContactSolver>& table = contact_solvers();
  const auto it = std::find_if(table.begin(), table.end(),
                               [name](const ContactSolver& solver) { return solver.name == name; });
  if (it != table.end()) return *it;
  std::vector<std::string> known = {"auto"};
  for (const ContactSolver& solver : table) known.emplace_back(solver.name);
  throw Error(fmt::format("unknown contact solver \"{}\"{}", name, did_you_mean(name, known)));
}

}  // namespace

const std::vector<ContactSolver>& contact_solvers()
{
  static const std::vector<ContactSolver> table = {
      {"anticipation", "exact factors and responses of every component, sweeps with NNCG",
       anticipation},
      {"nested", "accelerated passes on the velocities of nodes; for large meshes", nested},
      {"ica", "iterative constraint anticipation as printed, [Otaduy09] Sec. 5", ica},
      {"pcg-pgs", "regions apart: projected conjugate gradients, then sweeps [Lazarevych10]",
       projected<ProjectedMethod::pcg_pgs>},
      {"pgs", "regions apart: projected Gauss-Seidel", projected<ProjectedMethod::pgs>},
      {"nncg", "regions apart: Gauss-Seidel with conjugate directions",
       projected<ProjectedMethod::nncg>},
      {"apgd", "regions apart: Nesterov's projected gradients", projected<ProjectedMethod::apgd>},
      {"mprgp", "regions apart, without friction only: proportioning, finite",
       projected<ProjectedMethod::mprgp>},
      {"coupling",
       "rigid bodies and lone nodes only: linear in the contacts, after [Miguel11] Sec. 5",
       coupling},
      {"full", "full constraint anticipation: one dense matrix of all contacts; for comparison",
       full},
      {lemke_cone, "rigid bodies only: exact, pivots on the faces of friction pyramids",
       by_pivoting<lemke_cone>},
      {lemke_reduced, "rigid bodies only: exact, [Lloyd05] Sec. VI", by_pivoting<lemke_reduced>},
      {lemke_structural, "rigid bodies only: exact, [Lloyd05] Sec. V",
       by_pivoting<lemke_structural>},
      {lemke_standard, "rigid bodies only: exact, dense Lemke", by_pivoting<lemke_standard>},
      {block_pivoting, "rigid bodies without friction only: exact", by_pivoting<block_pivoting>},
      {"side-selection", "unions of half-spaces: one side a group, the one of least work",
       unions_by<NonconvexMethod::selection>, Unions::needed},
      {"union-max", "unions of half-spaces: sides by Lemke on the max form, [Egan03] Sec. IV",
       unions_by<NonconvexMethod::max_form>, Unions::needed},
      {"union-sum", "unions of half-spaces: sides by Lemke on the summation form, [Egan03] Sec. V",
       unions_by<NonconvexMethod::sum_form>, Unions::needed},
  };
  return table;
}

SolveReport solve_contact(const ContactProblem& problem, ContactSolution& solution,
                          std::string_view solver, const ContactOptions& options)
{
  validate(problem);
  return run(find(solver), problem, solution, options);
}

}  // namespace tact
