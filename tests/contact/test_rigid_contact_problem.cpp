#include <doctest/doctest.h>

#include <limits>
#include <string>

#include <contact/rigid_problems.hpp>
#include <tact/core/error.hpp>

using namespace tact;

namespace {

std::string complaint(const RigidContactProblem& problem)
{
  try {
    validate(problem);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a sound problem is accepted, and so is one without bodies")
{
  Random random(1);
  for (int kind = 0; kind < 3; ++kind) CHECK(complaint(small_problem(kind, random)).empty());
  CHECK(complaint(RigidContactProblem{}).empty());
}

TEST_CASE("every kind of wrong input gets a message that names it")
{
  const RigidContactProblem good = block_on_ground({0, 0, -1}, 0.3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto broken = [&](auto change) {
    RigidContactProblem problem = good;
    change(problem);
    return complaint(problem);
  };
  const auto has = [](const std::string& text, const char* part) {
    INFO(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(broken([](auto& p) { p.v_star.resize(5); }), "v_star has 5 entries, expected 6");
  has(broken([&](auto& p) { p.v_star[2] = nan; }), "v_star is not finite");
  has(broken([](auto& p) { p.A[0](0, 1) = 0.5; }), "body 0: A is not symmetric");
  has(broken([](auto& p) { p.A[0](0, 0) = -2.0; }), "body 0: A is not positive definite");
  has(broken([&](auto& p) { p.A[0](3, 3) = nan; }), "body 0: A is not finite");
  has(broken([](auto& p) { p.contacts[1].body_a = 7; }), "contact 1: body_a is 7, expected 0 to 0");
  has(broken([](auto& p) { p.contacts[1].body_b = 3; }), "contact 1: body_b is 3");
  has(broken([](auto& p) { p.contacts[2].body_b = 0; }), "contact 2: both bodies are 0");
  has(broken([&](auto& p) { p.contacts[3].J_a(1, 1) = nan; }), "contact 3: J is not finite");
  has(broken([](auto& p) { p.contacts[0].mu = -0.1; }),
      "contact 0: mu is -0.1, expected a number >= 0");
  has(broken([](auto& p) { p.contacts[0].restitution = 1.5; }),
      "restitution is 1.5, expected 0 to 1");
  has(broken([&](auto& p) { p.contacts[0].approach = nan; }), "approach is not finite");
  has(broken([&](auto& p) { p.contacts[0].bias[0] = nan; }), "contact 0: bias is not finite");
  has(broken([](auto& p) { p.bilateral.push_back({.body_a = 9}); }),
      "bilateral row 0: body_a is 9");
}

TEST_CASE("power: impulses do the work u . lambda, so J and J' are adjoint")
{
  Random random(2);
  for (int kind = 0; kind < 3; ++kind) {
    RigidContactProblem problem = small_problem(kind, random);
    for (RigidContactRows& contact : problem.contacts) contact.bias.setZero();
    VectorXd v(6 * problem.bodies()), lambda(3 * problem.size());
    for (double& entry : v) entry = random.uniform(-1.0, 1.0);
    for (double& entry : lambda) entry = random.uniform(-1.0, 1.0);
    const double work = contact_velocities(problem, v).dot(lambda);
    const double power = v.dot(generalised_impulse(problem, {v, lambda, VectorXd()}));
    CHECK(work == doctest::Approx(power).epsilon(1e-12));
  }
}

TEST_CASE("restitution turns an approach into a bias, and leaves a separation alone")
{
  RigidContactRows contact;
  contact.restitution = 0.5;
  contact.approach = -2.0;
  CHECK(contact.effective_bias()[0] == -1.0);
  contact.approach = 2.0;
  CHECK(contact.effective_bias()[0] == 0.0);
}
