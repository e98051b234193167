#include <tact/solvers/solvers.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tact/contact/free_motion.hpp>
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
  static const ContactMethod automatic = {
      .name = "auto", .guide = {}, .make = make_automatic, .rows = Rows::limited};
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

std::string rows_not_taken(const ContactMethod& method, const ContactProblem& problem)
{
  const Rows asked = rows_of(problem);
  if (method.rows >= asked) return {};
  return fmt::format("the problem has {} bilateral rows{}; {} take them", problem.bilateral.size(),
                     asked == Rows::limited ? ", some with limits" : "",
                     fmt::join(methods_taking(asked), ", "));
}

SolveReport solve_by(const ContactMethod& method, const ContactProblem& problem,
                     ContactSolution& solution, const ContactOptions& options)
{
  if (!problem.groups.empty() && &method == &by_itself())
    return solve_by(find_method("side-selection"), problem, solution, options);
  if (std::string refusal = not_taken(method, problem); !refusal.empty())
    return unsupported(std::move(refusal));
  if (method.solve) return method.solve(problem, solution, options);
  return solve_once(*method.make(options), problem, solution);
}

// A method that keeps its memory, where it does not take the rows of a problem: `auto` solves it.
class OrAutomatic : public ContactSolver {
 public:
  OrAutomatic(const ContactMethod& method, const ContactOptions& options)
      : method_(method), own_(method.make(options)), automatic_(make_automatic(options))
  {
  }

  void begin(const ContactProblem& problem, std::span<const BlockCholesky* const> factors) override
  {
    refusal_ = rows_not_taken(method_, problem);
    (refusal_.empty() ? own_ : automatic_)->begin(problem, factors);
  }

  ContactReport solve(ContactProblem& problem, ContactSolution& solution) override
  {
    if (refusal_.empty()) return own_->solve(problem, solution);
    ContactReport report = automatic_->solve(problem, solution);
    report.refused = 1;
    report.refused_contact = problem.size() > 0 ? 0 : -1;
    report.refusal = refusal_;
    return report;
  }

 private:
  ContactMethod method_;
  std::unique_ptr<ContactSolver> own_, automatic_;
  std::string refusal_;
};

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

std::string not_taken(const ContactMethod& method, const ContactProblem& problem)
{
  const bool has_groups = !problem.groups.empty();
  if (method.unions == Unions::refused && has_groups)
    return fmt::format("the problem has {} groups of sides; side-selection takes them",
                       problem.groups.size());
  if (method.unions == Unions::needed && !has_groups) return "the problem has no groups of sides";
  return rows_not_taken(method, problem);
}

Rows rows_of(const ContactProblem& problem)
{
  if (problem.bilateral.empty()) return Rows::refused;
  const auto limited = [](const BilateralRow& row) { return row.limited(); };
  return std::any_of(problem.bilateral.begin(), problem.bilateral.end(), limited) ? Rows::limited
                                                                                  : Rows::equations;
}

std::vector<std::string> methods_taking(Rows least)
{
  std::vector<std::string> names = {by_itself().name};
  for (const ContactMethod& method : table())
    if (method.rows >= least && method.unions == Unions::refused) names.push_back(method.name);
  return names;
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
  SolveReport report = problem.rest.size() == 0
                           ? solve_by(method, problem, solution, options)
                           : solve_by(method, about_free_motion(problem), solution, options);
  report.seconds = timer.seconds();
  if (report.status == SolveStatus::unsupported) return report;
  report.residual = measure(problem, solution, options.law).worst();
  report.status = judged(report.status, report.residual, options.tolerance);
  return report;
}

std::unique_ptr<ContactSolver> make_contact_solver(std::string_view name,
                                                   const ContactOptions& options)
{
  const ContactMethod& method = find_method(name);
  if (&method == &by_itself()) return make_automatic(options);
  if (method.make) return std::make_unique<OrAutomatic>(method, options);
  const auto what_it_takes = [method](const ContactProblem& problem, ContactSolution& solution,
                                      const ContactOptions& asked) {
    std::string refusal = rows_not_taken(method, problem);
    return refusal.empty() ? method.solve(problem, solution, asked)
                           : unsupported(std::move(refusal));
  };
  return std::make_unique<IslandwiseSolver>(what_it_takes, options, make_automatic);
}

}  // namespace tact
