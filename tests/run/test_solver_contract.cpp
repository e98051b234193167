// What every solver of contact problems owes, of the table of contact solvers and of that of the
// exact cone alike: the same checks for each, judged from outside.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <contact/problem_builder.hpp>
#include <tact/contact/judge.hpp>
#include <tact/run/problem_solve.hpp>
#include <tact/solvers/solvers.hpp>

using namespace tact;

namespace {

constexpr double contract_tolerance = 1e-8;  // m/s
constexpr double weight = 9.81 * 0.01;       // N s: of 1 kg in a step
constexpr int ample = 200000;                // iterations
constexpr int bounded = 2 * ample;           // of all stages of a method together

// What a solver takes; the widest that it does not refuse.
struct Terms {
  std::string solver;
  FrictionLaw law = FrictionLaw::disc;
  double mu = 0.5;
};

SolvedProblem solve_on(const Terms& terms, const ContactProblem& problem,
                       double tolerance = contract_tolerance,
                       const ContactSolution* start = nullptr)
{
  Problem stored{"contact", problem, start ? *start : ContactSolution{}};
  ProblemOptions options;
  options.tolerance = tolerance;
  options.max_iterations = ample;
  options.law = terms.law;
  options.warm_start = start != nullptr;
  return solve(stored, terms.solver, options);
}

std::vector<Terms> every_solver_on_its_terms()
{
  std::set<std::string> names = {"auto"};
  const Problem stack{"contact", box_stack(1, 0.5), {}};
  for (const std::string& name : solvers_for(stack)) names.insert(name);
  for (const ContactMethod& method : contact_methods())  // those have a contract of their own
    if (method.unions == Unions::needed) names.erase(method.name);
  std::vector<Terms> all;
  for (const std::string& name : names) {
    for (const Terms& terms :
         {Terms{name, FrictionLaw::disc, 0.5}, Terms{name, FrictionLaw::pyramid, 0.5},
          Terms{name, FrictionLaw::disc, 0.0}}) {
      const SolvedProblem tried = solve_on(terms, box_stack(1, terms.mu));
      if (tried.report.status == SolveStatus::unsupported) continue;
      all.push_back(terms);
      break;
    }
  }
  CHECK(all.size() == names.size());
  return all;
}

const ContactSolution& answer_of(const SolvedProblem& solved)
{
  return std::get<ContactSolution>(solved.solution);
}

ContactSolution require_solved(const Terms& terms, const ContactProblem& problem,
                               double tolerance = contract_tolerance)
{
  const SolvedProblem solved = solve_on(terms, problem, tolerance);
  CAPTURE(solved.report.note);
  CHECK(solved.report.ok());
  CHECK(solved.report.residual <= tolerance);
  CHECK(solved.report.residual == measure(problem, answer_of(solved), terms.law).worst());
  return answer_of(solved);
}

}  // namespace

TEST_CASE("contract: every box of a stack carries the weight above it")
{
  for (const Terms& terms : every_solver_on_its_terms()) {
    CAPTURE(terms.solver);
    const ContactSolution answer = require_solved(terms, box_stack(4, terms.mu));
    CHECK(answer.v.cwiseAbs().maxCoeff() < 1e-6);
    for (int b = 0; b < 4; ++b) {
      double carried = 0.0;
      for (int c = 4 * b; c < 4 * b + 4; ++c) carried += answer.lambda[3 * c];
      CHECK(carried == doctest::Approx((4 - b) * weight).epsilon(1e-5));
    }
  }
}

TEST_CASE("contract: a block slides down a slope by g sin less mu g cos")
{
  const double angle = 0.7, dt = 0.01, g = 9.81;
  for (const Terms& terms : every_solver_on_its_terms()) {
    CAPTURE(terms.solver);
    const ContactSolution answer = require_solved(terms, block_on_slope(angle, terms.mu, dt));
    const double speed = dt * g * (std::sin(angle) - terms.mu * std::cos(angle));
    CHECK(std::abs(answer.v.head<3>().norm() - speed) < 1e-6);
  }
}

