// Random unions of half-spaces: what the three methods must not do, and how good side selection is.
#include <doctest/doctest.h>

#include <limits>

#include <solvers/unions/nonconvex_problems.hpp>
#include <tact/solvers/unions/nonconvex_solvers.hpp>
#include <tact/solvers/unions/rigid_selection.hpp>

using namespace tact;

namespace {

constexpr double round_off = 1e-9;  // m/s; data are of the order of 1 and answers are refined

// Sides within reach of the motion, so that about half of all unions are crossed by it.
ContactProblem random_union(int dimension, int sides, Random& random)
{
  Vector3d velocity = random.in_cube(1.0);
  if (dimension == 2) velocity.z() = 0.0;
  std::vector<HalfSpace> half_spaces(sides);
  for (HalfSpace& half_space : half_spaces) {
    half_space.normal = random_direction(dimension, random);
    if (half_space.normal.dot(velocity) > 0.0) half_space.normal *= -1.0;
    half_space.gap_rate = random.uniform(0.0, 0.3);
  }
  return point_and_union(velocity, half_spaces, random.uniform(0.5, 2.0));
}

VectorXd normal_velocities(const ContactProblem& problem, const ContactSolution& solution)
{
  return contact_velocities(problem, solution.v)(Eigen::seq(0, Eigen::last, 3));
}

// Of a point mass m before one union: moving to the nearest plane of those it is behind of, or
// nothing where it is in front of one. (a / 1)^2 m / 2, as normals are unit vectors.
double least_work(const ContactProblem& made)
{
  const ContactProblem& problem = made;
  const VectorXd free = contact_velocities(problem, problem.v_star);
  double least = std::numeric_limits<double>::infinity();
  for (int side = 0; side < problem.size(); ++side) {
    const double depth = std::max(0.0, -free[3 * side]);
    least = std::min(least, 0.5 * problem.A[0].blocks[0](0, 0) * depth * depth);
  }
  return least;
}

struct Tally {
  int solved = 0;
  int crossed = 0;    // by the free motion
  int forbidden = 0;  // accepted states that are not allowed
  int untouched = 0;  // impulses of sides that are not touched
  int wasteful = 0;   // more work than least_work()
};

void count(const ContactProblem& made, NonconvexMethod method, Tally& tally)
{
  ContactSolution solution;
  const NonconvexReport report = solve_rigid_unions(made, solution, {.method = method});
  if (!report.solve.ok()) return;
  ++tally.solved;
  const double least = least_work(made);
  if (least > 0.0) ++tally.crossed;
  const VectorXd u_n = normal_velocities(made, solution);
  const double allowance = method == NonconvexMethod::sum_form ? report.constants.cap : 0.0;
  if (forbidden_depth(made.groups, u_n) > allowance + round_off) ++tally.forbidden;
  for (const int side : report.acting)
    if (std::abs(u_n[side]) > round_off) ++tally.untouched;
  if (report.work > least * (1.0 + 1e-9) + 1e-15) ++tally.wasteful;  // J: v* itself is rounded
}

// A body with turning, groups at several of its corners, and contacts in no group.
ContactProblem random_body(int groups, int sides, double mu, Random& random)
{
  ContactProblem made;
  add_point_mass(made, random.uniform(0.5, 2.0), random.in_cube(1.0));
  made.A[0].blocks.back() *= 0.1;  // its inertia
  made.v_star.tail<3>() = random.in_cube(1.0);
  const auto add = [&](const Vector3d& arm, const Vector3d& towards) {
    HalfSpace half_space{
        .normal = random_direction(3, random), .gap_rate = random.uniform(0.0, 0.2), .mu = mu};
    if (half_space.normal.dot(towards) < 0.0) half_space.normal *= -1.0;
    add_half_space(made, 0, half_space, arm);
  };
  for (int g = 0; g < groups; ++g) {
    const Vector3d arm = random_direction(3, random);
    std::vector<int> members;
    for (int side = 0; side < sides; ++side) {
      members.push_back(made.size());
      add(arm, -arm);
    }
    made.groups.add(members);
  }
  for (int i = 0; i < 2; ++i) {
    const Vector3d arm = random_direction(3, random);
    add(arm, -arm);
  }
  return made;
}

// The least work over all choices of one side a group, each solved as a convex problem; with
// friction only over those in which no side pushes that another one makes needless.
double best_enumerated(const ContactProblem& made)
{
  RigidSelection convex(made, 8);
  const SideGroups& groups = made.groups;
  std::vector<int> place(groups.size(), 0);
  std::vector<char> present;
  SelectionTrial trial;
  double best = std::numeric_limits<double>::infinity();
  for (int g = 0; g < groups.size();) {
    present.assign(made.size(), 1);
    for (const int side : groups.all_sides()) present[side] = 0;
    for (int k = 0; k < groups.size(); ++k) present[groups[k][place[k]]] = 1;
    convex.solve(present, trial);
    bool consistent = trial.solved;
    for (int k = 0; k < groups.size() && consistent; ++k)
      consistent = trial.lambda_n[groups[k][place[k]]] <= round_off ||
                   opening(groups[k], trial.u_n) <= round_off;
    if (consistent) best = std::min(best, trial.work);
    for (g = 0; g < groups.size(); ++g) {
      place[g] = (place[g] + 1) % static_cast<int>(groups[g].size());
      if (place[g] != 0) break;
    }
  }
  return best;
}

}  // namespace

