#include <doctest/doctest.h>

#include <solvers/unions/nonconvex_problems.hpp>
#include <tact/core/error.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>
#include <tact/solvers/unions/rigid_selection.hpp>
#include <tact/solvers/unions/union_contact_solver.hpp>
#include <tact/solvers/unions/union_lemke.hpp>

using namespace tact;

namespace {

// A unit mass at the mouth of a right-angled corner whose bisector is the x axis, moving straight
// in: both sides are equally deep.
ContactProblem symmetric_corner()
{
  const double half = std::sqrt(0.5);
  return point_and_union({-1.0, 0.0, 0.0},
                         {{.normal = {half, half, 0.0}}, {.normal = {half, -half, 0.0}}});
}

// Point masses in a row, each before a corner of its own of which the side `open` + 1 is nearer.
ContactProblem row_of_corners(int count)
{
  ContactProblem made;
  for (int i = 0; i < count; ++i) {
    add_point_mass(made, 1.0, {-2.0, -1.0, 0.0});
    const int side = made.size();
    add_half_space(made, i, {.normal = Vector3d::UnitX(), .gap_rate = 0.5});
    add_half_space(made, i, {.normal = Vector3d::UnitY(), .gap_rate = 0.5});
    made.groups.add({side, side + 1});
  }
  return made;
}

}  // namespace

TEST_CASE("groups that are empty or name a contact twice or one that is not there are refused")
{
  SideGroups groups;
  groups.add({0, 1});
  CHECK_NOTHROW(validate(groups, 2));
  CHECK_THROWS_WITH_AS(validate(groups, 1), doctest::Contains("group 0 names contact 1"), Error);
  groups.add({2, 1});
  CHECK_THROWS_WITH_AS(validate(groups, 3), doctest::Contains("contact 1 is in group 0"), Error);
  groups.clear();
  groups.add(std::initializer_list<int>{});
  CHECK_THROWS_WITH_AS(validate(groups, 3), doctest::Contains("group 0 is empty"), Error);
}

TEST_CASE("constants that do not fit are refused: gamma up to the velocity scale, epsilon of zero")
{
  CHECK_NOTHROW(validate(UnionConstants{.velocity_scale = 1.0, .gamma = 1.1, .cap = 0.1}));
  CHECK_THROWS_AS(validate(UnionConstants{.velocity_scale = 1.0, .gamma = 1.0, .cap = 0.1}), Error);
  CHECK_THROWS_AS(validate(UnionConstants{.velocity_scale = 0.0, .gamma = 1.0, .cap = 0.1}), Error);
  CHECK_THROWS_AS(validate(UnionConstants{.velocity_scale = 1.0, .gamma = 4.0, .cap = 0.0}), Error);
}

TEST_CASE("only plain rows can be sides")
{
  LcpProblem base{.M = MatrixXd::Identity(2, 2), .q = VectorXd::Ones(2), .lower = {}, .upper = {}};
  base.lower = VectorXd::Constant(2, -infinity);
  base.upper = VectorXd::Constant(2, infinity);
  SideGroups groups;
  groups.add({0, 1});
  UnionLcp unions;
  CHECK_THROWS_WITH_AS(unions.load(base, groups, UnionForm::max, choose_constants(base, groups)),
                       doctest::Contains("only plain rows"), Error);
}

TEST_CASE("of two answers with equal work the one whose side comes first is taken")
{
  ContactProblem corner = symmetric_corner();
  ContactSolution solution;
  NonconvexReport report = solve_rigid_unions(corner, solution);
  CHECK(report.solve.ok());
  CHECK(report.acting == std::vector{0});
  corner.groups.clear();
  corner.groups.add({1, 0});
  report = solve_rigid_unions(corner, solution);
  CHECK(report.acting == std::vector{1});
}

