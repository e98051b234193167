#include <tact/run/problem_solve.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/lcp/solvers.hpp>
#include <tact/run/friction_solve.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact {
namespace {

constexpr std::string_view automatic = "auto";
constexpr double relative_tolerance = 1e-9;

double tolerance_or(double fallback, const ProblemOptions& options)
{
  return options.tolerance > 0.0 ? options.tolerance : fallback;
}

std::string_view solver_kind(const Problem& problem)
{
  if (std::holds_alternative<LcpProblem>(problem.data)) return "lcp";
  return problem.kind == "friction" ? "friction" : "contact";
}

SolvedProblem solve(const LcpProblem& problem, std::string_view solver,
                    const ProblemOptions& options)
{
  LcpSolution solution;
  const SolveReport report = solve_lcp(problem, solution, solver,
                                       {.tolerance = tolerance_or(relative_tolerance, options),
                                        .max_iterations = options.max_iterations});
  return {std::string(solver), report, std::move(solution)};
}

SolvedProblem solve_bodies(const ContactProblem& problem, std::string_view solver,
                           const ProblemOptions& options)
{
  ContactSolution solution;
  const SolveReport report =
      solve_rigid_contact(problem, solution, solver,
                          {.tolerance = tolerance_or(relative_tolerance, options),
                           .max_iterations = options.max_iterations,
                           .directions = options.directions});
  return {std::string(solver), report, std::move(solution)};
}

SolvedProblem solve(const ContactProblem& problem, std::string_view solver,
                    const ProblemOptions& options, FrictionLaw law, ContactSolution solution)
{
  const SolveReport report =
      solve_contact(problem, solution, solver,
                    {.tolerance = tolerance_or(ContactOptions().tolerance, options),
                     .max_iterations = options.max_iterations,
                     .law = law});
  return {std::string(solver), report, std::move(solution)};
}

template <class Stored>
SolvedProblem solve_stored_friction(const Stored& problem, std::string_view solver,
                                    const ProblemOptions& options)
{
  SolvedFriction solved = solve_stored(
      problem, solver,
      {.tolerance = tolerance_or(1e-8, options), .max_iterations = options.max_iterations});
  return {std::string(solver), solved.report, std::move(solved.solution), solved.residuals};
}

SolvedProblem not_taken(const Problem& problem, std::string_view solver)
{
  return {.solver = std::string(solver),
          .report = unsupported(
              fmt::format("{} does not take problems of kind {}", solver, problem.kind)),
          .solution = {}};
}

}  // namespace

SolvedProblem solve(const Problem& problem, std::string_view solver, const ProblemOptions& options)
{
  require_solver(solver);
  const auto known = solvers_for(problem);
  if (solver != automatic && std::find(known.begin(), known.end(), solver) == known.end())
    return not_taken(problem, solver);
  const auto* contact = std::get_if<ContactProblem>(&problem.data);
  if (contact && problem.kind == "friction")
    return solve_stored_friction(*contact, solver, options);
  if (contact && problem.bodies) return solve_bodies(*contact, solver, options);
  if (contact)
    return solve(*contact, solver, options, options.law.value_or(problem.law),
                 options.warm_start ? problem.warm_start : ContactSolution{});
  if (const auto* local = std::get_if<FrictionProblem>(&problem.data))
    return solve_stored_friction(*local, solver, options);
  return solve(std::get<LcpProblem>(problem.data), solver, options);
}

std::vector<SolverEntry> all_solvers()
{
  std::vector<SolverEntry> entries;
  for (const LcpSolver& solver : lcp_solvers())
    entries.push_back({std::string(solver.name), "lcp", solver.guide});
  for (const ContactMethod& method : contact_methods())
    entries.push_back({method.name, method.takes_matrices ? "friction" : "contact", method.guide});
  return entries;
}

std::vector<std::string> solvers_for(const Problem& problem)
{
  std::vector<std::string> names;
  if (problem.bodies) {
    for (const RigidContactSolver& solver : rigid_contact_solvers())
      names.emplace_back(solver.name);
    return names;
  }
  const bool contact = problem.kind == "contact";
  for (const SolverEntry& entry : all_solvers())
    if (entry.kind == solver_kind(problem) || (contact && entry.kind == "friction"))
      names.push_back(entry.name);
  return names;
}

void require_solver(std::string_view name)
{
  std::vector<std::string> known{std::string(automatic)};
  for (const SolverEntry& entry : all_solvers()) known.push_back(entry.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw Error(fmt::format("no solver is called \"{}\"{}", name, did_you_mean(name, known)));
}

}  // namespace tact
