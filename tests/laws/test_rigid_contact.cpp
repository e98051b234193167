// Laws of rigid contact with closed forms, for every exact solver.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include <contact/rigid_problems.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>

using namespace tact;

namespace {

constexpr double g = 9.81, dt = 0.01;

const char* const solvers[] = {"lemke-cone", "lemke-reduced", "lemke-structural", "lemke-standard"};

ContactSolution solve(const ContactProblem& problem, const char* solver)
{
  ContactSolution solution;
  REQUIRE(solve_rigid_contact(problem, solution, solver).ok());
  return solution;
}

// A block on a slope, seen in the frame of the slope: gravity is tilted along the first tangent.
ContactProblem block_on_slope(double angle, double mu)
{
  ContactProblem problem = block_on_ground({0, 0, 0}, mu);
  problem.v_star.head<3>() = g * dt * Vector3d(std::sin(angle), 0.0, -std::cos(angle));
  return problem;
}

}  // namespace

TEST_CASE("Coulomb: a block slides down a slope exactly when tan(angle) > mu")
{
  const double mu = 0.5;
  for (const char* solver : solvers) {
    for (const double angle :
         {0.30, 0.45, 0.4636, 0.4637, 0.48, 0.70}) {  // rad; atan(mu) = 0.46365
      CAPTURE(solver);
      CAPTURE(angle);
      const ContactSolution solution = solve(block_on_slope(angle, mu), solver);
      const double expected = std::max(0.0, g * dt * (std::sin(angle) - mu * std::cos(angle)));
      CHECK(solution.v[0] == doctest::Approx(expected).epsilon(1e-9));
      CHECK(std::abs(solution.v[2]) < 1e-12);
    }
  }
}

TEST_CASE("contact k of a stack carries the weight above it")
{
  for (const char* solver : solvers) {
    CAPTURE(solver);
    RigidContactBuilder builder;
    const int bodies = 6;
    for (int k = 0; k < bodies; ++k) {
      const double mass = 1.0 + k;
      builder.add_body({.mass = mass,
                        .inertia = box_inertia(mass, {1, 1, 0.5}),
                        .centre = {0.0, 0.0, 0.5 * k + 0.25},
                        .impulse = {0.0, 0.0, -mass * g * dt}});
      for (const double x : {-0.5, 0.5}) {
        for (const double y : {-0.5, 0.5}) {
          builder.add_contact({.body_a = k, .body_b = k - 1, .point = {x, y, 0.5 * k}, .mu = 0.4});
        }
      }
    }
    const ContactProblem problem = builder.build();
    const ContactSolution solution = solve(problem, solver);
    for (int k = 0; k < bodies; ++k) {
      double carried = 0.0, above = 0.0;
      for (int c = 4 * k; c < 4 * k + 4; ++c) carried += solution.lambda[3 * c];
      for (int b = k; b < bodies; ++b) above += problem.A[b].blocks[0](0, 0) * g * dt;
      CHECK(carried == doctest::Approx(above).epsilon(1e-10));
    }
    CHECK(solution.v.cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("Newton: a ball bounces with its coefficient of restitution")
{
  for (const char* solver : solvers) {
    for (const double e : {0.0, 0.3, 1.0}) {
      RigidContactBuilder builder;
      builder.add_body({.inertia = ball_inertia(1.0, 0.1), .velocity = {0, 0, -2.0}});
      builder.add_contact({.point = {0, 0, -0.1}, .mu = 0.2});
      ContactProblem problem = builder.build();
      problem.contacts[0].restitution = e;
      problem.contacts[0].approach = -2.0;
      CHECK(solve(problem, solver).v[2] == doctest::Approx(2.0 * e).epsilon(1e-12));
    }
  }
}

TEST_CASE("momentum: two bodies that collide keep their sum")
{
  for (const char* solver : solvers) {
    RigidContactBuilder builder;
    builder.add_body({.mass = 3.0,
                      .inertia = ball_inertia(3.0, 1.0),
                      .centre = {1, 0, 0},
                      .velocity = {-1.0, 0.4, 0.0},
                      .angular_velocity = {0, 0, 2.0}});
    builder.add_body({.mass = 1.0,
                      .inertia = ball_inertia(1.0, 1.0),
                      .centre = {-1, 0, 0},
                      .velocity = {2.0, 0.0, 0.5}});
    builder.add_contact({.body_a = 0, .body_b = 1, .normal = Vector3d::UnitX(), .mu = 0.3});
    const ContactSolution solution = solve(builder.build(), solver);
    const Vector3d before = 3.0 * Vector3d(-1.0, 0.4, 0.0) + Vector3d(2.0, 0.0, 0.5);
    const Vector3d after = 3.0 * solution.v.segment<3>(0) + solution.v.segment<3>(6);
    CHECK((after - before).norm() < 1e-13);
    // Plastic: they move together along the normal.
    CHECK(solution.v[0] == doctest::Approx(solution.v[6]).epsilon(1e-12));
  }
}

TEST_CASE("energy: inelastic contact never adds any")
{
  Random random(9);
  for (int trial = 0; trial < 60; ++trial) {
    const ContactProblem problem = small_problem(trial, random);
    const auto energy = [&](const VectorXd& v) {
      VectorXd momentum;
      multiply(problem, v, momentum);
      return 0.5 * v.dot(momentum);
    };
    for (const char* solver : solvers) {
      CHECK(energy(solve(problem, solver).v) <= energy(problem.v_star) * (1.0 + 1e-12));
    }
  }
}

TEST_CASE("a conveyor belt drags a block by mu g dt, and no faster than itself")
{
  for (const char* solver : solvers) {
    for (const double belt : {0.02, 5.0}) {  // m/s; mu g dt = 0.049 m/s
      ContactProblem problem = block_on_ground({0, 0, -g * dt}, 0.5, {belt, 0.0, 0.0});
      CHECK(solve(problem, solver).v[0] ==
            doctest::Approx(std::min(belt, 0.5 * g * dt)).epsilon(1e-9));
    }
  }
}

TEST_CASE(
    "a ball pushed into a groove rolls or slips as friction allows, and both walls push alike")
{
  RigidContactBuilder builder;
  builder.add_body({.inertia = ball_inertia(1.0, 1.0), .impulse = {0, 0, -1}});
  const double half = std::numbers::pi / 4;
  for (const double side : {-1.0, 1.0}) {
    const Vector3d normal(side * std::sin(half), 0.0, std::cos(half));
    builder.add_contact({.point = -normal, .normal = normal, .mu = 0.0});
  }
  for (const char* solver : solvers) {
    const ContactSolution solution = solve(builder.build(), solver);
    // Two normals at 45 degrees share 1 N s: each 1 / (2 cos 45).
    CHECK(solution.lambda[0] == doctest::Approx(std::sqrt(0.5)).epsilon(1e-12));
    CHECK(solution.lambda[3] == doctest::Approx(std::sqrt(0.5)).epsilon(1e-12));
  }
}
