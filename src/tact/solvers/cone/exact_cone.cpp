#include <tact/solvers/cone/exact_cone.hpp>

#include <algorithm>
#include <string>

#include <fmt/core.h>

#include <tact/contact/law.hpp>
#include <tact/core/timer.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>

namespace tact {
namespace {

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

// A method may end a hair outside of a cone or a limit, by as much as the tolerance allows: an
// impulse is given out only where the law allows it, and the rest is what the judge sees.
VectorXd in_sets(const FrictionProblem& problem, VectorXd lambda)
{
  for (int c = 0; c < problem.blocks(); ++c) {
    auto own = part<3>(lambda, c);
    const ImpulseSet set = problem.set(c);
    own = set.is_row ? project<3>(own, set) : clamp_to_cone(own, set.mu, FrictionLaw::disc);
  }
  return lambda;
}

// Whether a contact asks for what equations do not let its bodies do.
bool is_stuck(const ContactProblem& problem, const FrictionProblem& condensed,
              const ContactSolution& solution, double tolerance)
{
  for (int c = 0; c < problem.size(); ++c) {
    if (condensed.W.coeff(3 * c, 3 * c) != 0.0) continue;
    if (contact_velocity(problem, problem.contacts[c], solution.v)[0] < -tolerance) return true;
  }
  return false;
}

}  // namespace

SolveReport solve_exact_cone(const ContactProblem& problem, ContactSolution& solution,
                             std::string_view solver, const ContactOptions& options,
                             const ConeWork& work)
{
  if (!problem.groups.empty())
    return unsupported("groups of sides have no form with the velocities eliminated");
  const bool rubs = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                [](const ContactRows& contact) { return contact.mu > 0.0; });
  if (rubs && options.law != FrictionLaw::disc)
    return unsupported("friction is a pyramid, and this method knows the round cone only");
  const double entries = condensed_entries(problem);
  if (entries > work.most_entries)
    return unsupported(
        fmt::format("W would have {:.1e} entries, the most is {:.0e}", entries, work.most_entries));
  SolveReport report;
  const Timer timer;
  const CondensedContact condensation(problem, Equations::eliminated);
  const FrictionProblem condensed = condensation.friction_problem();
  const VelocityForm form = condensation.is_whole() ? velocity_form(problem) : VelocityForm{};
  if (condensed.blocks() == 0) {  // equations alone: nothing is left to be found
    solution = condensation.solution({});
    report.residual = measure(problem, solution).worst();
    report.seconds = timer.seconds();
    report.status = judged(SolveStatus::converged, report.residual, options.tolerance);
    return report;
  }
  FrictionSolution answer{condensation.impulses(solution), {}, {}};
  double share = first_share;
  for (int round = 0; round < most_rounds; ++round) {
    add_round(report, solve_friction(condensed, answer, solver,
                                     {.tolerance = share * options.tolerance,
                                      .max_iterations = options.max_iterations,
                                      .max_factorisations = work.most_factorisations,
                                      .measure = FrictionMeasure::eps_nat,
                                      .form = condensation.is_whole() ? &form : nullptr}));
    if (report.status == SolveStatus::unsupported) return report;
    solution = condensation.solution(in_sets(condensed, answer.lambda));
    const bool missed = !report.ok();
    report.residual = measure(problem, solution).worst();
    if (missed || report.residual <= options.tolerance) break;
    share = tightened(share, report.residual, options.tolerance);
  }
  report.seconds = timer.seconds();
  if (is_stuck(problem, condensed, solution, options.tolerance))
    report.status = SolveStatus::no_solution;
  report.status = judged(report.status, report.residual, options.tolerance);
  return report;
}

}  // namespace tact
