// The general contact problem, its judge and its laws of friction.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <contact/problem_builder.hpp>
#include <tact/contact/diagonal_blocks.hpp>
#include <tact/contact/judge.hpp>
#include <tact/contact/rigid_bodies.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>

using namespace tact;

namespace {

Vector3d random_vector(Random& random)
{
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}

// A point mass of 2 kg over the ground.
ContactProblem point_on_ground(const Vector3d& velocity, double mu)
{
  ProblemBuilder builder;
  builder.gravity.setZero();
  const int point = builder.add(
      ProblemBuilder::Lattice{.places = {{0.0, 0.0, 0.0}}, .mass = 2.0, .velocity = velocity});
  builder.add({.supports = {{.node = point}}, .mu = mu});
  return builder.build();
}

}  // namespace

TEST_CASE("the projection on a cone is the nearest point: it leaves the polar cone's part")
{
  // z = p + (z - p) with p in K, z - p in the polar cone, and both at right angles (Moreau).
  Random random(5);
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (int trial = 0; trial < 500; ++trial) {
      const double mu = trial % 5 == 0 ? 0.0 : random.uniform(0.05, 1.5);
      const Vector3d z = random_vector(random);
      const Vector3d p = project_on_cone<3>(z, mu, law);
      const Vector3d rest = p - z;  // in the dual cone
      CHECK(cone_violation<3>(p, mu, law) <= 1e-15);
      CHECK(std::abs(p.dot(rest)) < 1e-14);
      CHECK(rest[0] - de_saxce_shift<3>(rest, mu, law) >= -1e-14);
      if (mu == 0.0) CHECK(p.tail<2>().norm() == 0.0);
    }
  }
}

TEST_CASE("the natural map is zero for open, sticking and sliding contacts, and only there")
{
  const double mu = 0.5, w = 0.7;
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    const auto map = [&](const Vector3d& u, const Vector3d& lambda) {
      return natural_map<3>(u, lambda, mu, w, law).norm();
    };
    CHECK(map({0.3, 1.0, 2.0}, {0.0, 0.0, 0.0}) == 0.0);                    // open
    CHECK(map({0.0, 0.0, 0.0}, {1.0, 0.3, -0.2}) < 1e-15);                  // sticking
    CHECK(map({0.0, 2.0, 0.0}, {1.0, -0.5, 0.0}) < 1e-15);                  // sliding
    CHECK(map({-0.1, 0.0, 0.0}, {0.0, 0.0, 0.0}) == doctest::Approx(0.1));  // approaching
    CHECK(map({0.0, 2.0, 0.0}, {1.0, 0.5, 0.0}) > 0.1);                     // friction that drives
    CHECK(map({0.0, 2.0, 0.0}, {1.0, -0.4, 0.0}) > 0.01);                   // less than mu lambda_n
    CHECK(map({0.2, 0.0, 0.0}, {1.0, 0.0, 0.0}) > 0.1);                     // force at a distance
  }
  // Sliding along the diagonal: the disc has |lambda_T| = mu lambda_n, the square its corner.
  const double r = 0.5 * std::sqrt(0.5);
  const auto sliding = [&](double t, FrictionLaw law) {
    return natural_map<3>({0.0, 1.0, 1.0}, {1.0, -t, -t}, mu, w, law).norm();
  };
  CHECK(sliding(r, FrictionLaw::disc) < 1e-15);
  CHECK(sliding(0.5, FrictionLaw::pyramid) < 1e-15);
  CHECK(sliding(r, FrictionLaw::pyramid) > 0.01);
}

