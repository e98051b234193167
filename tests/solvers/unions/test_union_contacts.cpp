// Groups of sides in the general contact problem: the judge, sides that may not push, the solvers.
#include <doctest/doctest.h>

#include <solvers/unions/nonconvex_problems.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/solvers.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>
#include <tact/solvers/unions/rigid_selection.hpp>
#include <tact/solvers/unions/union_contact_solver.hpp>

using namespace tact;

namespace {

// A point mass that moves down and to the left, before the corner x < 0, y < 0.
ContactProblem point_before_corner(const Vector3d& velocity, double gap_x, double gap_y,
                                   int pushing)
{
  ContactProblem problem =
      point_and_union(velocity, {{.normal = Vector3d::UnitX(), .gap_rate = gap_x},
                                 {.normal = Vector3d::UnitY(), .gap_rate = gap_y}});
  problem.groups.clear();
  problem.groups.add({0, 1}, pushing);
  return problem;
}

}  // namespace

TEST_CASE("sides are chosen with joints and dry friction in the problem")
{
  // Held to v_y = -1, which leaves the first side; and 0.1 N s of dry friction on 0.5 m/s along z.
  ContactProblem problem =
      point_and_union({-2.0, -1.0, 0.5}, {{.normal = Vector3d::UnitX(), .gap_rate = 0.1},
                                          {.normal = Vector3d::UnitY(), .gap_rate = 0.1}});
  add_bilateral(problem, {.J_a = RowVector6d::Unit(1)}, {.bias = 1.0});
  add_bilateral(problem, {.J_a = RowVector6d::Unit(2)}, {.lower = -0.1, .upper = 0.1});
  for (const char* solver : {"auto", "side-selection"}) {
    CAPTURE(solver);
    ContactSolution solution;
    REQUIRE(solve_contact(problem, solution, solver, {.tolerance = 1e-8}).ok());
    CHECK((solution.v.head<3>() - Vector3d(-0.1, -1.0, 0.4)).norm() < 1e-7);
  }
}

TEST_CASE("a side that may not push opens its group but never pushes")
{
  // Side 1 has less work, and is chosen where it may be. The summation form has a range of answers,
  // and Lemke's path ends with side 0.
  for (const NonconvexMethod method :
       {NonconvexMethod::selection, NonconvexMethod::max_form, NonconvexMethod::sum_form}) {
    CAPTURE(std::string(name(method)));
    ContactSolution solution;
    const ContactOptions options{.tolerance = 1e-9};
    const Vector3d down_left(-2.0, -1.0, 0.0);
    const auto solve = [&](const ContactProblem& problem) {
      UnionSolver solver(make_automatic(options), {.tolerance = 1e-9, .method = method});
      CHECK(solve_once(solver, problem, solution).ok());
      return acting_sides(problem.groups, solution.lambda);
    };
    const bool sum = method == NonconvexMethod::sum_form;
    ContactProblem corner = point_before_corner(down_left, 0.5, 0.5, 2);
    CHECK(solve(corner) == std::vector<int>{sum ? 0 : 1});
    CHECK(impulse_work(corner, solution.v) == doctest::Approx(sum ? 1.125 : 0.125).epsilon(1e-9));
    corner = point_before_corner(down_left, 0.5, 0.5, 1);
    CHECK(solve(corner) == std::vector<int>{0});
    CHECK(impulse_work(corner, solution.v) == doctest::Approx(1.125).epsilon(1e-9));
    // It is open, and nothing pushes.
    CHECK(solve(point_before_corner({-2.0, 0.0, 0.0}, 0.5, 0.5, 1)).empty());
  }
}

TEST_CASE("the judge holds groups to one side and sides that push to the law of any contact")
{
  const ContactProblem problem = point_before_corner({-2.0, -1.0, 0.0}, 0.5, 0.5, 2);
  const auto residual_of = [&](const Vector3d& v, double lambda_x, double lambda_y) {
    ContactSolution solution{.v = problem.v_star, .lambda = VectorXd::Zero(6)};
    solution.v.head<3>() = v;
    solution.lambda[0] = lambda_x;
    solution.lambda[3] = lambda_y;
    return measure(problem, solution);
  };
  // The printed solutions: both sides, the first, the second.
  for (const Residuals& good :
       {residual_of({-0.5, -0.5, 0.0}, 1.5, 0.5), residual_of({-0.5, -1.0, 0.0}, 1.5, 0.0),
        residual_of({-2.0, -0.5, 0.0}, 0.0, 0.5)}) {
    CHECK(good.worst() < 1e-15);
    CHECK(good.overreach == 0.0);
  }
  // Nothing holds: as deep as the side that is crossed least, -1 + 0.5.
  const Residuals crossed = residual_of({-2.0, -1.0, 0.0}, 0.0, 0.0);
  CHECK(crossed.penetration == doctest::Approx(0.5));
  CHECK(crossed.natural == doctest::Approx(0.5));
  // Side 0 pushes 0.1 m/s too far: it is not touched.
  CHECK(residual_of({-0.4, -1.0, 0.0}, 1.6, 0.0).natural == doctest::Approx(0.1));
  // Side 0 pushes though side 1 is open by 0.2 m/s; a force from outside holds it there.
  CHECK(residual_of({-0.5, -0.3, 0.0}, 1.5, 0.0).overreach == doctest::Approx(0.2));
}

TEST_CASE("local search from a given start keeps to sides that are consistent")
{
  const ContactProblem corner =
      point_and_union({-2.0, -1.0, 0.0}, {{.normal = Vector3d::UnitX(), .gap_rate = 0.5},
                                          {.normal = Vector3d::UnitY(), .gap_rate = 0.5}});
  // One trial: side 0 holds, side 1 stays closed. The neighbours have less work, so they win.
  RigidSelection convex(corner, 8);
  const std::vector<int> start = {0};
  const SelectionReport kept =
      select_sides(corner.groups, corner.size(), convex, {.max_trials = 1}, start);
  CHECK(kept.status == SolveStatus::converged);
  CHECK(kept.chosen == start);
  const SelectionReport better = select_sides(corner.groups, corner.size(), convex, {}, start);
  CHECK(better.chosen == std::vector<int>{1});
}

TEST_CASE("solvers of convex problems refuse groups and those of unions ask for them")
{
  ContactProblem problem = point_before_corner({-2.0, -1.0, 0.0}, 0.5, 0.5, 2);
  const auto status = [&](std::string_view solver) {
    ContactSolution solution;
    return solve_contact(problem, solution, solver, {.tolerance = 1e-9}).status;
  };
  for (const ContactMethod& solver : contact_methods()) {
    CAPTURE(solver.name);
    CHECK((status(solver.name) == SolveStatus::unsupported) == (solver.unions == Unions::refused));
  }
  CHECK(status("auto") == SolveStatus::converged);
  problem.groups.clear();
  CHECK(status("side-selection") == SolveStatus::unsupported);
  CHECK(status("auto") == SolveStatus::converged);
}
