#include <doctest/doctest.h>

#include <tact/lcp/complementary_basis.hpp>

#include "families.hpp"

namespace tact {

TEST_CASE("the basis of a planted solution gives that solution back")
{
  for (int seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 1 + random.below(30);
    const families::Planted planted =
        families::plant(families::unsymmetric(n, random), 0.0, random);
    BasisSolver solver;
    VectorXd z;
    CHECK(solver.solve(planted.problem, basis_of(planted.problem, planted.z), z) ==
          BasisSolver::Outcome::regular);
    CHECK((z - planted.z).lpNorm<Eigen::Infinity>() < 1e-13);  // condition below 100
  }
}

TEST_CASE("a consistent singular basis gives one of its points, an inconsistent one is told")
{
  LcpProblem problem{MatrixXd::Ones(2, 2), VectorXd::Constant(2, -1.0), {}, {}};
  const Basis both = {BasisSide::between, BasisSide::between};
  BasisSolver solver;
  VectorXd z;
  CHECK(solver.solve(problem, both, z) == BasisSolver::Outcome::singular);
  CHECK(z.sum() == doctest::Approx(1.0).epsilon(1e-14));
  problem.q[1] = -2.0;
  CHECK(solver.solve(problem, both, z) == BasisSolver::Outcome::inconsistent);
}

TEST_CASE("a block of zeros whose right side is zero as well gives zero, not a quotient of zeros")
{
  const LcpProblem problem{MatrixXd::Zero(2, 2), VectorXd::Zero(2), {}, {}};
  BasisSolver solver;
  VectorXd z;
  CHECK(solver.solve(problem, {BasisSide::between, BasisSide::between}, z) ==
        BasisSolver::Outcome::singular);
  CHECK(z == VectorXd::Zero(2));
}

TEST_CASE("variables without a bound start between, others at the bound they have")
{
  LcpProblem problem{MatrixXd::Identity(4, 4), VectorXd::Zero(4), VectorXd(4), VectorXd(4)};
  problem.lower << 1.0, -infinity, -infinity, -2.0;
  problem.upper << infinity, 3.0, infinity, 2.0;
  CHECK(default_basis(problem) ==
        Basis{BasisSide::lower, BasisSide::upper, BasisSide::between, BasisSide::lower});
  VectorXd expected(4);
  expected << 1.0, 3.0, 0.0, -2.0;
  CHECK(starting_point(problem, {}) == expected);

  LcpSolution warm;
  warm.z.resize(4);
  warm.z << 0.0, 2.0, 9.0, 5.0;
  expected << 1.0, 2.0, 9.0, 2.0;
  CHECK(starting_point(problem, warm) == expected);
  CHECK(basis_of(problem, expected) ==
        Basis{BasisSide::lower, BasisSide::between, BasisSide::between, BasisSide::upper});
}

}  // namespace tact