TEST_CASE("the judge on a point mass: every figure by hand")
{
  const ContactProblem problem = point_on_ground({3.0, 0.0, -1.0}, 0.5);  // 2 kg
  // Stopped by 2 N s, slowed by friction mu 2 N s = 1 N s, which is 0.5 m/s.
  const Matrix3d F = problem.blocks[0].J;
  ContactSolution right;
  right.lambda = F * Vector3d(-1.0, 0.0, 2.0);
  right.v = Vector3d(2.5, 0.0, 0.0);
  const Residuals good = measure(problem, right);
  CHECK(good.worst() < 1e-15);
  CHECK(good.active == 1);
  CHECK(good.cone_violation < 1e-15);

  ContactSolution untouched{.v = problem.v_star, .lambda = VectorXd::Zero(3)};
  const Residuals free = measure(problem, untouched);
  CHECK(free.penetration == doctest::Approx(1.0));
  CHECK(free.momentum == 0.0);
  CHECK(free.momentum_relative == 0.0);

  ContactSolution unbalanced = right;
  unbalanced.v[0] += 0.1;  // 0.2 N s without a cause
  const Residuals moved = measure(problem, unbalanced);
  CHECK(moved.momentum == doctest::Approx(0.1));
  CHECK(moved.momentum_relative == doctest::Approx(0.2 / std::sqrt(5.0)));

  ContactSolution outside = right;
  outside.lambda *= std::nan("");
  CHECK(std::isinf(measure(problem, outside).worst()));
  CHECK(std::isinf(measure(problem, {}).worst()));
}

TEST_CASE("the judge sees a stiff mesh drift as a whole, where single nodes hide it")
{
  // Two nodes of 10 g, coupled by 1e6 N/m: dt^2 k is 10,000 times their mass.
  ProblemBuilder builder;
  const int first =
      builder.add(ProblemBuilder::Lattice{.places = {Vector3d::Zero(), {0.1, 0.0, 0.0}},
                                          .pairs = {{0, 1}},
                                          .mass = 0.01,
                                          .stiffness = 1e6,
                                          .sideways = 1.0});
  builder.add({.supports = {{.node = first}}, .mu = 0.0});
  const ContactProblem problem = builder.build();
  ContactSolution drift{.v = problem.v_star, .lambda = VectorXd::Zero(3)};
  for (int node = 0; node < 2; ++node) drift.v[3 * node] += 0.1;  // nothing pushes it
  CHECK(measure(problem, drift).momentum == doctest::Approx(0.1).epsilon(1e-9));
  // Against the diagonal block the same error of a node is 0.1 / sqrt(1 + 1e4) m/s.
  drift.v = problem.v_star + Vector6d(0.1, 0.0, 0.0, -0.1, 0.0, 0.0) / 2e4;  // about the same r
  CHECK(measure(problem, drift).momentum < 2e-3);
}

TEST_CASE("contacts that stand by do not dilute the residual, nor components without contacts")
{
  ProblemBuilder builder;
  const int touching = builder.add(ProblemBuilder::Lattice{.places = {{0.0, 0.0, 0.0}}});
  builder.add({.supports = {{.node = touching}}});
  ContactProblem alone = builder.build();
  const int far = builder.add(net(5, 0.1, 10.0));
  builder.add(net(5, 0.1, 20.0));
  for (int k = 0; k < 25; ++k) builder.add({.supports = {{.node = far + k}}, .gap = 10.0});
  const ContactProblem crowded = builder.build();
  const ContactSolution a{.v = alone.v_star, .lambda = VectorXd::Zero(3)};
  const ContactSolution b{.v = crowded.v_star, .lambda = VectorXd::Zero(3 * crowded.size())};
  CHECK(measure(alone, a).natural == doctest::Approx(measure(crowded, b).natural));
}

TEST_CASE("D^-1 of a rigid body is 6 x 6: the response of a corner turns the body")
{
  const ContactProblem problem = block_on_slope(0.0, 0.5);
  DiagonalBlocks D;
  REQUIRE(D.load(problem));
  for (int c = 0; c < problem.size(); ++c) {
    const Matrix36d J = body_rows(problem, problem.contacts[c]).J_a;
    const double expected = (J * body_matrix(problem, 0).inverse() * J.transpose()).trace() / 3.0;
    CHECK(response(problem, D, problem.contacts[c]) == doctest::Approx(expected).epsilon(1e-14));
  }
}

