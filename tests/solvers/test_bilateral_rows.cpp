// Joints, motors, dry friction of joints and ends of their ranges, in one problem with contacts.
#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <contact/bilateral_problems.hpp>
#include <contact/problem_builder.hpp>
#include <tact/contact/island_problem.hpp>
#include <tact/contact/judge.hpp>
#include <tact/contact/rigid_bodies.hpp>
#include <tact/solvers/solvers.hpp>

using namespace tact;

namespace {

constexpr double accuracy = 1e-8;  // m/s

double judged(const ContactProblem& problem, const ContactSolution& solution,
              FrictionLaw law = FrictionLaw::disc)
{
  return measure(problem, solution, law).worst();
}

// Of `count` random problems, how many the judge finds solved to 1e-8 m/s.
int count_solved(const char* solver, RandomBodies bodies, int count, bool equations_only = false,
                 FrictionLaw law = FrictionLaw::disc)
{
  Random random(7);
  int solved = 0;
  for (int k = 0; k < count; ++k) {
    ContactProblem problem = random_jointed_problem(random, bodies);
    if (equations_only) problem = without_limited_rows(problem);
    ContactSolution solution;
    const SolveReport report =
        solve_contact(problem, solution, solver, {.tolerance = accuracy, .law = law});
    const double residual = judged(problem, solution, law);
    if (residual <= accuracy) ++solved;
    INFO("problem ", k, ": ", residual, ", ", report.note);
    CHECK(report.ok() == (residual <= accuracy));
    WARN(residual <= accuracy);
  }
  return solved;
}

// A body of 2 kg that turns about z at 1 rad/s with 0.4 kg m^2, and one row on its turning.
ContactProblem turning_body(BilateralRow row)
{
  ContactProblem problem;
  Matrix6d A = 2.0 * Matrix6d::Identity();
  A(5, 5) = 0.4;
  add_rigid_body(problem, A, Vector6d::Unit(5));
  add_bilateral(problem, {.J_a = RowVector6d::Unit(5)}, row);
  return problem;
}

double spin_after(const ContactProblem& problem, const char* solver)
{
  ContactSolution solution;
  const SolveReport report = solve_contact(problem, solution, solver, {.tolerance = accuracy});
  INFO(solver, ": ", report.note);
  CHECK(report.ok());
  return solution.v[5];
}

}  // namespace

TEST_CASE("auto solves contacts with equations and limited rows to 1e-8 m/s: 200 of 200")
{
  CHECK(count_solved("auto", RandomBodies::mixed, 120) == 120);
  CHECK(count_solved("auto", RandomBodies::rigid, 80) == 80);
}

TEST_CASE("chains of links on the ground are held whatever the ratio of their masses")
{
  Random random(29);
  for (const double ratio : {1.0, 1e2, 1e4})
    for (const int links : {3, 12, 30}) {
      CAPTURE(ratio);
      CAPTURE(links);
      const ContactProblem problem = chain_of_links(links, ratio, random);
      ContactSolution solution;
      CHECK(solve_contact(problem, solution, "auto", {.tolerance = accuracy}).ok());
      CHECK(judged(problem, solution) <= accuracy);
    }
}

TEST_CASE("a motor gives what its limits allow, dry friction stops what it can")
{
  for (const char* solver :
       {"auto", "lemke-standard", "nsgs", "admm", "newton", "prox"}) {  // that take limits
    CAPTURE(solver);
    const auto after = [&](BilateralRow row) { return spin_after(turning_body(row), solver); };
    // From 1 to 3 rad/s with 0.4 kg m^2 takes 0.8 N m s. 1e-7 is ten times what solvers are asked.
    CHECK(after({.bias = -3.0, .lower = -2.0, .upper = 2.0}) == doctest::Approx(3.0).epsilon(1e-7));
    CHECK(after({.bias = -3.0, .lower = -0.5, .upper = 0.5}) ==
          doctest::Approx(2.25).epsilon(1e-7));
    CHECK(after({.lower = -0.2, .upper = 0.2}) == doctest::Approx(0.5).epsilon(1e-7));
    CHECK(std::abs(after({.lower = -1.0, .upper = 1.0})) < 1e-7);
    CHECK(after({.bias = -1.5, .lower = 0.0}) == doctest::Approx(1.5).epsilon(1e-7));  // pushed on
    CHECK(after({.bias = -0.5, .lower = 0.0}) == doctest::Approx(1.0).epsilon(1e-7));  // leaves
    CHECK(after({.bias = -0.5, .upper = 0.0}) == doctest::Approx(0.5).epsilon(1e-7));  // stopped
  }
}

