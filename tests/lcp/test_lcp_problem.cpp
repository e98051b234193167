#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <tact/core/error.hpp>
#include <tact/lcp/lcp_problem.hpp>

namespace tact {
namespace {

LcpProblem three_by_three()
{
  return {MatrixXd::Identity(3, 3), VectorXd::Constant(3, -1.0), {}, {}};
}

std::string complaint(const LcpProblem& problem)
{
  try {
    validate(problem);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("the kind of a problem follows from its bounds alone")
{
  LcpProblem problem = three_by_three();
  CHECK(kind(problem) == LcpKind::lcp);
  problem.lower = VectorXd::Zero(3);
  problem.upper = VectorXd::Constant(3, infinity);
  CHECK(kind(problem) == LcpKind::lcp);
  problem.lower[1] = -infinity;
  CHECK(kind(problem) == LcpKind::mlcp);
  CHECK(problem.is_equation(1));
  problem.upper[2] = 5.0;
  CHECK(kind(problem) == LcpKind::blcp);
  problem.upper[2] = infinity;
  problem.lower[0] = -1.0;
  CHECK(kind(problem) == LcpKind::blcp);
  CHECK(name(LcpKind::lcp) == "lcp");
  CHECK(name(LcpKind::mlcp) == "mlcp");
  CHECK(name(LcpKind::blcp) == "blcp");
}

TEST_CASE("the residual of a plain row is |min(z, w)|, of an equation |w|, of a box the way back")
{
  LcpProblem problem{MatrixXd::Zero(1, 1), VectorXd::Zero(1), {}, {}};  // w = q
  const auto of = [&](double z, double w) {
    problem.q[0] = w;
    return residual(problem, VectorXd::Constant(1, z));
  };
  CHECK(of(2.0, 3.0) == 2.0);
  CHECK(of(3.0, 2.0) == 2.0);
  CHECK(of(-1.0, 5.0) == 1.0);
  CHECK(of(0.0, -0.5) == 0.5);
  CHECK(of(0.0, 7.0) == 0.0);
  CHECK(of(7.0, 0.0) == 0.0);

  problem.lower = VectorXd::Constant(1, -infinity);
  problem.upper = VectorXd::Constant(1, infinity);
  CHECK(of(100.0, -3.0) == 3.0);

  problem.lower[0] = -1.0;
  problem.upper[0] = 2.0;
  CHECK(of(-1.0, 4.0) == 0.0);   // at the lower end w may be positive
  CHECK(of(2.0, -4.0) == 0.0);   // at the upper end negative
  CHECK(of(2.0, 4.0) == 3.0);    // wants to go down, as far as the box is wide
  CHECK(of(0.5, 0.25) == 0.25);  // between it is to be zero
  CHECK(of(3.0, -1.0) == 1.0);   // out of the box
}

TEST_CASE("the residual does not lose a small w beside a large z")
{
  LcpProblem problem{MatrixXd::Zero(1, 1), VectorXd::Constant(1, 1e-12), {}, {}};
  CHECK(residual(problem, VectorXd::Constant(1, 1e9)) == 1e-12);
}

TEST_CASE("an answer that is not a number has an infinite residual")
{
  const LcpProblem problem = three_by_three();
  VectorXd z = VectorXd::Ones(3);
  CHECK(residual(problem, z) == 0.0);
  z[1] = std::nan("");
  CHECK(residual(problem, z) == infinity);
  z[1] = infinity;
  CHECK(residual(problem, z) == infinity);
}

TEST_CASE("an answer of the wrong length is refused")
{
  CHECK_THROWS_AS(residual(three_by_three(), VectorXd::Zero(2)), Error);
}

TEST_CASE("the two forms of residual agree, and one leaves w behind")
{
  LcpProblem problem = three_by_three();
  const VectorXd z = VectorXd::LinSpaced(3, 0.0, 2.0);
  VectorXd w;
  CHECK(residual(problem, z, w) == residual(problem, z));
  CHECK(w == z + problem.q);
}

TEST_CASE("the relative residual knows no units: rows and variables may be scaled as one likes")
{
  LcpProblem problem = three_by_three();
  problem.M(0, 1) = 0.5;
  VectorXd z(3);
  z << 1.0, 1e-3, 1.0 + 1e-6;
  // Row 1: w = -0.999 is far from what its terms, 1.001, should add up to.
  CHECK(relative_residual(problem, z) == doctest::Approx(0.999 / 1.001).epsilon(1e-12));
  problem.q[1] = 1.0;
  // Now z_1 is to go to 0: 5e-4 of the terms 2.0005 of row 0, and 1e-3 of the 1.001 of row 1. In
  // row 0 itself w = 5e-4.
  CHECK(relative_residual(problem, z) == doctest::Approx(1e-3 / 1.001).epsilon(1e-12));
  CHECK_FALSE(is_at_round_off(problem, z));
  const double before = relative_residual(problem, z);
  problem.M = Vector3d(1e10, 1.0, 1e-8).asDiagonal() * problem.M;
  problem.q = Vector3d(1e10, 1.0, 1e-8).cwiseProduct(Vector3d(problem.q));
  problem.M.col(1) *= 1e5;
  z[1] *= 1e-5;
  CHECK(relative_residual(problem, z) == doctest::Approx(before).epsilon(1e-12));
  z[0] = std::nan("");
  CHECK(relative_residual(problem, z) == infinity);
}

TEST_CASE("wrong problems are refused with what was found and what was expected")
{
  CHECK(complaint(three_by_three()).empty());
  CHECK(complaint({}).empty());

  LcpProblem problem = three_by_three();
  problem.M.resize(3, 4);
  CHECK(complaint(problem) == "LcpProblem: M is 3 x 4; expected a square matrix");

  problem = three_by_three();
  problem.q.setZero(4);
  CHECK(complaint(problem) == "LcpProblem: q has 4 entries but M is 3 x 3; expected one a row");

  problem = three_by_three();
  problem.M(1, 2) = std::nan("");
  CHECK(complaint(problem) == "LcpProblem: M(1, 2) is nan; expected a finite number");

  problem = three_by_three();
  problem.q[2] = -infinity;
  CHECK(complaint(problem) == "LcpProblem: q[2] is -inf; expected a finite number");

  problem = three_by_three();
  problem.lower.setZero(2);
  CHECK(complaint(problem) == "LcpProblem: lower has 2 entries; expected none or 3");

  problem = three_by_three();
  problem.upper = VectorXd::Constant(3, -1.0);
  CHECK(complaint(problem) ==
        "LcpProblem: variable 0 is to lie in [0, -1]; expected lower <= upper");

  problem = three_by_three();
  problem.upper = VectorXd::Constant(3, std::nan(""));
  CHECK_FALSE(complaint(problem).empty());
  problem.upper.resize(0);
  problem.lower = VectorXd::Constant(3, infinity);
  CHECK_FALSE(complaint(problem).empty());
}

}  // namespace tact
