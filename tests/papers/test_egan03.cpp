// [Egan03]: the printed examples of both formulations, with the slips of the print corrected
// (docs/papers.md), and the number of constraints of its table.
#include <doctest/doctest.h>

#include <solvers/unions/nonconvex_problems.hpp>
#include <tact/solvers/pivoting/pyramid_lcp.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>

using namespace tact;

namespace {

constexpr double h = 2.0;          // s
constexpr double gamma_100 = 100;  // m/s
constexpr UnionConstants printed_constants = {
    .velocity_scale = 1.0, .gamma = gamma_100, .cap = 0.01};
// Entries such as 1.495 are no numbers of double: what their rounding leaves.
constexpr double round_off = 1e-15;

// Fig. 3: mass 1 at (1, 1); side 0 is the plane x = 0 (the paper's 1), side 1 the plane y = 0.
// What is forbidden is x < 0 and y < 0.
ContactProblem figure_3(const Vector2d& velocity)
{
  return point_and_union({velocity.x(), velocity.y(), 0.0},
                         {{.normal = Vector3d::UnitX(), .gap_rate = 1.0 / h},
                          {.normal = Vector3d::UnitY(), .gap_rate = 1.0 / h}});
}
ContactProblem figure_3a()
{
  return figure_3({-2.0, 0.0});
}
ContactProblem figure_3b()
{
  return figure_3({-2.0, -1.0});
}

UnionLcp form_of(const ContactProblem& example, UnionForm form)
{
  WhitenedProblem whitened;
  whitened.load(example);
  const FrictionPyramid pyramid;
  PyramidLcp base;
  base.load(whitened, pyramid);
  UnionLcp unions;
  unions.load(base.lcp(), example.groups, form, printed_constants);
  return unions;
}

VectorXd vector(std::initializer_list<double> entries)
{
  return Eigen::Map<const VectorXd>(entries.begin(), static_cast<Eigen::Index>(entries.size()));
}

// (c1 c2 d g1 g2 h1 h2 p p1n p2n)
const VectorXd max_a = vector({2.5, 0.5, 99.5, 0, 1, 1.5, 0, 0, 0, 0});
const VectorXd max_b1 = vector({1, 1, 99, 0, 1, 0, 0, 0, 1.5, 0.5});    // both planes
const VectorXd max_b2 = vector({1, 1.5, 99, 1, 0, 0, 0.5, 0, 1.5, 0});  // the plane x = 0
const VectorXd max_b3 = vector({2.5, 1, 99, 0, 1, 1.5, 0, 0, 0, 0.5});  // the plane y = 0

// (c1 c2 p1n p2n)
const VectorXd sum_a = vector({0, 0.51, 0, 0});
const VectorXd sum_b1 = vector({0, 0.01, 0.5, 0.5});           // on y = 0, both push
const VectorXd sum_b2 = vector({0.005, 0.005, 1.495, 0.495});  // on the cap
const VectorXd sum_b3 = vector({0.01, 0, 1.5, 0.13});          // on x = 0, both push

// Velocity and position at the end of the step, in the plane.
Vector2d end_velocity(const ContactProblem& example, const VectorXd& p)
{
  return example.v_star.head<2>() + p;  // unit mass, normals along the axes
}
Vector2d end_position(const Vector2d& velocity)
{
  return Vector2d(1.0, 1.0) + h * velocity;
}

}  // namespace

TEST_CASE("[Egan03] max formulation: the matrices of fig. 3, entry by entry")
{
  MatrixXd B(10, 10);
  B << 1, 0, 0, 0, 0, 0, 0, 0, 1, 0,  //
      0, 1, 0, 0, 0, 0, 0, 0, 0, 1,   //
      0, 0, 0, 1, 1, 0, 0, 0, 0, 0,   //
      1, 0, 1, 0, 0, 0, 0, 0, 0, 0,   //
      0, 1, 1, 0, 0, 0, 0, 0, 0, 0,   //
      0, 0, 0, 0, 0, 1, 0, 0, 1, 0,   //
      0, 0, 0, 0, 0, 0, 1, 0, 0, 1,   //
      0, 0, 1, 0, 0, 0, 0, 0, 0, 0,   //
      0, 0, 1, 0, 0, 1, 0, 0, 0, 0,   //
      0, 0, 1, 0, 0, 0, 1, 0, 0, 0;
  const UnionLcp a = form_of(figure_3a(), UnionForm::max);
  const UnionLcp b = form_of(figure_3b(), UnionForm::max);
  CHECK(a.lcp().M == B);
  CHECK(b.lcp().M == B);
  CHECK(a.lcp().q == vector({-2.5, -0.5, -1, -100, -100, -1.5, 0.5, -99, -99, -99}));
  CHECK(b.lcp().q == vector({-2.5, -1.5, -1, -100, -100, -1.5, -0.5, -99, -99, -99}));
}

