// Islands of lone rigid bodies are solved exactly, whatever the tolerance of a run.
#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <contact/problem_builder.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/random.hpp>
#include <tact/solvers/automatic.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/newton/body_lu.hpp>
#include <threads.hpp>

using namespace tact;

namespace {

struct StackOptions {
  int boxes = 3;
  int contacts = 8;        // under each box: twice as many as its corners
  double ratio = 1.0;      // of the masses of neighbours
  double agitation = 0.0;  // m/s and rad/s, at random
  double restitution = 0.0;
  double mu = 0.5;
};

ContactProblem stack_of_boxes(const StackOptions& options, Random& random)
{
  ProblemBuilder builder;
  std::vector<int> body;
  for (int i = 0; i < options.boxes; ++i)
    body.push_back(builder.add(ProblemBuilder::Box{.mass = i % 2 == 0 ? 1.0 : options.ratio,
                                                   .centre = {0.0, 0.0, 0.1 + 0.2 * i},
                                                   .velocity = random.in_cube(options.agitation),
                                                   .spin = random.in_cube(options.agitation)}));
  for (int i = 0; i < options.boxes; ++i)
    for (int k = 0; k < options.contacts; ++k) {
      const double shrink = k < 4 ? 1.0 : 0.7;
      const double x = shrink * (k % 2 == 0 ? 0.1 : -0.1),
                   y = shrink * (k / 2 % 2 == 0 ? 0.1 : -0.1);
      ProblemBuilder::Contact contact{.gap = random.uniform(-1e-5, 1e-5),
                                      .mu = options.mu,
                                      .restitution = options.restitution,
                                      .approach = -0.1};
      contact.supports = {{.node = body[i], .rigid = true, .arm = {x, y, -0.1}}};
      if (i > 0)
        contact.supports.push_back(
            {.node = body[i - 1], .weight = -1.0, .rigid = true, .arm = {x, y, 0.1}});
      builder.add(contact);
    }
  return builder.build();
}

// Boxes on a grid in space with some contacts at random to each neighbour below, left and behind.
ContactProblem cluster(int side, int contacts, double ratio, Random& random)
{
  ProblemBuilder builder;
  std::vector<int> body;
  for (int i = 0; i < side * side * side; ++i) {
    const Vector3d cell(i % side, i / side % side, i / (side * side));
    body.push_back(builder.add(ProblemBuilder::Box{.mass = std::pow(ratio, random.uniform()),
                                                   .centre = 0.2 * cell,
                                                   .velocity = random.in_cube(1.0),
                                                   .spin = random.in_cube(3.0)}));
  }
  const auto join = [&](int i, int other, int axis) {
    for (int k = 0; k < contacts; ++k) {
      Vector3d place = random.in_cube(0.08);
      place[axis] = 0.1;
      ProblemBuilder::Contact contact{
          .normal = (Vector3d::Unit(axis) + random.in_cube(0.1)).normalized(),
          .gap = random.uniform(0.0, 1e-4),
          .mu = random.uniform()};
      contact.supports = {
          {.node = body[i], .rigid = true, .arm = place - 0.2 * Vector3d::Unit(axis)}};
      if (other >= 0)
        contact.supports.push_back(
            {.node = body[other], .weight = -1.0, .rigid = true, .arm = place});
      builder.add(contact);
    }
  };
  for (int i = 0; i < side * side * side; ++i) {
    if (i % side > 0) join(i, i - 1, 0);
    if (i / side % side > 0) join(i, i - side, 1);
    join(i, i >= side * side ? i - side * side : -1, 2);
  }
  return builder.build();
}

NestedReport solve_by_default(const ContactProblem& problem, ContactSolution& solution,
                              FrictionLaw law = FrictionLaw::disc)
{
  NestedOptions options = automatic_options();
  options.law = law;
  NestedSolver solver(options);
  solver.begin(problem);
  return solver.solve(problem, solution);
}

}  // namespace

