#include <cmath>

#include <doctest/doctest.h>

#include <solvers/cone/friction_cases.hpp>
#include <tact/contact/judge.hpp>
#include <tact/core/error.hpp>

using namespace tact;

TEST_CASE("the judge gives the natural map of a contact worked out by hand")
{
  // lambda = 0, q = (-3, 0, 4), mu = 1/2: u^ = (-1, 0, 4), -u^ = (1, 0, -4) is nearest to
  // (2.4, 0, -1.2) on the cone, of length 1.2 sqrt(5).
  const FrictionProblem problem = point_on_ground(0.5, VectorXd{{-3.0, 0.0, 4.0}}, 0.5);
  const Residuals found = measure(problem, VectorXd::Zero(3));
  const double e = 1.2 * std::sqrt(5.0);
  CHECK(found.natural == doctest::Approx(e).epsilon(1e-14));  // a cone: at 0 the weight cancels
  CHECK(found.rel_q == doctest::Approx(e / 5.0).epsilon(1e-14));
  CHECK(found.rel_max == doctest::Approx(e / 5.0).epsilon(1e-14));
  CHECK(found.penetration == 3.0);
  CHECK(found.cone_violation == 0.0);
}

TEST_CASE("rel_max divides by the largest of q, impulses and velocities")
{
  // A mass of 100 kg: lambda = 100 sticks and is exact but for 1 N s too much.
  const FrictionProblem problem = point_on_ground(100.0, VectorXd{{-1.0, 0.0}}, 0.5);
  CHECK(measure(problem, VectorXd{{100.0, 0.0}}).natural < 1e-15);
  const Residuals found = measure(problem, VectorXd{{101.0, 0.0}});
  CHECK(found.natural == doctest::Approx(0.01).epsilon(1e-12));  // u_n = 0.01
  CHECK(found.rel_q == doctest::Approx(0.01).epsilon(1e-12));
  CHECK(found.rel_max == doctest::Approx(0.01 / 101.0).epsilon(1e-12));
}

TEST_CASE("an impulse outside of its cone is told by how much, one that is no number as infinite")
{
  const FrictionProblem problem = point_on_ground(1.0, VectorXd{{-1.0, 0.0, 0.0}}, 0.5);
  CHECK(measure(problem, VectorXd{{1.0, 0.0, 0.75}}).cone_violation == 0.25);
  CHECK(measure(problem, VectorXd{{-0.5, 0.0, 0.0}}).cone_violation == 0.5);
  CHECK(std::isinf(measure(problem, VectorXd{{std::nan(""), 0.0, 0.0}}).rel_q));
  CHECK(std::isinf(measure(problem, VectorXd::Zero(2)).rel_max));
}

TEST_CASE("impulses that drown q in their rounding are no answer")
{
  // A body between two closing walls: W (1, 1) = 0, so any size of lambda gives u = q in exact
  // numbers, but u = 0 where lambda is large enough.
  MatrixXd W = MatrixXd::Identity(4, 4);
  W(0, 2) = W(2, 0) = -1.0;
  const FrictionProblem problem =
      friction_problem(2, W, VectorXd{{-1.0, 0.0, -1.0, 0.0}}, VectorXd::Zero(2));
  const VectorXd squeeze{{1.0, 0.0, 1.0, 0.0}};
  CHECK(measure(problem, squeeze).penetration == 1.0);
  CHECK(std::isinf(measure(problem, 1e17 * squeeze).rel_q));
}

TEST_CASE("where nothing moves and nothing presses all residuals are zero")
{
  const FrictionProblem problem = point_on_ground(1.0, VectorXd::Zero(3), 0.5);
  const Residuals found = measure(problem, VectorXd::Zero(3));
  CHECK(found.rel_q == 0.0);
  CHECK(found.rel_max == 0.0);
  CHECK(measure(FrictionProblem{3, {}, {}, {}}, VectorXd()).rel_q == 0.0);
}

TEST_CASE("a problem that cannot be one is refused with what was found")
{
  const FrictionProblem good = point_on_ground(1.0, VectorXd::Zero(3), 0.5);
  FrictionProblem bad = good;
  bad.dimension = 4;
  CHECK_THROWS_WITH_AS(validate(bad), doctest::Contains("dimension 4"), Error);
  bad = good;
  bad.q.conservativeResize(2);
  CHECK_THROWS_WITH_AS(validate(bad), doctest::Contains("found 2 entries in q, expected 3"), Error);
  bad = good;
  bad.mu[0] = -0.1;
  CHECK_THROWS_WITH_AS(validate(bad), doctest::Contains("mu[0] is -0.1"), Error);
  bad = good;
  bad.W.coeffRef(1, 1) = std::nan("");
  CHECK_THROWS_WITH_AS(validate(bad), doctest::Contains("W(1, 1)"), Error);
}
