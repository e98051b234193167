#include <tact/solvers/solvers.hpp>

#include <algorithm>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/islandwise.hpp>
#include <tact/solvers/table.hpp>

namespace tact {
namespace {

std::vector<ContactMethod>& table()
{
  static std::vector<ContactMethod> methods = built_in_methods();
  return methods;
}

const ContactMethod& by_itself()
{
  static const ContactMethod automatic = {.name = "auto", .guide = {}, .make = make_automatic};
  return automatic;
}

const ContactMethod& find_method(std::string_view name)
{
  if (name == by_itself().name) return by_itself();
  const auto it = std::find_if(table().begin(), table().end(),
                               [name](const ContactMethod& method) { return method.name == name; });
  if (it != table().end()) return *it;
  throw Error(fmt::format("no contact solver is called \"{}\"{}", name,
                          did_you_mean(name, contact_method_names())));
}

SolveReport solve_by(const ContactMethod& method, const ContactProblem& problem,
                     ContactSolution& solution, const ContactOptions& options)
{
  const bool has_groups = !problem.groups.empty();
  if (has_groups && &method == &by_itself())
    return solve_by(find_method("side-selection"), problem, solution, options);
  if (!problem.bilateral.empty() && &method == &by_itself())
    return solve_by(find_method("lemke-cone"), problem, solution, options);
  if (!problem.bilateral.empty() && !method.takes_joints)
    return unsupported(fmt::format("the problem has {} bilateral rows; lemke-cone takes them",
                                   problem.bilateral.size()));
  if (method.unions == Unions::refused && has_groups)
    return unsupported(fmt::format("the problem has {} groups of sides; side-selection takes them",
                                   problem.groups.size()));
  if (method.unions == Unions::needed && !has_groups)
    return unsupported("the problem has no groups of sides");
  if (method.solve) return method.solve(problem, solution, options);
  const std::unique_ptr<ContactSolver> solver = method.make(options);
  ContactProblem changed = problem;
  solver->begin(changed);
  const ContactReport solved = solver->solve(changed, solution);
  SolveReport report;
  report.status = solved.status;
  report.iterations = solved.iterations;
  report.note = solved.note;
  return report;
}

}  // namespace

const std::vector<ContactMethod>& contact_methods()
{
  return table();
}

void add_contact_method(ContactMethod method)
{
  const std::vector<std::string> taken = contact_method_names();
  if (std::find(taken.begin(), taken.end(), method.name) != taken.end())
    throw Error(fmt::format("contact solver \"{}\": there is one of this name", method.name));
  if (!method.solve == !method.make)
    throw Error(fmt::format("contact solver \"{}\": expected one of solve and make", method.name));
  table().push_back(std::move(method));
}

const ContactMethod* contact_method(std::string_view name)
{
  const ContactMethod& found = find_method(name);
  return &found == &by_itself() ? nullptr : &found;
}

std::vector<std::string> contact_method_names()
{
  std::vector<std::string> names = {"auto"};
  for (const ContactMethod& method : table()) names.push_back(method.name);
  return names;
}

SolveReport solve_contact(const ContactProblem& problem, ContactSolution& solution,
                          std::string_view name, const ContactOptions& options)
{
  validate(problem);
  const ContactMethod& method = find_method(name);
  const Timer timer;
  SolveReport report = solve_by(method, problem, solution, options);
  report.seconds = timer.seconds();
  if (report.status == SolveStatus::unsupported) return report;
  report.residual = measure(problem, solution, options.law).worst();
  const bool good = report.residual <= options.tolerance;
  if (good) report.status = SolveStatus::converged;
  if (!good && report.ok()) report.status = SolveStatus::stalled;
  return report;
}

std::unique_ptr<ContactSolver> make_contact_solver(std::string_view name,
                                                   const ContactOptions& options)
{
  const ContactMethod& method = find_method(name);
  if (method.make) return method.make(options);
  return std::make_unique<IslandwiseSolver>(method.solve, options);
}

}  // namespace tact