TEST_CASE("[Egan03] max formulation: all four printed solutions solve it exactly")
{
  const UnionLcp a = form_of(figure_3a(), UnionForm::max);
  const UnionLcp b = form_of(figure_3b(), UnionForm::max);
  CHECK(residual(a.lcp(), max_a) == 0.0);
  for (const VectorXd* z : {&max_b1, &max_b2, &max_b3}) CHECK(residual(b.lcp(), *z) == 0.0);
}

TEST_CASE("[Egan03] max formulation: printed velocities and positions follow from the impulses")
{
  const ContactProblem a = figure_3a(), b = figure_3b();
  const auto velocity = [&](const ContactProblem& example, const VectorXd& z) {
    return end_velocity(example, z.tail<2>());
  };
  CHECK(velocity(a, max_a) == Vector2d(-2.0, 0.0));
  CHECK(end_position(velocity(a, max_a)) == Vector2d(-3.0, 1.0));
  CHECK(velocity(b, max_b1) == Vector2d(-0.5, -0.5));
  CHECK(end_position(velocity(b, max_b1)) == Vector2d(0.0, 0.0));
  CHECK(velocity(b, max_b2) == Vector2d(-0.5, -1.0));
  CHECK(end_position(velocity(b, max_b2)) == Vector2d(0.0, -1.0));
  CHECK(velocity(b, max_b3) == Vector2d(-2.0, -0.5));
  CHECK(end_position(velocity(b, max_b3)) == Vector2d(-3.0, 0.0));
}

TEST_CASE("[Egan03] summation formulation: the matrices of fig. 3, entry by entry")
{
  MatrixXd B(4, 4);
  B << 1, 0, -1, 0,  //
      0, 1, 0, -1,   //
      1, 1, 0, 0,    //
      1, 1, 0, 0;
  const UnionLcp a = form_of(figure_3a(), UnionForm::sum);
  const UnionLcp b = form_of(figure_3b(), UnionForm::sum);
  CHECK(a.lcp().M == B);
  CHECK(b.lcp().M == B);
  // The print has the second entries of these two exchanged.
  CHECK(a.lcp().q == vector({1.49, -0.51, -0.01, -0.01}));
  CHECK(b.lcp().q == vector({1.49, 0.49, -0.01, -0.01}));
}

TEST_CASE("[Egan03] summation formulation: all four printed solutions solve it")
{
  const UnionLcp a = form_of(figure_3a(), UnionForm::sum);
  const UnionLcp b = form_of(figure_3b(), UnionForm::sum);
  CHECK(residual(a.lcp(), sum_a) <= round_off);
  for (const VectorXd* z : {&sum_b1, &sum_b2, &sum_b3}) CHECK(residual(b.lcp(), *z) <= round_off);
}

TEST_CASE("[Egan03] summation formulation: corrected velocities and positions")
{
  const ContactProblem b = figure_3b();
  const auto near = [](const Vector2d& found, const Vector2d& expected) {
    return (found - expected).cwiseAbs().maxCoeff() <= 1e-14;  // some roundings of numbers near 3
  };
  const auto velocity = [&](const VectorXd& z) { return end_velocity(b, z.tail<2>()); };
  CHECK(near(end_velocity(figure_3a(), sum_a.tail<2>()), {-2.0, 0.0}));
  CHECK(near(velocity(sum_b1), {-1.5, -0.5}));
  CHECK(near(end_position(velocity(sum_b1)), {-2.0, 0.0}));
  CHECK(near(velocity(sum_b2), {-0.505, -0.505}));
  CHECK(near(end_position(velocity(sum_b2)), {-0.01, -0.01}));
  CHECK(near(velocity(sum_b3), {-0.5, -0.87}));
  CHECK(near(end_position(velocity(sum_b3)), {0.0, -0.74}));
}

