#include <tact/solvers/pivoting/contact_pivoting.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include <tact/solvers/cone/exact_cone.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>

namespace tact {
namespace {

constexpr int sides_of_the_round_cone = 16;

// Pivoting has edges of the friction pyramid along its directions d_x, where the law has its
// facets: the square [-mu, mu]^2 is the diamond of radius sqrt(2) mu in tangents turned by 45
// degrees.
ContactProblem with_turned_tangents(ContactProblem problem)
{
  const double half = std::sqrt(0.5);
  Matrix3d turn;
  turn << 1.0, 0.0, 0.0, 0.0, half, half, 0.0, -half, half;
  for (RowBlock& block : problem.blocks) block.J = turn * block.J;
  for (ContactRows& contact : problem.contacts) {
    contact.bias = turn * contact.bias;
    contact.mu *= std::sqrt(2.0);
  }
  return problem;
}

void turn_back(VectorXd& lambda)
{
  const double half = std::sqrt(0.5);
  for (Eigen::Index c = 0; c + 2 < lambda.size(); c += 3) {
    const Vector2d t = lambda.segment<2>(c + 1);
    lambda.segment<2>(c + 1) = Vector2d(half * (t[0] - t[1]), half * (t[0] + t[1]));
  }
}

constexpr std::array polish = {
    PlanStep{&method::warm_start},
    PlanStep{&method::body_newton, 60, Goal::spare_digits},
    PlanStep{&method::interior_point, 60, Goal::exact},
    PlanStep{&method::responses, 0, Goal::nearly_exact},
    PlanStep{&method::body_newton, 100, Goal::exact},
};

// Newton's method on the round cone, from the answer of the pyramid.
SolveReport polish_on_cone(const ContactProblem& problem, ContactSolution& solution,
                           const SolveReport& pivoted, const ContactOptions& options)
{
  NestedSolver solver({.plan = [](IslandKind) { return IslandPlan(polish); },
                       .tolerance = options.tolerance,
                       .law = options.law});
  solver.begin(problem);
  const NestedReport polished = solver.solve(problem, solution);
  SolveReport report = pivoted;
  report.status = polished.status;
  report.note = fmt::format("a pyramid of {} sides, then {} Newton steps on the cone",
                            sides_of_the_round_cone, polished.factors);
  return report;
}

}  // namespace

SolveReport solve_by_pivoting(const ContactProblem& problem, ContactSolution& solution,
                              std::string_view solver, const ContactOptions& options)
{
  const bool rubs = std::any_of(problem.contacts.begin(), problem.contacts.end(),
                                [](const ContactRows& contact) { return contact.mu > 0.0; });
  const bool round = rubs && options.law == FrictionLaw::disc;
  ContactSolution answer;
  const SolveReport report =
      solve_rigid_contact(round ? problem : with_turned_tangents(problem), answer, solver,
                          {.max_iterations = options.max_iterations,
                           .directions = round ? sides_of_the_round_cone : 4});
  if (report.status == SolveStatus::unsupported) return report;
  if (!round) turn_back(answer.lambda);
  solution = std::move(answer);
  if (round && !problem.bilateral.empty())  // which the nested solver does not know
    return solve_exact_cone(problem, solution, "prox", options);
  return round ? polish_on_cone(problem, solution, report, options) : report;
}

}  // namespace tact