TEST_CASE("a group that a free motion keeps to costs one convex problem and no impulse")
{
  // Past the corner: behind one plane, but in front of the other. A convex row would stop it.
  const ContactProblem past = point_and_union(
      {-2.0, 0.0, 0.0}, {{.normal = Vector3d::UnitX(), .gap_rate = 0.5, .mu = 0.5},
                         {.normal = Vector3d::UnitY(), .gap_rate = 0.5, .mu = 0.5}});
  for (const NonconvexMethod method :
       {NonconvexMethod::selection, NonconvexMethod::max_form, NonconvexMethod::sum_form}) {
    CAPTURE(name(method));
    ContactSolution solution;
    const NonconvexReport report = solve_rigid_unions(past, solution, {.method = method});
    CHECK(report.solve.ok());
    CHECK(report.acting.empty());
    CHECK(solution.v == past.v_star);
    CHECK(report.trials == (method == NonconvexMethod::selection ? 1 : 0));
  }
}

TEST_CASE("friction of the side that pushes follows Coulomb's law, the other side gives none")
{
  // 45 degrees into the plane y = 0 with mu = 0.5: it takes half of what the normal takes.
  const ContactProblem corner = point_and_union(
      {-1.0, -1.0, 0.0}, {{.normal = Vector3d::UnitX(), .gap_rate = -9.0, .mu = 0.5},
                          {.normal = Vector3d::UnitY(), .gap_rate = 0.0, .mu = 0.5}});
  for (const NonconvexMethod method : {NonconvexMethod::selection, NonconvexMethod::max_form}) {
    CAPTURE(name(method));
    ContactSolution solution;
    const NonconvexReport report =
        solve_rigid_unions(corner, solution, {.method = method, .directions = 4});
    CHECK(report.solve.ok());
    CHECK(report.acting == std::vector{1});
    CHECK(solution.lambda.head<3>().norm() == 0.0);
    // The tangents of y = 0 lie along x and z, so that the pyramid has an edge along the motion.
    CHECK((solution.v.head<3>() - Vector3d(-0.5, 0.0, 0.0)).norm() < 1e-12);
  }
}

TEST_CASE("contacts in no group always hold, beside the union")
{
  // The least work of the corner alone would lift the point along y; a ceiling there leaves x only.
  ContactProblem corner =
      point_and_union({-2.0, -1.0, 0.0}, {{.normal = Vector3d::UnitX(), .gap_rate = 0.5},
                                          {.normal = Vector3d::UnitY(), .gap_rate = 0.5}});
  add_half_space(corner, 0, {.normal = -Vector3d::UnitY(), .gap_rate = -0.8});
  for (const NonconvexMethod method : {NonconvexMethod::selection, NonconvexMethod::max_form}) {
    CAPTURE(name(method));
    ContactSolution solution;
    const NonconvexReport report = solve_rigid_unions(corner, solution, {.method = method});
    CHECK(report.solve.ok());
    CHECK(report.acting == std::vector{0});
    CHECK((solution.v.head<3>() - Vector3d(-0.5, -1.0, 0.0)).norm() < 1e-12);
  }
}

TEST_CASE("a problem without an allowed state ends as no_solution, and Lemke on rays")
{
  // In front of x = 1 or of y = 1, but behind x = 0 and y = 0.
  ContactProblem shut =
      point_and_union({-1.0, -1.0, 0.0}, {{.normal = Vector3d::UnitX(), .gap_rate = -1.0},
                                          {.normal = Vector3d::UnitY(), .gap_rate = -1.0}});
  add_half_space(shut, 0, {.normal = -Vector3d::UnitX()});
  add_half_space(shut, 0, {.normal = -Vector3d::UnitY()});
  ContactSolution solution;
  const NonconvexReport selected = solve_rigid_unions(shut, solution);
  CHECK(selected.solve.status == SolveStatus::no_solution);
  const NonconvexReport lemke =
      solve_rigid_unions(shut, solution, {.method = NonconvexMethod::max_form});
  CHECK(lemke.solve.status == SolveStatus::no_solution);
  CHECK(lemke.solve.note.find("ray") != std::string::npos);
}

