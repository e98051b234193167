#include <tact/solvers/automatic.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tact/contact/island_problem.hpp>
#include <tact/contact/rigid_bodies.hpp>
#include <tact/solvers/cone/exact_cone.hpp>
#include <tact/solvers/pivoting/contact_pivoting.hpp>

namespace tact {
namespace {

// ---- Contacts alone, in the memory of all islands at once (NestedSolver)

// Sweeps tell which contacts act, after impacts in particular. The interior point is the most
// robust start from nothing.
constexpr std::array rigid_bodies = {
    PlanStep{&method::warm_start},
    PlanStep{&method::sweeps, 8, Goal::spare_digits},
    PlanStep{&method::body_newton, 60, Goal::spare_digits},
    PlanStep{&method::interior_point, 60, Goal::exact},
    PlanStep{&method::responses, 0, Goal::nearly_exact},
    PlanStep{&method::body_newton, 100, Goal::exact},
};

constexpr std::array small_meshes = {
    PlanStep{&method::responses},
};

constexpr std::array large_meshes = {
    PlanStep{&method::first_passes},
    PlanStep{&method::velocity_newton},
    PlanStep{&method::passes},
};

IslandPlan plan_within(IslandKind kind)
{
  switch (kind) {
    case IslandKind::rigid: return rigid_bodies;
    case IslandKind::small: return small_meshes;
    case IslandKind::meshes: break;
  }
  return large_meshes;
}

SolveReport by_plan_within(const ContactProblem& problem, ContactSolution& solution,
                           const ContactOptions& options)
{
  NestedContactSolver solver(automatic_options(), options);
  return solve_once(solver, problem, solution);
}

// ---- An island as a problem of its own

using PlannedMethod = SolveReport (*)(const ContactProblem&, ContactSolution&,
                                      const ContactOptions&);

// The chain of the exact cone ends everywhere, but may take seconds: 1,400 factorisations of 425
// contacts on 40 nodes, to end at 1.4 m/s. Who can try again otherwise gets short work first, and
// long work only where that came near: an answer that is near is kept, and would stay missed.
constexpr ConeWork short_work{.most_factorisations = 100}, long_work{.most_factorisations = 1000};
constexpr int short_iterations = 2000;
constexpr double near = 100.0;             // tolerances
constexpr double least_tolerance = 1e-12;  // m/s: below, round-off decides and not the method

SolveReport chain_of(const ContactProblem& problem, ContactSolution& solution,
                     const ContactOptions& options, const ConeWork& work)
{
  ContactOptions cone = options;
  // As the nested solver has it: what is left of errors would add up to creep.
  if (only_rigid_bodies(problem)) cone.tolerance = std::min(options.tolerance, exact_tolerance);
  return solve_exact_cone(problem, solution, "auto", cone, work);
}

SolveReport by_chain(const ContactProblem& problem, ContactSolution& solution,
                     const ContactOptions& options)
{
  return chain_of(problem, solution, options, {});
}

SolveReport by_short_chain(const ContactProblem& problem, ContactSolution& solution,
                           const ContactOptions& options)
{
  ContactOptions brief = options;
  brief.max_iterations = short_iterations;
  return chain_of(problem, solution, brief, short_work);
}

SolveReport by_chain_from_near(const ContactProblem& problem, ContactSolution& solution,
                               const ContactOptions& options)
{
  const double worst = measure(problem, solution, options.law).worst();
  if (worst > near * options.tolerance) return unsupported("");
  return chain_of(problem, solution, options, long_work);
}

SolveReport by_lemke_cone(const ContactProblem& problem, ContactSolution& solution,
                          const ContactOptions& options)
{
  return solve_by_pivoting(problem, solution, "lemke-cone", options);
}

SolveReport by_lemke_standard(const ContactProblem& problem, ContactSolution& solution,
                              const ContactOptions& options)
{
  return solve_by_pivoting(problem, solution, "lemke-standard", options);
}

// Empty: nothing takes it.
std::vector<PlannedMethod> plan_for(const ContactProblem& island, const ContactOptions& options)
{
  const bool cone = options.law == FrictionLaw::disc;
  const bool rigid = only_rigid_bodies(island);
  const bool limited = std::any_of(island.bilateral.begin(), island.bilateral.end(),
                                   [](const BilateralRow& row) { return row.limited(); });
  const std::vector<PlannedMethod> chain =
      options.can_retry ? std::vector<PlannedMethod>{by_short_chain, by_chain_from_near}
                        : std::vector<PlannedMethod>{by_chain};
  if (!island.bilateral.empty()) {
    if (cone) return chain;
    if (rigid && limited) return {by_lemke_standard};
    if (rigid) return {by_lemke_cone, by_lemke_standard};
    return {};
  }
  if (options.tolerance < least_tolerance) return {by_plan_within};
  if (cone) {
    std::vector<PlannedMethod> plan = {by_plan_within};
    plan.insert(plan.end(), chain.begin(), chain.end());
    return plan;
  }
  if (rigid) return {by_plan_within, by_lemke_cone};
  return {by_plan_within};
}

// ---- Following a plan

// The methods one after the other; the best answer stays.
SolveReport follow(std::span<const PlannedMethod> plan, const ContactProblem& island,
                   ContactSolution& solution, const ContactOptions& options)
{
  SolveReport best;
  best.residual = measure(island, solution, options.law).worst();
  best.status = SolveStatus::stalled;
  std::string notes, refusals;
  for (const PlannedMethod& method : plan) {
    ContactSolution answer = solution;
    SolveReport report = method(island, answer, options);
    if (report.status == SolveStatus::unsupported && !report.note.empty()) refusals = report.note;
    if (report.status == SolveStatus::unsupported) continue;
    report.residual = measure(island, answer, options.law).worst();
    if (report.status == SolveStatus::no_solution) best.status = report.status;
    if (!(report.residual < best.residual)) continue;
    report.iterations += best.iterations;
    if (!report.note.empty()) notes += (notes.empty() ? "" : "; ") + report.note;
    solution = std::move(answer);
    best = std::move(report);
    if (best.residual <= options.tolerance) break;
  }
  best.status = judged(best.status, best.residual, options.tolerance);
  best.note = notes.empty() ? refusals : notes;
  return best;
}

// An island of a problem with bilateral rows, from the warm start where its sizes fit.
SolveReport solve_island(const ContactProblem& island, ContactSolution& solution,
                         const ContactOptions& options)
{
  const std::vector<PlannedMethod> plan = plan_for(island, options);
  if (plan.empty())
    return unsupported("bilateral rows with a pyramid of friction are for rigid bodies only");
  SolveReport report = follow(plan, island, solution, options);
  if (!is_answer(island, solution)) return unsupported(report.note);
  return report;
}

}  // namespace

NestedOptions automatic_options()
{
  return {.plan = plan_within};
}

AutomaticSolver::AutomaticSolver(const ContactOptions& options)
    : options_(options),
      within_(automatic_options(), options),
      with_rows_(solve_island, options, {})
{
}

void AutomaticSolver::begin(const ContactProblem& problem,
                            std::span<const BlockCholesky* const> factors)
{
  if (problem.bilateral.empty()) return within_.begin(problem, factors);
  with_rows_.begin(problem, factors);
}

ContactReport AutomaticSolver::solve(ContactProblem& problem, ContactSolution& solution)
{
  if (!problem.bilateral.empty()) return with_rows_.solve(problem, solution);
  ContactReport report = within_.solve(problem, solution);
  // What comes next takes problems about v* only: free_motion.hpp.
  if (!report.ok() && problem.rest.size() == 0) go_on(problem, solution, report);
  return report;
}

// Islands above the tolerance, by what their plans go on with.
void AutomaticSolver::go_on(const ContactProblem& problem, ContactSolution& solution,
                            ContactReport& report) const
{
  int improved = 0;
  for (IslandProblem& island : split_into_islands(problem)) {
    island.problem().groups.clear();  // who chose the sides has put those that do not push far away
    ContactSolution answer = island.part(problem, solution);
    const double before = measure(island.problem(), answer, options_.law).worst();
    if (before <= options_.tolerance) continue;
    const std::vector<PlannedMethod> plan = plan_for(island.problem(), options_);
    const SolveReport solved =
        follow(std::span(plan).subspan(1), island.problem(), answer, options_);
    if (!(solved.residual < before)) continue;
    island.put(answer, solution);
    report.iterations += solved.iterations;
    report.note += "; " + solved.note;
    ++improved;
  }
  if (improved == 0) return;
  report.residuals = measure(problem, solution, options_.law);
  if (report.residuals.worst() <= options_.tolerance) report.status = SolveStatus::converged;
}

std::unique_ptr<ContactSolver> make_automatic(const ContactOptions& options)
{
  return std::make_unique<AutomaticSolver>(options);
}

}  // namespace tact