TEST_CASE("body LU: unsymmetric matrices on chains, stars and grids are solved to rounding")
{
  Random random(3);
  for (int kind = 0; kind < 3; ++kind) {
    const int bodies = 16;
    std::vector<std::array<int, 2>> couples;
    for (int i = 1; i < bodies; ++i) {
      couples.push_back({i, kind == 1 ? 0 : i - 1});
      if (kind == 2 && i >= 4) couples.push_back({i - 4, i});
    }
    BodyLu lu;
    lu.begin(bodies, couples);
    lu.set_zero();
    MatrixXd matrix = MatrixXd::Zero(6 * bodies, 6 * bodies);
    const auto put = [&](int i, int j) {
      Matrix6d block;
      for (int k = 0; k < 36; ++k) block(k / 6, k % 6) = random.uniform(-1.0, 1.0);
      if (i == j) block.diagonal().array() += 30.0;
      lu[lu.place(i, j)] = block;
      matrix.block<6, 6>(6 * i, 6 * j) = block;
    };
    for (int i = 0; i < bodies; ++i) put(i, i);
    for (const auto& [i, j] : couples) {
      put(i, j);
      put(j, i);
    }
    VectorXd expected(6 * bodies);
    for (double& entry : expected) entry = random.uniform(-1.0, 1.0);
    VectorXd x = matrix * expected;
    REQUIRE(lu.factor());
    lu.solve({x.data(), static_cast<std::size_t>(x.size())});
    CHECK((x - expected).norm() < 1e-13 * expected.norm());
  }
}

TEST_CASE("rigid islands: 1e-8 m/s by the judge at the default tolerance, both laws")
{
  Random random(5);
  int solved = 0, reached = 0;
  const auto check = [&](const ContactProblem& problem, FrictionLaw law) {
    ContactSolution solution;
    const NestedReport report = solve_by_default(problem, solution, law);
    const Residuals judged = measure(problem, solution, law);
    const bool good = judged.worst() <= 1e-8;
    CHECK(good == (report.inexact == 0));
    CHECK(report.ok() == (judged.worst() <= automatic_options().tolerance));
    CHECK(judged.cone_violation < 1e-12);
    ++solved;
    if (good) ++reached;
  };
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (const int boxes : {1, 2, 5, 12})
      for (const double ratio : {1.0, 1e3})
        for (const double agitation : {0.0, 0.3})
          for (const double restitution : {0.0, 0.5})
            for (const double mu : {0.0, 0.3, 1.0})
              check(stack_of_boxes({.boxes = boxes,
                                    .ratio = ratio,
                                    .agitation = agitation,
                                    .restitution = restitution,
                                    .mu = mu},
                                   random),
                    law);
    for (const int side : {2, 3})
      for (const int contacts : {1, 3})
        for (int k = 0; k < 3; ++k) check(cluster(side, contacts, 100.0, random), law);
  }
  CAPTURE(solved);
  CHECK(reached >= 0.95 * solved);
}

TEST_CASE("rigid islands: a light box carries one of 1e6 times its mass")
{
  Random random(7);
  for (const int contacts : {4, 8}) {
    ContactSolution solution;
    const ContactProblem problem =
        stack_of_boxes({.boxes = 2, .contacts = contacts, .ratio = 1e6}, random);
    const NestedReport report = solve_by_default(problem, solution);
    CHECK(report.inexact == 0);
    CHECK(report.residuals.worst() <= 1e-8);
  }
}

TEST_CASE("rigid islands: from the answer nothing moves, not even what the law leaves open")
{
  Random random(11);
  const ContactProblem problem = stack_of_boxes({.boxes = 6, .ratio = 50.0}, random);
  ContactSolution solution;
  solve_by_default(problem, solution);
  const VectorXd lambda = solution.lambda;
  const NestedReport again = solve_by_default(problem, solution);
  CHECK(again.factors == 0);
  CHECK(solution.lambda == lambda);
}

TEST_CASE("rigid islands: a small change of the problem is a small change of redundant impulses")
{
  // A box at rest on 8 points that carry it unevenly; all of them stick.
  Random random(13);
  ContactProblem problem = stack_of_boxes({.boxes = 1}, random);
  for (ContactRows& contact : problem.contacts) {
    contact.bias.setZero();
    contact.approach = 0.0;
  }
  ContactSolution solution;
  REQUIRE(solve_by_default(problem, solution).inexact == 0);
  const VectorXd before = solution.lambda;
  const double carried = before.norm();
  problem.v_star *= 1.0 + 1e-6;
  const NestedReport report = solve_by_default(problem, solution);
  CHECK(report.residuals.worst() <= 1e-8);
  CHECK((solution.lambda - before).norm() < 1e-4 * carried);
}

TEST_CASE("rigid islands: the same bits for any number of threads")
{
  Random random(17);
  const ContactProblem problem = cluster(3, 3, 10.0, random);
  std::vector<VectorXd> answers;
  for (const int threads : {1, 2, 4})
    with_threads(threads, [&] {
      ContactSolution solution;
      solve_by_default(problem, solution);
      answers.push_back(solution.lambda);
    });
  CHECK(answers[0] == answers[1]);
  CHECK(answers[0] == answers[2]);
}