TEST_CASE("every method that takes bilateral rows solves what it takes, others say who does")
{
  Random random(11);
  ContactProblem problem = random_jointed_problem(random, RandomBodies::rigid);
  while (problem.size() == 0 || without_limited_rows(problem).bilateral.empty() ||
         without_limited_rows(problem).bilateral.size() == problem.bilateral.size())
    problem = random_jointed_problem(random, RandomBodies::rigid);
  for (const ContactMethod& method : contact_methods()) {
    CAPTURE(method.name);
    if (method.unions == Unions::needed) continue;
    for (const bool limited : {true, false}) {
      CAPTURE(limited);
      const ContactProblem& asked = limited ? problem : without_limited_rows(problem);
      ContactSolution solution;
      const SolveReport report = solve_contact(asked, solution, method.name, {.tolerance = 1e-6});
      const bool taken = method.rows >= (limited ? Rows::limited : Rows::equations);
      if (taken && method.guide.friction != "none") {
        CHECK(report.ok());
        CHECK(judged(asked, solution) <= 1e-6);
      }
      if (taken) continue;
      CHECK(report.status == SolveStatus::unsupported);
      CHECK(report.note.find("bilateral rows") != std::string::npos);
      CHECK(report.note.find("lemke-standard") != std::string::npos);
      CHECK(method.guide.needs.find("bilateral rows") != std::string::npos);
    }
  }
}

TEST_CASE("in time steps auto solves the bilateral rows that a method does not take, and says so")
{
  Random random(13);
  for (const char* name : {"nested", "coupling", "ipm", "lemke-cone"}) {
    CAPTURE(name);
    ContactProblem problem = random_jointed_problem(random, RandomBodies::rigid);
    while (without_limited_rows(problem).bilateral.size() == problem.bilateral.size())
      problem = random_jointed_problem(random, RandomBodies::rigid);
    const std::unique_ptr<ContactSolver> solver =
        make_contact_solver(name, {.tolerance = accuracy});
    ContactSolution solution;
    solver->begin(problem);
    const ContactReport report = solver->solve(problem, solution);
    CHECK(report.ok());
    CHECK(judged(problem, solution) <= accuracy);
    CHECK(report.refused > 0);
    CHECK(report.refusal.find("bilateral rows") != std::string::npos);
  }
}

TEST_CASE("islands with joints are solved as the whole is, with as many threads as there are")
{
  Random random(17);
  for (int k = 0; k < 20; ++k) {
    const ContactProblem problem = random_jointed_problem(random, RandomBodies::mixed);
    ContactSolution once, again;
    REQUIRE(solve_contact(problem, once, "auto", {.tolerance = accuracy}).ok());
    std::size_t rows = 0, contacts = 0;
    for (const IslandProblem& island : split_into_islands(problem)) {
      rows += island.members().rows.size();
      contacts += island.members().contacts.size();
      CHECK(judged(island.problem(), island.part(problem, once)) <= 3.0 * accuracy);
    }
    CHECK(rows == problem.bilateral.size());
    CHECK(contacts == problem.contacts.size());
    again = once;  // a warm start at the answer stays
    REQUIRE(solve_contact(problem, again, "auto", {.tolerance = accuracy}).ok());
    CHECK((again.v - once.v).cwiseAbs().maxCoeff() < 1e-6);
  }
}

TEST_CASE("a pyramid of friction with joints and limits is solved by pivoting: rigid bodies")
{
  CHECK(count_solved("auto", RandomBodies::rigid, 40, false, FrictionLaw::pyramid) == 40);
  Random random(19);
  ContactProblem problem = random_jointed_problem(random, RandomBodies::mixed);
  while (only_rigid_bodies(problem) || problem.bilateral.empty())
    problem = random_jointed_problem(random, RandomBodies::mixed);
  ContactSolution solution;
  const SolveReport report =
      solve_contact(problem, solution, "auto", {.law = FrictionLaw::pyramid});
  CHECK(report.status == SolveStatus::unsupported);
  CHECK(report.note.find("rigid bodies only") != std::string::npos);
}