TEST_CASE("rigid bodies are taken apart into 6 x 6 blocks and put together again without loss")
{
  const ContactProblem problem = box_stack(3, 0.4);
  REQUIRE(only_rigid_bodies(problem));
  ContactProblem again;
  for (int b = 0; b < problem.components(); ++b)
    add_rigid_body(again, body_matrix(problem, b), problem.v_star.segment<6>(6 * b));
  for (const ContactRows& contact : problem.contacts)
    add_contact(again, body_rows(problem, contact), contact);
  CHECK(again.rigid == problem.rigid);
  CHECK(again.v_star == problem.v_star);
  const VectorXd v = VectorXd::LinSpaced(problem.v_star.size(), -1.0, 2.0);
  CHECK(contact_velocities(again, v) == contact_velocities(problem, v));
  VectorXd A_v, again_v;
  multiply(problem, v, A_v);
  multiply(again, v, again_v);
  CHECK(A_v == again_v);
  CHECK_FALSE(only_rigid_bodies(net_on_ground(3, 0.1)));
  CHECK_FALSE(only_rigid_bodies(mixed_pile(0.1)));
}

TEST_CASE("J and J' are transposed to each other")
{
  const ContactProblem problem = mixed_pile(0.5);
  Random random(7);
  VectorXd v(problem.v_star.size()), lambda(3 * problem.size());
  for (double& x : v) x = random.uniform(-1.0, 1.0);
  for (double& x : lambda) x = random.uniform(-1.0, 1.0);
  const VectorXd zero = VectorXd::Zero(v.size());
  const double one = lambda.dot(contact_velocities(problem, v) - contact_velocities(problem, zero));
  CHECK(one == doctest::Approx(generalised_impulse(problem, lambda).dot(v)).epsilon(1e-12));
}

TEST_CASE("problems that make no sense are refused, with what and where")
{
  const ContactProblem good = mixed_pile(0.5);
  CHECK_NOTHROW(validate(good));
  const auto complaint = [&](auto&& change) -> std::string {
    ContactProblem bad = good;
    change(bad);
    try {
      validate(bad);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto says = [](const std::string& text, const char* part) {
    INFO(text);
    return text.find(part) != std::string::npos;
  };
  const double nan = std::nan("");
  CHECK(says(complaint([](auto& p) { p.v_star.conservativeResize(3); }), "v_star has 3 entries"));
  CHECK(says(complaint([&](auto& p) { p.v_star[4] = nan; }), "v_star is not finite"));
  CHECK(says(complaint([&](auto& p) { p.A[1].blocks[3](0, 0) = nan; }), "component 1: A is not f"));
  CHECK(says(complaint([](auto& p) { p.A[0].blocks[1](0, 1) += 1.0; }), "not symmetric in block"));
  CHECK(says(complaint([](auto& p) { p.A[0].blocks[0] *= -1.0; }), "not positive definite"));
  CHECK(says(complaint([](auto& p) { p.A[0].blocks.pop_back(); }), "blocks, expected"));
  CHECK(says(complaint([](auto& p) { p.rigid[0] += 1; }), "rigid body at node"));
  CHECK(says(complaint([](auto& p) { p.rigid[0] = 35; }), "needs two nodes"));
  CHECK(says(complaint([](auto& p) { p.blocks[0].node = 999; }), "contact 0: node is 999"));
  CHECK(says(complaint([](auto& p) { p.blocks[40].node = p.blocks[41].node; }), "stands twice"));
  CHECK(says(complaint([&](auto& p) { p.blocks[0].J(1, 1) = nan; }), "J is not finite"));
  CHECK(says(complaint([](auto& p) { p.contacts[2].mu = -0.1; }), "contact 2: mu is -0.1"));
  CHECK(says(complaint([](auto& p) { p.contacts[2].restitution = 1.5; }), "restitution is 1.5"));
  CHECK(says(complaint([&](auto& p) { p.contacts[2].bias[0] = nan; }), "bias is not finite"));
  CHECK(says(complaint([&](auto& p) { p.contacts[2].approach = nan; }), "approach is not finite"));
  CHECK(says(complaint([](auto& p) { p.contacts[2].count = 0; }), "at least one"));
}
