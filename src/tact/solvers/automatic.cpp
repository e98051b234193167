#include <tact/solvers/automatic.hpp>

#include <algorithm>

#include <tact/contact/island_problem.hpp>
#include <tact/solvers/cone/exact_cone.hpp>

namespace tact {
namespace {

// The chain of the exact cone ends everywhere, but may take seconds: 1,400 factorisations of 425
// contacts on 40 nodes. Who can try again otherwise gets what it makes of islands of up to 2,200
// rows.
constexpr ConeWork short_work{.most_entries = 5e6, .most_factorisations = 100};
constexpr int short_iterations = 2000;
constexpr double least_tolerance = 1e-12;  // m/s: below, round-off decides and not the method

}  // namespace

AutomaticSolver::AutomaticSolver(const ContactOptions& options)
    : options_(options), nested_(automatic_options(), options)
{
}

void AutomaticSolver::begin(const ContactProblem& problem,
                            std::span<const BlockCholesky* const> factors)
{
  nested_.begin(problem, factors);
}

ContactReport AutomaticSolver::solve(ContactProblem& problem, ContactSolution& solution)
{
  ContactReport report = nested_.solve(problem, solution);
  const bool worth_more =
      options_.law == FrictionLaw::disc && options_.tolerance >= least_tolerance;
  if (!report.ok() && worth_more) take_to_cones(problem, solution, report);
  return report;
}

// Islands above the tolerance, from where they are.
void AutomaticSolver::take_to_cones(const ContactProblem& problem, ContactSolution& solution,
                                    ContactReport& report) const
{
  DiagonalBlocks D;
  if (!D.load(problem)) return;
  ContactOptions cone = options_;
  if (options_.can_retry) cone.max_iterations = short_iterations;
  const ConeWork work = options_.can_retry ? short_work : ConeWork{};
  int improved = 0;
  for (IslandProblem& island : split_into_islands(problem, D)) {
    island.problem().groups.clear();  // who chose the sides has put those that do not push far away
    ContactSolution answer = island.part(problem, solution);
    const double before = measure(island.problem(), answer, options_.law).worst();
    if (before <= options_.tolerance) continue;
    const SolveReport solved = solve_exact_cone(island.problem(), answer, "auto", cone, work);
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
