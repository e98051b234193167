#include <tact/run/friction_solve.hpp>

#include <tact/core/timer.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>

namespace tact {

SolvedFriction solve_stored(const FrictionProblem& problem, std::string_view solver,
                            const FrictionOptions& options)
{
  SolvedFriction solved;
  solved.report = solve_friction(problem, solved.solution, solver, options);
  solved.residuals = measure(problem, solved.solution.lambda);
  return solved;
}

SolvedFriction solve_stored(const ContactProblem& problem, std::string_view solver,
                            const FrictionOptions& options)
{
  const Timer timer;
  const CondensedContact condensation(problem);
  const FrictionProblem local = condensation.local_problem();
  const double seconds = timer.seconds();
  SolvedFriction solved = solve_stored(local, solver, options);
  if (solved.report.status == SolveStatus::unsupported) return solved;
  solved.report.seconds += seconds;
  FrictionSolution& answer = solved.solution;
  const ContactSolution whole =
      condensation.solution(local.dimension == 2 ? in_space(answer.lambda) : answer.lambda);
  answer.v = whole.v;
  answer.beta = whole.beta;
  const int own = local.dimension * local.contacts();
  answer.lambda.conservativeResize(own);
  answer.u.conservativeResize(own);
  return solved;
}

}  // namespace tact
