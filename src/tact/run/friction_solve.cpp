#include <tact/run/friction_solve.hpp>

#include <tact/core/timer.hpp>

namespace tact {

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

}  // namespace tact
