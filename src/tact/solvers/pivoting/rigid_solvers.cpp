#include <tact/solvers/pivoting/rigid_solvers.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/core.h>

#include <tact/contact/judge.hpp>
#include <tact/contact/rigid_bodies.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/solvers/pivoting/dense_contact.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/pivoting/lemke_structured.hpp>

namespace tact {
namespace {

constexpr int default_pivots = 5000;
constexpr double time_again_below = 5e-3;  // s: short solves are timed with tables and caches warm

int pivots_or_default(const RigidContactOptions& options)
{
  return options.max_iterations > 0 ? options.max_iterations : default_pivots;
}

SolveReport cone(const ContactProblem& problem, ContactSolution& solution,
                 const RigidContactOptions& options)
{
  const ConeReport solved = solve_lemke_cone(
      problem, solution,
      {.directions = options.directions, .max_pivots = pivots_or_default(options)});
  SolveReport report;
  report.status = solved.status;
  report.iterations = solved.pivots;
  report.restarts = solved.restarts;
  return report;
}

SolveReport structured(const ContactProblem& problem, ContactSolution& solution,
                       const RigidContactOptions& options, bool reduced)
{
  StructuredLemke solver({.reduced = reduced,
                          .directions = options.directions,
                          .max_pivots = pivots_or_default(options)});
  const StructuredReport solved = solver.solve(problem, solution);
  SolveReport report;
  report.status = solved.status;
  report.iterations = solved.pivots;
  report.restarts = solved.restarts;
  if (solved.expanded) report.note = "the reduced problem failed; run again with all friction rows";
  return report;
}

SolveReport reduced(const ContactProblem& problem, ContactSolution& solution,
                    const RigidContactOptions& options)
{
  return structured(problem, solution, options, true);
}

SolveReport structural(const ContactProblem& problem, ContactSolution& solution,
                       const RigidContactOptions& options)
{
  return structured(problem, solution, options, false);
}

SolveReport standard(const ContactProblem& problem, ContactSolution& solution,
                     const RigidContactOptions& options)
{
  constexpr int largest = 5000;  // rows of the dense LCP: 200 MB
  const int rows = problem.size() * (options.directions + 2);
  if (rows > largest)
    return unsupported(
        fmt::format("the dense LCP would have {} rows, the most is {}", rows, largest));
  return StandardLemke({.directions = options.directions, .max_pivots = options.max_iterations})
      .solve(problem, solution);
}

SolveReport frictionless_block_pivoting(const ContactProblem& problem, ContactSolution& solution,
                                        const RigidContactOptions& options)
{
  return solve_frictionless_block_pivoting(problem, solution, options.max_iterations);
}

const RigidContactSolver& find_rigid_solver(std::string_view name)
{
  const std::vector<RigidContactSolver>& table = rigid_contact_solvers();
  const auto it =
      std::find_if(table.begin(), table.end(),
                   [name](const RigidContactSolver& solver) { return solver.name == name; });
  if (it != table.end()) return *it;
  std::vector<std::string> known = {"auto"};
  for (const RigidContactSolver& solver : table) known.emplace_back(solver.name);
  throw Error(fmt::format("unknown contact solver \"{}\"{}", name, did_you_mean(name, known)));
}

SolveReport run(const RigidContactSolver& solver, const ContactProblem& problem,
                ContactSolution& solution, const RigidContactOptions& options)
{
  const Timer timer;
  SolveReport report = solver.solve(problem, solution, options);
  report.seconds = timer.seconds();
  if (report.seconds < time_again_below) {
    const Timer again;
    report = solver.solve(problem, solution, options);
    report.seconds = again.seconds();
  }
  if (report.status == SolveStatus::unsupported) return report;
  report.residual = measure(problem, solution, FrictionPyramid(options.directions)).worst();
  report.status = judged(report.status, report.residual, options.tolerance);
  return report;
}

bool has_limits(const ContactProblem& problem)
{
  return std::any_of(problem.bilateral.begin(), problem.bilateral.end(),
                     [](const BilateralRow& row) { return row.limited(); });
}

// The exact methods in the order of their speed; the first answer that the judge accepts.
SolveReport automatic(const ContactProblem& problem, ContactSolution& solution,
                      const RigidContactOptions& options)
{
  SolveReport best;
  best.residual = std::numeric_limits<double>::infinity();
  double seconds = 0.0;
  const bool limited = has_limits(problem);
  for (const std::string_view name :
       {"lemke-cone", "lemke-reduced", "lemke-structural", "lemke-standard"}) {
    if (limited != (name == "lemke-standard")) continue;
    ContactSolution answer;
    SolveReport report = run(find_rigid_solver(name), problem, answer, options);
    seconds += report.seconds;
    if (best.residual < report.residual) continue;
    report.note =
        report.note.empty() ? fmt::format("{}", name) : fmt::format("{}: {}", name, report.note);
    best = report;
    solution = answer;
    if (best.ok()) break;
  }
  best.seconds = seconds;
  return best;
}

}  // namespace

const std::vector<RigidContactSolver>& rigid_contact_solvers()
{
  static const std::vector<RigidContactSolver> table = {
      {"lemke-cone", cone},
      {"lemke-reduced", reduced},
      {"lemke-structural", structural},
      {"lemke-standard", standard, true},
      {"block-pivoting", frictionless_block_pivoting},
  };
  return table;
}

SolveReport solve_rigid_contact(const ContactProblem& problem, ContactSolution& solution,
                                std::string_view solver, const RigidContactOptions& options)
{
  validate(problem);
  const RigidContactSolver* named = solver == "auto" ? nullptr : &find_rigid_solver(solver);
  if (!only_rigid_bodies(problem)) return unsupported("some component is not a rigid body");
  if (named && !named->takes_limits && has_limits(problem))
    return unsupported("a bilateral row has limits; lemke-standard takes them");
  if (!named) return automatic(problem, solution, options);
  return run(*named, problem, solution, options);
}

}  // namespace tact