TEST_CASE("contract: a warm start at the answer stays there")
{
  for (const Terms& terms : every_solver_on_its_terms()) {
    CAPTURE(terms.solver);
    const ContactProblem problem = box_stack(3, terms.mu);
    const ContactSolution answer = require_solved(terms, problem);
    const SolvedProblem again = solve_on(terms, problem, 2.0 * contract_tolerance, &answer);
    CHECK(again.report.ok());
    CHECK((answer_of(again).v - answer.v).cwiseAbs().maxCoeff() < 1e-7);
  }
}

TEST_CASE("contract: impulses lie in their cones, also where little is asked for")
{
  for (const Terms& terms : every_solver_on_its_terms()) {
    CAPTURE(terms.solver);
    for (const NamedProblem& named : all_problems(terms.mu)) {
      CAPTURE(named.name);
      const ContactProblem& problem = named.problem;
      for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
        CAPTURE(tolerance);
        const SolvedProblem solved = solve_on(terms, problem, tolerance);
        if (solved.report.status == SolveStatus::unsupported) break;
        const ContactSolution& answer = answer_of(solved);
        const double outside = measure(problem, answer, terms.law).cone_violation;
        CHECK(outside <= 1e-14 * std::max(1.0, answer.lambda.cwiseAbs().maxCoeff()));
      }
    }
  }
}

TEST_CASE("contract: the order of contacts does not matter where the velocity is unique")
{
  for (const Terms& terms : every_solver_on_its_terms()) {
    CAPTURE(terms.solver);
    for (const ContactProblem& problem : {block_on_slope(0.3, 0.0), box_stack(3, 0.0, 5.0)}) {
      const ContactSolution one = require_solved(terms, problem);
      const ContactSolution other = require_solved(terms, reversed(problem));
      CHECK((one.v - other.v).cwiseAbs().maxCoeff() < 1e-6);
    }
  }
}

TEST_CASE("contract: grams and millimetres give the same motion")
{
  for (const Terms& terms : every_solver_on_its_terms()) {
    CAPTURE(terms.solver);
    const ContactProblem problem = block_on_slope(0.7, terms.mu);
    const ContactSolution metres = require_solved(terms, problem);
    const ContactSolution millimetres =
        require_solved(terms, in_small_units(problem), 1e3 * contract_tolerance);
    CHECK((1e3 * metres.v.head<3>() - millimetres.v.head<3>()).norm() < 1e-3);
  }
}

TEST_CASE("contract: a box between closing walls ends after bounded work with an honest status")
{
  ProblemBuilder builder;
  const int box = builder.add(ProblemBuilder::Box{});
  for (const double side : {1.0, -1.0})
    builder.add({.supports = {{.node = box, .rigid = true, .arm = {0.0, 0.0, -0.1 * side}}},
                 .normal = side * Vector3d::UnitZ(),
                 .gap = -0.01,  // 1 m/s: one step would have to open both by that
                 .mu = 0.0});
  const ContactProblem squeezed = builder.build();
  for (const Terms& terms : every_solver_on_its_terms()) {
    CAPTURE(terms.solver);
    const SolvedProblem ended = solve_on(terms, squeezed);
    CHECK(ended.report.iterations <= bounded);
    CHECK_FALSE(ended.report.ok());
    CHECK(ended.report.residual > 0.1);
    CHECK(answer_of(ended).lambda.allFinite());
  }
}

TEST_CASE("contract: masses from a gram to a thousand tonnes end after bounded work and honestly" *
          doctest::test_suite("slow"))
{
  for (const Terms& terms : every_solver_on_its_terms()) {
    for (const double top : {1e-3, 1e3, 1e6}) {
      CAPTURE(terms.solver);
      CAPTURE(top);
      const ContactProblem problem = box_stack(3, terms.mu, top);
      const SolvedProblem ended = solve_on(terms, problem);
      CHECK(ended.report.iterations <= bounded);
      CHECK(answer_of(ended).lambda.allFinite());
      const double judged = measure(problem, answer_of(ended), terms.law).worst();
      CHECK(ended.report.ok() == (judged <= contract_tolerance));
    }
  }
}
