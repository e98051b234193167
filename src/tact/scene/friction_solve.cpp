#include <tact/scene/friction_solve.hpp>

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include <tact/contact/residuals.hpp>
#include <tact/core/timer.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace tact {
namespace {

constexpr double most_entries = 6e7;  // of W: 12 bytes each, twice while it is being scaled

// eps_nat takes a contact's own response and the mean over all contacts, the judge of contact
// problems the response of free nodes and the mean over those that act: what is asked for is
// tightened until the judge is content. A round goes on where the one before ended.
constexpr double first_share = 0.5;  // of the tolerance
constexpr int most_rounds = 5;

// What to ask for after a round that asked for `share` and left the judge with `residual`.
double tightened(double share, double residual, double tolerance)
{
  return share * std::clamp(0.7 * tolerance / residual, 0.05, 0.7);
}

void add_round(SolveReport& report, const SolveReport& round)
{
  const int iterations = report.iterations + round.iterations;
  std::string note = report.note;
  if (!round.note.empty()) note += (note.empty() ? "" : "; then ") + round.note;
  report = round;
  report.iterations = iterations;
  report.note = std::move(note);
}

}  // namespace

SolvedFriction solve_stored(const FrictionProblem& problem, std::string_view solver,
                            const FrictionOptions& options)
{
  SolvedFriction solved;
  solved.report = solve_friction(problem, solved.solution, solver, options);
  solved.residuals = measure(problem, solved.solution.lambda);
  return solved;
}

SolvedFriction solve_stored(const GlobalFrictionProblem& problem, std::string_view solver,
                            const FrictionOptions& options)
{
  const Timer timer;
  const FrictionProblem local = condensed(problem);
  const double seconds = timer.seconds();
  SolvedFriction solved = solve_stored(local, solver, options);
  solved.report.seconds += seconds;
  solved.solution.v = body_velocities(problem, solved.solution.lambda);
  return solved;
}

SolveReport solve_condensed(const ContactProblem& problem, ContactSolution& solution,
                            std::string_view solver, double tolerance, int max_iterations)
{
  SolveReport report;
  const double entries = condensed_entries(problem);
  if (entries > most_entries) {
    report.status = SolveStatus::unsupported;
    report.residual = std::numeric_limits<double>::infinity();
    report.note =
        fmt::format("W would have {:.1e} entries, the most is {:.0e}", entries, most_entries);
    return report;
  }
  const Timer timer;
  const CondensedContact condensation(problem);
  const FrictionProblem condensed = condensation.friction_problem();
  const VelocityForm form = velocity_form(problem);
  FrictionSolution answer{solution.lambda, {}, {}};
  double share = first_share;
  for (int round = 0; round < most_rounds; ++round) {
    add_round(report, solve_friction(condensed, answer, solver,
                                     {.tolerance = share * tolerance,
                                      .max_iterations = max_iterations,
                                      .measure = FrictionMeasure::eps_nat,
                                      .form = &form}));
    solution = {.v = condensation.velocity(answer.lambda), .lambda = answer.lambda};
    const bool missed = !report.ok();
    report.residual = measure(problem, solution).worst();
    if (missed || report.residual <= tolerance) break;
    share = tightened(share, report.residual, tolerance);
  }
  report.seconds = timer.seconds();
  const bool good = report.residual <= tolerance;
  if (good) report.status = SolveStatus::converged;
  if (!good && report.ok()) report.status = SolveStatus::stalled;
  return report;
}

}  // namespace tact
