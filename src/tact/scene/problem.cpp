#include <tact/scene/problem.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <tact/contact/rigid_solvers.hpp>
#include <tact/contact/solvers.hpp>
#include <tact/core/error.hpp>
#include <tact/lcp/solvers.hpp>
#include <tact/scene/contact_io.hpp>
#include <tact/scene/json_reader.hpp>
#include <tact/scene/lcp_io.hpp>
#include <tact/scene/rigid_contact_io.hpp>

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
  return std::holds_alternative<LcpProblem>(problem.data) ? "lcp" : "contact";
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

SolvedProblem solve(const RigidContactProblem& problem, std::string_view solver,
                    const ProblemOptions& options)
{
  RigidContactSolution solution;
  const SolveReport report =
      solve_rigid_contact(problem, solution, solver,
                          {.tolerance = tolerance_or(relative_tolerance, options),
                           .max_iterations = options.max_iterations,
                           .directions = options.directions});
  return {std::string(solver), report, std::move(solution)};
}

SolvedProblem solve(const ContactProblem& problem, std::string_view solver,
                    const ProblemOptions& options)
{
  ContactSolution solution;
  const SolveReport report =
      solve_contact(problem, solution, solver,
                    {.tolerance = tolerance_or(ContactOptions().tolerance, options),
                     .max_iterations = options.max_iterations,
                     .law = options.law});
  return {std::string(solver), report, std::move(solution)};
}

SolvedProblem unsupported(const Problem& problem, std::string_view solver)
{
  SolvedProblem row{.solver = std::string(solver), .report = {}, .solution = {}};
  row.report.status = SolveStatus::unsupported;
  row.report.residual = infinity;
  row.report.note = fmt::format("{} does not take problems of kind {}", solver, problem.kind);
  return row;
}

}  // namespace

int Problem::size() const
{
  if (const auto* lcp = std::get_if<LcpProblem>(&data)) return lcp->size();
  const auto* rigid = std::get_if<RigidContactProblem>(&data);
  return 3 * contacts() + (rigid ? static_cast<int>(rigid->bilateral.size()) : 0);
}

int Problem::contacts() const
{
  if (const auto* rigid = std::get_if<RigidContactProblem>(&data)) return rigid->size();
  const auto* contact = std::get_if<ContactProblem>(&data);
  return contact ? contact->size() : 0;
}

Problem read_problem(const std::filesystem::path& file)
{
  const JsonFile json(file);
  const JsonValue root = json.root();
  std::string kind =
      root.member("kind", "lcp, mlcp, blcp or contact").one_of({"lcp", "mlcp", "blcp", "contact"});
  if (kind == "contact" && root.find("components"))
    return {std::move(kind), read_contact_problem(root)};
  if (kind == "contact") return {std::move(kind), read_rigid_contact_problem(root)};
  return {std::move(kind), read_lcp(root)};
}

SolvedProblem solve(const Problem& problem, std::string_view solver, const ProblemOptions& options)
{
  require_solver(solver);
  const auto known = solvers_for(problem);
  if (solver != automatic && std::find(known.begin(), known.end(), solver) == known.end())
    return unsupported(problem, solver);
  return std::visit([&](const auto& data) { return solve(data, solver, options); }, problem.data);
}

std::vector<SolverEntry> all_solvers()
{
  std::vector<SolverEntry> entries;
  for (const LcpSolver& solver : lcp_solvers())
    entries.push_back({solver.name, "lcp", solver.summary});
  for (const ContactSolver& solver : contact_solvers())
    entries.push_back({solver.name, "contact", solver.summary});
  return entries;
}

std::vector<std::string_view> solvers_for(const Problem& problem)
{
  std::vector<std::string_view> names;
  if (std::holds_alternative<RigidContactProblem>(problem.data)) {
    for (const RigidContactSolver& solver : rigid_contact_solvers()) names.push_back(solver.name);
    return names;
  }
  for (const SolverEntry& entry : all_solvers())
    if (entry.kind == solver_kind(problem)) names.push_back(entry.name);
  return names;
}

void require_solver(std::string_view name)
{
  std::vector<std::string> known{std::string(automatic)};
  for (const SolverEntry& entry : all_solvers()) known.emplace_back(entry.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw Error(fmt::format("no solver is called \"{}\"{}", name, did_you_mean(name, known)));
}

}  // namespace tact
