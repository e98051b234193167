#include <cmath>

#include <doctest/doctest.h>

#include <tact/lcp/lemke.hpp>
#include <tact/lcp/one_sided_form.hpp>
#include <tact/lcp/ordinary_form.hpp>
#include <tact/lcp/solvers.hpp>

#include "families.hpp"

namespace tact {
namespace {

using families::Bounds;
using Outcome = OrdinaryForm::Outcome;

// [A -J'; J 0] with the multipliers free, so that the block of equations and free variables is 0.
families::Planted zero_equality_block(int n, int multipliers, Random& random)
{
  std::vector<Bounds> bounds(n, Bounds::plain);
  std::fill(bounds.end() - multipliers, bounds.end(), Bounds::free);
  return families::plant(families::saddle(n, multipliers, random), bounds, 0.0, random);
}

void check_solved(const LcpProblem& problem)
{
  LcpSolution solution;
  CHECK(solve_lemke(problem, solution).ok());
  CHECK(residual(problem, solution.z) <= 1e-9);
}

}  // namespace

TEST_CASE("a box is two one-sided rows, an upper bound a mirrored row, a fixed variable none")
{
  LcpProblem problem{MatrixXd(4, 4), VectorXd(4), VectorXd(4), VectorXd(4)};
  problem.M << 5, 1, 2, 3,  //
      1, 6, 4, 2,           //
      2, 4, 7, 1,           //
      3, 2, 1, 8;
  problem.q << 1, 2, 3, 4;
  problem.lower << -1.0, -infinity, 2.0, -infinity;
  problem.upper << 3.0, 1.0, 2.0, infinity;
  const OneSidedForm form = one_sided_form(problem);
  REQUIRE(form.size() == 4);  // box, its slack, mirrored, equation

  const VectorXd reference = (VectorXd(4) << -1.0, 1.0, 2.0, 0.0).finished();
  const VectorXd w = problem.M * reference + problem.q;
  CHECK(form.reference == reference);
  CHECK(form.q == (VectorXd(4) << w[0], 4.0, -w[1], w[3]).finished());
  MatrixXd M(4, 4);
  M << 5, 1, -1, 3,  //
      -1, 0, 0, 0,   //
      -1, 0, 6, -2,  //
      3, 0, -2, 8;
  CHECK(form.M == M);

  const VectorXd y = (VectorXd(4) << 0.5, 9.0, 0.25, -3.0).finished();
  CHECK(given_variables(form, y) == (VectorXd(4) << -0.5, 0.75, 2.0, -3.0).finished());
}

TEST_CASE("free variables of a regular block leave the Schur complement behind")
{
  // With the free variables first: M' = D - C A^-1 B, q' = q_2 - C A^-1 q_1.
  LcpProblem problem{MatrixXd(3, 3), VectorXd(3), VectorXd(3), VectorXd(3)};
  problem.M << 2, 0, 1,  //
      0, 4, 1,           //
      -1, 1, 1;
  problem.q << 2, -4, 1;
  problem.lower << -infinity, -infinity, 0.0;
  problem.upper.setConstant(infinity);
  const OrdinaryForm form(problem);
  REQUIRE(form.outcome() == Outcome::reduced);
  REQUIRE(form.q().size() == 1);
  // 1 + 1/2 - 1/4 and 1 + 1 + 1, up to the common power of two of equilibration.
  CHECK(form.q()[0] / form.M()(0, 0) == doctest::Approx(3.0 / 1.25).epsilon(1e-14));
}

TEST_CASE("a singular block of equations is eliminated through complementary pairs")
{
  for (int seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 4 + random.below(20);
    const families::Planted planted = zero_equality_block(n, 1 + n / 4, random);
    CHECK(OrdinaryForm(planted.problem).outcome() == Outcome::reduced);
    check_solved(planted.problem);
  }
}

TEST_CASE("an equation that reaches its free variable only through two pairs is eliminated too")
{
  // e: y_1 = 1; the free f acts on w_2 alone; y_1 and w_2 are coupled through w_1 = y_2 - 2.
  LcpProblem problem{MatrixXd::Zero(4, 4), VectorXd(4), VectorXd(4), VectorXd(4)};
  problem.M(0, 2) = 1.0;  // equation
  problem.M(2, 3) = 1.0;  // w_1
  problem.M(3, 1) = 1.0;  // w_2 = f + 3
  problem.q << -1.0, 0.0, -2.0, 3.0;
  problem.M(1, 2) = 1.0;  // a second equation, y_1 + g = 1 with g free
  problem.M(1, 0) = 1.0;
  problem.q[1] = -1.0;
  problem.lower << -infinity, -infinity, 0.0, 0.0;
  problem.upper.setConstant(infinity);
  CHECK(OrdinaryForm(problem).outcome() == Outcome::reduced);
  LcpSolution solution;
  REQUIRE(solve_lemke(problem, solution).ok());
  // y_1 = 1 > 0, so w_1 = 0 and y_2 = 2 > 0, so w_2 = 0 and f = -3; g = 0.
  CHECK((solution.z - (VectorXd(4) << 0.0, -3.0, 1.0, 2.0).finished()).norm() < 1e-14);
}

TEST_CASE("an equation that repeats another is dropped, one that contradicts it has no solution")
{
  Random random(8);
  LcpProblem problem = zero_equality_block(12, 4, random).problem;
  problem.M.row(11) = problem.M.row(10);
  problem.M.col(11) = problem.M.col(10);
  problem.q[11] = problem.q[10];
  CHECK(OrdinaryForm(problem).outcome() == Outcome::reduced);
  problem.q[11] += 1e-3;
  CHECK(OrdinaryForm(problem).outcome() == Outcome::inconsistent);
  LcpSolution solution;
  CHECK(solve_lemke(problem, solution).status == SolveStatus::no_solution);
}

TEST_CASE("an equation that no free variable can take over is told, and left to enumeration")
{
  // w = y - 1 with y >= 0, the equation y = 1, and a free variable that acts on nothing.
  LcpProblem problem{MatrixXd::Zero(2, 2), VectorXd::Constant(2, -1.0), VectorXd(2), VectorXd(2)};
  problem.M.col(0).setOnes();
  problem.lower << 0.0, -infinity;
  problem.upper.setConstant(infinity);
  CHECK(OrdinaryForm(problem).outcome() == Outcome::stuck);
  LcpSolution solution;
  CHECK(solve_lemke(problem, solution).status == SolveStatus::stalled);
  CHECK(solve_lcp(problem, solution, "auto").ok());
  CHECK(solution.z[0] == doctest::Approx(1.0).epsilon(1e-9));
}

TEST_CASE("variables of the ordinary problem map back to a solution of the given one")
{
  for (int seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const families::Planted planted = zero_equality_block(9, 3, random);
    const OrdinaryForm form(planted.problem);
    REQUIRE(form.outcome() == Outcome::reduced);
    const LcpProblem ordinary{form.M(), form.q(), {}, {}};
    LcpSolution solution;
    REQUIRE(solve_lemke(ordinary, solution).ok());
    // Through a pivoted tableau of condition 1e3 or so, hence the thousand eps.
    CHECK(residual(planted.problem, form.given_variables(solution.z)) < 1e-11);
  }
}

}  // namespace tact