TEST_CASE("[Egan03] side selection returns z_a, and of the three solutions of fig. 3(b) z_b3")
{
  for (const bool contact : {false, true}) {
    CAPTURE(contact);
    const ContactProblem example = contact ? figure_3b() : figure_3a();
    ContactSolution solution;
    const NonconvexReport report = solve_rigid_unions(example, solution);
    CHECK(report.solve.ok());
    CHECK(report.solve.residual == 0.0);
    CHECK(report.exhaustive);
    // 1/2 |p|^2 is 1.25 for z_b1, 1.125 for z_b2 and 0.125 for z_b3: the least wins.
    CHECK(report.work == (contact ? 0.125 : 0.0));
    CHECK(report.acting == (contact ? std::vector{1} : std::vector<int>{}));
    const UnionLcp form = form_of(example, UnionForm::max);
    CHECK(form.lifted(vector({solution.lambda[0], solution.lambda[3]})) ==
          (contact ? max_b3 : max_a));
  }
}

TEST_CASE("[Egan03] Lemke on the max form returns z_a, and for fig. 3(b) the printed z_b3")
{
  for (const bool contact : {false, true}) {
    CAPTURE(contact);
    const ContactProblem example = contact ? figure_3b() : figure_3a();
    ContactSolution solution;
    const NonconvexReport report = solve_rigid_unions(
        example, solution, {.method = NonconvexMethod::max_form, .constants = printed_constants});
    CHECK(report.solve.ok());
    CHECK(report.constraints == 10);
    CHECK(report.gamma_margin > 0.0);
    const VectorXd impulses = vector({solution.lambda[0], solution.lambda[3]});
    CHECK(impulses == (contact ? max_b3 : max_a).tail<2>());
  }
}

TEST_CASE("[Egan03] Lemke on the summation form returns z_a, and for fig. 3(b) an end of its range")
{
  const ContactProblem a = figure_3a(), b = figure_3b();
  const NonconvexOptions options = {.method = NonconvexMethod::sum_form,
                                    .constants = printed_constants};
  ContactSolution solution;
  CHECK(solve_rigid_unions(a, solution, options).solve.ok());
  CHECK(vector({solution.lambda[0], solution.lambda[3]}) == sum_a.tail<2>());
  const NonconvexReport report = solve_rigid_unions(b, solution, options);
  CHECK(report.solve.ok());
  CHECK(report.constraints == 4);
  // The text lists all end positions: along y = 0 from (-3, 0), along the cap, and along x = 0 to
  // (0, -1), which is where this one is: z_b3 without the impulse of the plane that is not touched.
  CHECK(report.acting == std::vector{0});
  const Vector2d end = end_position(solution.v.head<2>());
  CHECK((end - Vector2d(0.0, -1.0)).norm() <= 1e-14);
}

TEST_CASE("[Egan03] table: the forms have the number of constraints that it gives")
{
  Random random(3);
  for (const int k : {4, 6, 8}) {
    for (const std::vector<int>& sizes : {std::vector{2}, {3, 2}, {2, 5, 4}}) {
      for (const int convex : {0, 1, 4}) {
        ContactProblem made;
        add_point_mass(made, 1.0, random.in_cube(1.0));
        std::vector<int> sides;
        for (const int size : sizes) {
          sides.clear();
          for (int i = 0; i < size; ++i) {
            sides.push_back(made.size());
            add_half_space(made, 0, {.normal = random_direction(3, random), .mu = 0.3});
          }
          made.groups.add(sides);
        }
        for (int i = 0; i < convex; ++i)
          add_half_space(made, 0, {.normal = random_direction(3, random), .mu = 0.3});
        const ConstraintCount count = {.convex = convex,
                                       .sides = made.groups.sides(),
                                       .groups = made.groups.size(),
                                       .directions = k};
        WhitenedProblem whitened;
        whitened.load(made);
        const FrictionPyramid pyramid(k);
        PyramidLcp base;
        base.load(whitened, pyramid);
        UnionLcp unions;
        unions.load(base.lcp(), made.groups, UnionForm::max, printed_constants);
        CHECK(unions.lcp().size() == count.max());
        unions.load(base.lcp(), made.groups, UnionForm::sum, printed_constants);
        CHECK(unions.lcp().size() == count.sum());
      }
    }
  }
  CHECK(ConstraintCount{.convex = 5, .directions = 8}.stewart() == 50);
}