TEST_CASE("random unions: 1000 of 2 to 5 half-spaces in 2D and in 3D by all methods")
{
  for (const int dimension : {2, 3}) {
    for (const int sides : {2, 3, 4, 5}) {
      CAPTURE(dimension);
      CAPTURE(sides);
      Random random(static_cast<std::uint64_t>(10 * dimension + sides));
      Tally selection, max_form, sum_form;
      for (int trial = 0; trial < 1000; ++trial) {
        const ContactProblem made = random_union(dimension, sides, random);
        count(made, NonconvexMethod::selection, selection);
        count(made, NonconvexMethod::max_form, max_form);
        count(made, NonconvexMethod::sum_form, sum_form);
      }
      CHECK(selection.crossed > 200);  // the test tests something
      CHECK(selection.solved == 1000);
      CHECK(selection.forbidden == 0);
      CHECK(selection.untouched == 0);
      CHECK(selection.wasteful == 0);
      CHECK(max_form.solved == 1000);
      CHECK(max_form.forbidden == 0);
      CHECK(max_form.untouched == 0);
      CHECK(sum_form.solved == 1000);
      CHECK(sum_form.forbidden == 0);
    }
  }
}

TEST_CASE("side selection has no more work than the best of all choices, without friction")
{
  Random random(21);
  int needed = 0;
  for (int trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    const ContactProblem made = random_body(1 + trial % 4, 2 + trial % 2, 0.0, random);
    ContactSolution solution;
    const NonconvexReport report = solve_rigid_unions(made, solution);
    const double best = best_enumerated(made);
    if (best == std::numeric_limits<double>::infinity()) {
      CHECK(report.solve.status == SolveStatus::no_solution);
      continue;
    }
    CHECK(report.solve.ok());
    CHECK(report.work <= best * (1.0 + 1e-9));
    if (!report.acting.empty()) ++needed;
  }
  CHECK(needed > 100);
}

TEST_CASE("with friction too, or rule 1 applies: no side was needed")
{
  Random random(22);
  int needed = 0;
  for (int trial = 0; trial < 300; ++trial) {
    CAPTURE(trial);
    const ContactProblem made = random_body(1 + trial % 3, 2 + trial % 2, 0.3, random);
    ContactSolution solution;
    const NonconvexReport report = solve_rigid_unions(made, solution);
    const double best = best_enumerated(made);
    if (best == std::numeric_limits<double>::infinity()) continue;
    CHECK(report.solve.ok());
    if (report.acting.empty()) continue;
    CHECK(report.work <= best * (1.0 + 1e-9));
    ++needed;
  }
  CHECK(needed > 30);
}

TEST_CASE("the same problem gives the same bits")
{
  Random random(23);
  const ContactProblem made = random_body(3, 3, 0.3, random);
  for (const NonconvexMethod method :
       {NonconvexMethod::selection, NonconvexMethod::max_form, NonconvexMethod::sum_form}) {
    ContactSolution first, second;
    solve_rigid_unions(made, first, {.method = method});
    solve_rigid_unions(made, second, {.method = method});
    CHECK(first.v == second.v);
    CHECK(first.lambda == second.lambda);
  }
}
