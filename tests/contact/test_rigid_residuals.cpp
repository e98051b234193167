// The judge: zero on closed-form answers, the size of the error on wrong ones, the same in any
// unit.
#include <doctest/doctest.h>

#include <cmath>

#include <contact/rigid_problems.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>

using namespace tact;

namespace {

// The block falls at 1 m/s and slides along the first direction at 2 m/s with mu = 0.5: each of the
// four contacts takes 0.5 N s to stop it and 0.25 N s of friction, which leaves 1.5 m/s. The
// friction acts 0.25 m below the centre, so the front contacts must carry more: torque balance
// about y gives (front - back) x 0.5 m x 2 = 1 N s x 0.25 m, hence front - back = 0.25 N s a
// contact.
struct SlidingBlock {
  ContactProblem problem = block_on_ground({2.0, 0.0, -1.0}, 0.5);
  ContactSolution solution;

  SlidingBlock()
  {
    solution.v = VectorXd::Zero(6);
    solution.v[0] = 1.5;
    solution.lambda = VectorXd::Zero(12);
    solution.beta.resize(0);
    for (int c = 0; c < 4; ++c) {
      const bool front = c >= 2;
      const double normal = front ? 0.625 : 0.375;
      solution.lambda.segment<3>(3 * c) << normal, -0.5 * normal, 0.0;
    }
  }
};

const FrictionPyramid pyramid(8);

}  // namespace

TEST_CASE("the closed-form answer of a sliding block has no residual")
{
  const SlidingBlock block;
  const Residuals residuals = measure(block.problem, block.solution, pyramid);
  CHECK(residuals.worst() < 1e-15);
}

TEST_CASE("each error shows in its own figure, at its own size")
{
  const double epsilon = 1e-3;
  SUBCASE("too little momentum")
  {
    SlidingBlock block;
    block.solution.v[0] += epsilon;  // 2 kg x 1e-3 m/s against A v* = 4 N s
    CHECK(measure(block.problem, block.solution, pyramid).momentum ==
          doctest::Approx(2.0 * epsilon / 4.0).epsilon(1e-6));
  }
  SUBCASE("penetration")
  {
    SlidingBlock block;
    block.solution.v[2] -= epsilon;  // against the largest free velocity, 2 m/s
    CHECK(measure(block.problem, block.solution, pyramid).natural ==
          doctest::Approx(epsilon / 2.0).epsilon(1e-6));
  }
  SUBCASE("friction outside the pyramid")
  {
    SlidingBlock block;
    block.solution.lambda[1] *= 1.01;
    CHECK(measure(block.problem, block.solution, pyramid).natural > 1e-4);
  }
  SUBCASE("friction that does not oppose the slip")
  {
    SlidingBlock block;
    std::swap(block.solution.lambda[1], block.solution.lambda[2]);
    CHECK(measure(block.problem, block.solution, pyramid).natural > 1e-2);
  }
  SUBCASE("pulling contact")
  {
    SlidingBlock block;
    block.solution.lambda[0] = -1.0;
    CHECK(measure(block.problem, block.solution, pyramid).natural > 0.1);
  }
  SUBCASE("an answer of the wrong size, or not finite")
  {
    SlidingBlock block;
    block.solution.v[0] = std::nan("");
    CHECK(std::isinf(measure(block.problem, block.solution, pyramid).worst()));
    CHECK(std::isinf(measure(block.problem, ContactSolution{}, pyramid).worst()));
  }
}

TEST_CASE("a wrong answer gets the same figure in grams, in millimetres and at another speed")
{
  Random random(5);
  for (int kind = 0; kind < 3; ++kind) {
    ContactProblem problem = small_problem(kind, random);
    ContactSolution solution;
    ConeLemke().solve(problem, solution);
    for (double& entry : solution.lambda) entry += 1e-3 * random.uniform(-1.0, 1.0);
    for (double& entry : solution.v) entry += 1e-3 * random.uniform(-1.0, 1.0);
    const double natural = measure(problem, solution, pyramid).natural;
    REQUIRE(natural > 1e-6);

    ContactProblem grams = problem;  // masses and impulses times 1000
    ContactSolution gram_solution = solution;
    scale_masses(grams, 1000.0);
    gram_solution.lambda *= 1000.0;
    CHECK(measure(grams, gram_solution, pyramid).natural == doctest::Approx(natural).epsilon(1e-9));

    ContactProblem faster = problem;  // velocities and impulses times 1000
    ContactSolution fast_solution = solution;
    faster.v_star *= 1000.0;
    for (ContactRows& contact : faster.contacts) contact.bias *= 1000.0;
    fast_solution.v *= 1000.0;
    fast_solution.lambda *= 1000.0;
    CHECK(measure(faster, fast_solution, pyramid).natural ==
          doctest::Approx(natural).epsilon(1e-9));
  }
}

TEST_CASE("bilateral rows are judged as equations")
{
  RigidContactBuilder builder;
  builder.add_body({.velocity = {1.0, 0.0, 0.0}});
  builder.add_ball_joint(0, fixed_body, {0.0, 0.0, 0.0});
  const ContactProblem problem = builder.build();
  ContactSolution solution{VectorXd::Zero(6), VectorXd(), VectorXd::Zero(3)};
  solution.beta[0] = -1.0;  // stops 1 kg at 1 m/s
  CHECK(measure(problem, solution, pyramid).worst() < 1e-15);
  solution.v[0] = 0.25;
  CHECK(measure(problem, solution, pyramid).bilateral == doctest::Approx(0.25));
}
