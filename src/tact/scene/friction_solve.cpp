#include <tact/scene/friction_solve.hpp>

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include <tact/contact/friction_problem_of.hpp>
#include <tact/contact/residuals.hpp>
#include <tact/core/timer.hpp>

namespace tact {
namespace {

constexpr double most_entries = 6e7;  // of W: 12 bytes each, twice while it is being scaled

// rel_q that a tolerance in m/s asks for, with a digit to spare.
double relative_tolerance_of(double tolerance, const VectorXd& q)
{
  constexpr double loosest = 1e-8;  // who asks for the exact cone wants it exact
  constexpr double tightest = 1e-13;
  const double speed = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0;
  return speed > 0.0 ? std::clamp(0.1 * tolerance / speed, tightest, loosest) : loosest;
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
  FrictionSolution answer{solution.lambda, {}, {}};
  report = solve_friction(condensed, answer, solver,
                          {.tolerance = relative_tolerance_of(tolerance, condensed.q),
                           .max_iterations = max_iterations});
  solution = {.v = condensation.velocity(answer.lambda), .lambda = answer.lambda};
  report.seconds = timer.seconds();
  report.residual = measure(problem, solution).worst();
  const bool good = report.residual <= tolerance;
  if (good) report.status = SolveStatus::converged;
  if (!good && report.ok()) report.status = SolveStatus::stalled;
  return report;
}

}  // namespace tact