TEST_CASE("without groups all methods solve the convex problem")
{
  ContactProblem plain;
  add_point_mass(plain, 1.0, {-1.0, -2.0, 0.0});
  add_half_space(plain, 0, {.normal = Vector3d::UnitX()});
  add_half_space(plain, 0, {.normal = Vector3d::UnitY()});
  for (const NonconvexMethod method :
       {NonconvexMethod::selection, NonconvexMethod::max_form, NonconvexMethod::sum_form}) {
    CAPTURE(name(method));
    ContactSolution solution;
    const NonconvexReport report = solve_rigid_unions(plain, solution, {.method = method});
    CHECK(report.solve.ok());
    CHECK(solution.v.norm() < 1e-15);
  }
}

TEST_CASE("a joint that holds the y axis leaves the x axis to give way")
{
  ContactProblem pinned =
      point_and_union({-2.0, -1.0, 0.0}, {{.normal = Vector3d::UnitX(), .gap_rate = 0.5},
                                          {.normal = Vector3d::UnitY(), .gap_rate = 0.5}});
  add_bilateral(pinned, {.J_a = RowVector6d::Unit(1)}, {.bias = 1.0});  // v_y = -1
  ContactSolution solution;
  const NonconvexReport report = solve_rigid_unions(pinned, solution);
  CHECK(report.solve.ok());
  CHECK(report.acting == std::vector{0});  // y is held, so x has to give
  CHECK((solution.v.head<2>() - Vector2d(-0.5, -1.0)).norm() < 1e-12);
}

TEST_CASE("local search finds the answer of enumeration where groups do not meet")
{
  const ContactProblem row = row_of_corners(9);
  ContactSolution solution;
  const NonconvexReport report = solve_rigid_unions(row, solution);
  CHECK(report.solve.ok());
  CHECK(!report.exhaustive);
  CHECK(report.work == doctest::Approx(9 * 0.125).epsilon(1e-12));
  CHECK(report.acting == std::vector{1, 3, 5, 7, 9, 11, 13, 15, 17});
}

TEST_CASE("any gamma above the velocity scale makes the max form exact")
{
  const ContactProblem corner =
      point_and_union({-2.0, -1.0, 0.0}, {{.normal = Vector3d::UnitX(), .gap_rate = 0.5},
                                          {.normal = Vector3d::UnitY(), .gap_rate = 0.5}});
  for (const double gamma : {0.11, 0.5, 2.0, 1e3}) {
    CAPTURE(gamma);
    ContactSolution solution;
    const NonconvexReport report =
        solve_rigid_unions(corner, solution,
                           {.method = NonconvexMethod::max_form,
                            .constants = {.velocity_scale = 0.1, .gamma = gamma, .cap = 0.0}});
    CHECK(report.solve.ok());
    CHECK(report.forbidden < 1e-12);
    CHECK((report.gamma_margin > 0.0) == (gamma > 1.6));  // the largest |a| is 1.5
  }
}

TEST_CASE("the general problem has the answers of the rigid one")
{
  Random random(11);
  for (int trial = 0; trial < 20; ++trial) {
    CAPTURE(trial);
    ContactProblem made;
    for (int body = 0; body < 3; ++body) {
      add_point_mass(made, random.uniform(0.5, 2.0), random.in_cube(1.0));
      const int first = made.size();
      for (int side = 0; side < 3; ++side)
        add_half_space(made, body, {.normal = random_direction(3, random), .gap_rate = -0.1});
      made.groups.add({first, first + 1, first + 2});
    }
    ContactSolution rigid;
    const NonconvexReport expected = solve_rigid_unions(made, rigid);
    ContactSolution solution;
    UnionSolver solver(make_automatic({.tolerance = 1e-9}), {.tolerance = 1e-9});
    REQUIRE(expected.solve.ok());
    CHECK(solve_once(solver, made, solution).ok());
    CHECK(acting_sides(made.groups, solution.lambda) == expected.acting);
    CHECK((solution.v - rigid.v).cwiseAbs().maxCoeff() < 1e-6);
    CHECK(impulse_work(made, solution.v) == doctest::Approx(expected.work).epsilon(1e-6));
  }
}
