// Rows of rigid bodies in a contact problem: joints beside contacts.
#include <doctest/doctest.h>

#include <limits>
#include <string>

#include <contact/rigid_problems.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>

using namespace tact;

namespace {

std::string complaint(const ContactProblem& problem)
{
  try {
    validate(problem);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A body of 1 kg that flies at 1 m/s, with a row that drives it along x.
ContactProblem driven_body(const BilateralRow& row)
{
  RigidContactBuilder builder;
  builder.add_body({.velocity = {1.0, 0.0, 0.0}});
  ContactProblem problem = builder.build();
  add_bilateral(problem, {.J_a = RowVector6d::Unit(0)}, row);
  return problem;
}

// Of the body after the impulse beta.
Residuals judged(const ContactProblem& problem, double beta)
{
  ContactSolution solution{problem.v_star, VectorXd(), VectorXd::Constant(1, beta)};
  solution.v[0] += beta;
  return measure(problem, solution);
}

}  // namespace

TEST_CASE("a sound problem is accepted, and so is one without bodies")
{
  Random random(1);
  for (int kind = 0; kind < 3; ++kind) CHECK(complaint(small_problem(kind, random)).empty());
  CHECK(complaint(ContactProblem{}).empty());
}

TEST_CASE("every kind of wrong bilateral row gets a message that names it")
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [](auto change, const char* words) {
    ContactProblem problem = driven_body({});
    change(problem);
    INFO(complaint(problem));
    CHECK(complaint(problem).find(words) != std::string::npos);
  };
  check([](auto& p) { p.bilateral[0].count = 0; }, "bilateral row 0: blocks 0 to -1");
  check([](auto& p) { p.bilateral[0].first = 1; }, "bilateral row 0: blocks 1 to 2");
  check([](auto& p) { p.bilateral_blocks[1].node = 7; }, "node is 7, expected 0 to 1");
  check([](auto& p) { p.bilateral_blocks[1].node = 0; }, "node 0 stands twice");
  check([&](auto& p) { p.bilateral_blocks[0].J[1] = nan; }, "J is not finite");
  check([&](auto& p) { p.bilateral[0].bias = nan; }, "bias is not finite");
  check([](auto& p) { p.bilateral[0].lower = 1.0, p.bilateral[0].upper = 0.5; },
        "limits 1 and 0.5");
  check([&](auto& p) { p.bilateral[0].upper = nan; }, "limits");
}

TEST_CASE("power: impulses do the work u . lambda + w . beta, so rows and impulses are adjoint")
{
  Random random(2);
  for (int kind = 0; kind < 3; ++kind) {
    ContactProblem problem = small_problem(kind, random);
    for (ContactRows& contact : problem.contacts) contact.bias.setZero();
    add_bilateral(problem, {.J_a = RowVector6d::LinSpaced(-1.0, 1.0)});
    VectorXd v(problem.v_star.size()), lambda(3 * problem.size());
    for (double& entry : v) entry = random.uniform(-1.0, 1.0);
    for (double& entry : lambda) entry = random.uniform(-1.0, 1.0);
    const double beta = random.uniform(-1.0, 1.0);
    VectorXd impulse = generalised_impulse(problem, lambda);
    add_bilateral_impulse(problem, VectorXd::Constant(1, beta), impulse);
    const double work = contact_velocities(problem, v).dot(lambda) +
                        beta * bilateral_velocity(problem, problem.bilateral[0], v);
    CHECK(work == doctest::Approx(v.dot(impulse)).epsilon(1e-12));
  }
}

TEST_CASE("without limits a row is an equation, judged by how far it is missed")
{
  const ContactProblem held = driven_body({});
  CHECK(judged(held, -1.0).worst() < 1e-15);
  CHECK(judged(held, -0.75).bilateral == doctest::Approx(0.25));
}

TEST_CASE("a motor drives at its speed, or pushes as hard as it can")
{
  // It is to move at 3 m/s, 2 m/s more than it does: an impulse of 2 N s.
  const ContactProblem strong = driven_body({.bias = -3.0, .lower = -5.0, .upper = 5.0});
  CHECK(judged(strong, 2.0).worst() < 1e-15);
  CHECK(judged(strong, 1.9).bilateral == doctest::Approx(0.1));
  const ContactProblem weak = driven_body({.bias = -3.0, .lower = -0.5, .upper = 0.5});
  CHECK(judged(weak, 0.5).worst() < 1e-15);
  CHECK(judged(weak, 0.0).bilateral == doctest::Approx(0.5));  // it could push harder
  CHECK(judged(weak, 2.0).bilateral == doctest::Approx(1.5));  // it cannot push so hard
}

TEST_CASE("a limit of a joint pushes one way only")
{
  const ContactProblem leaving = driven_body({.lower = 0.0});
  CHECK(judged(leaving, 0.0).worst() == 0.0);
  CHECK(judged(leaving, -1.0).bilateral == doctest::Approx(1.0));  // it does not pull
}

TEST_CASE("dry friction of a joint brakes by as much as it can, and holds what that stops")
{
  const ContactProblem slow = driven_body({.lower = -0.25, .upper = 0.25});
  CHECK(judged(slow, -0.25).worst() < 1e-15);
  CHECK(judged(slow, 0.25).bilateral == doctest::Approx(0.5));  // the wrong way
  const ContactProblem stopped = driven_body({.lower = -2.0, .upper = 2.0});
  CHECK(judged(stopped, -1.0).worst() < 1e-15);
}

TEST_CASE("restitution turns an approach into a bias, and leaves a separation alone")
{
  ContactRows contact;
  contact.restitution = 0.5;
  contact.approach = -2.0;
  CHECK(contact.effective_bias()[0] == -1.0);
  contact.approach = 2.0;
  CHECK(contact.effective_bias()[0] == 0.0);
}
