#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <tact/lcp/lemke_path.hpp>

#include "families.hpp"

namespace tact {
namespace {

VectorXd z_of(const LemkePath& path)
{
  VectorXd z(path.size());
  for (int k = 0; k < path.size(); ++k) z[k] = path.z_value(k);
  return z;
}

double ones(int)
{
  return 1.0;
}

std::vector<bool> basis_of(const LemkePath& path)
{
  std::vector<bool> basic;
  for (int k = 0; k < path.size(); ++k) basic.push_back(path.z_is_basic(k));
  return basic;
}

}  // namespace

TEST_CASE("Murty 1978: with the covering vector (1, 2, 4, ...) the path visits 2^n bases")
{
  for (int n = 2; n <= 12; ++n) {
    CAPTURE(n);
    const LcpProblem problem = families::murty(n);
    LemkePath path;
    path.load(problem.M, problem.q);
    // The last row has no 2, so equilibration doubles it; its covering entry has to follow.
    const auto cover = [n](int r) { return std::exp2(r == n - 1 ? n : r); };
    CHECK(path.follow(cover, {.max_pivots = 10'000}) == SolveStatus::converged);
    CHECK(path.pivots() == 1 << n);
    CHECK((z_of(path) - VectorXd::Unit(n, n - 1)).norm() < 1e-12);  // round-off of 2^n pivots
  }
}

TEST_CASE("with all-one covering vector Murty's problem takes two pivots at any size")
{
  const LcpProblem problem = families::murty(50);
  LemkePath path;
  path.load(problem.M, problem.q);
  CHECK(path.follow(ones, {.max_pivots = 10'000}) == SolveStatus::converged);
  CHECK(path.pivots() == 2);
}

TEST_CASE("among ties the path goes where it goes for q + (eps, eps^2, ...)")
{
  // Small integers tie in most steps. 1e-3 is small against the entries of their tableaus, and its
  // fourth power well above the tolerance for ties.
  int compared = 0;
  for (int seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int n = 4;
    MatrixXd M(n, n);
    VectorXd q(n);
    for (int i = 0; i < n; ++i) {
      q[i] = random.below(3) - 2;
      for (int j = 0; j < n; ++j) M(i, j) = random.below(3) - (i == j ? 0 : 1);
    }
    VectorXd perturbed_q = q;
    for (int i = 0; i < n; ++i) perturbed_q[i] += std::pow(1e-3, i + 1);

    for (int pivots = 1; pivots < 20; ++pivots) {
      LemkePath path, perturbed;
      path.load(M, q);
      perturbed.load(M, perturbed_q);
      const LemkePath::Rules rules{.max_pivots = pivots, .end_tolerance = 0.0};
      if (path.follow(ones, rules) != SolveStatus::iteration_limit)
        break;  // z0 may win its ties from here
      perturbed.follow(ones, rules);
      CHECK(basis_of(path) == basis_of(perturbed));
      ++compared;
    }
  }
  CHECK(compared > 300);
}

TEST_CASE("the path stops on a ray, at the limit, or at once where q >= 0")
{
  const MatrixXd M = -MatrixXd::Identity(2, 2);
  LemkePath path;
  path.load(M, VectorXd::Constant(2, -1.0));  // -z - 1 >= 0 has no solution z >= 0
  CHECK(path.follow(ones, {.max_pivots = 100}) == SolveStatus::no_solution);

  path.load(M, VectorXd::Constant(2, 1.0));
  CHECK(path.follow(ones, {.max_pivots = 100}) == SolveStatus::converged);
  CHECK(path.pivots() == 0);
  CHECK(z_of(path) == VectorXd::Zero(2));

  Random random(1);
  const LcpProblem problem =
      families::plant(families::positive_definite(20, random), 0.0, random).problem;
  path.load(problem.M, problem.q);
  CHECK(path.follow(ones, {.max_pivots = 3}) == SolveStatus::iteration_limit);
  CHECK(path.pivots() == 3);
}

TEST_CASE("from any exchanged basis the path of a P-matrix leads to the same solution")
{
  for (int seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const families::Planted planted =
        families::plant(families::unsymmetric(15, random), 0.0, random);
    LemkePath path;
    path.load(planted.problem.M, planted.problem.q);
    path.exchange_some_pairs(random, 1000);
    CHECK(path.pivots() > 0);
    CHECK(path.follow(ones, {.max_pivots = 1000}) == SolveStatus::converged);
    CHECK((z_of(path) - planted.z).lpNorm<Eigen::Infinity>() < 1e-12);  // condition below 100
  }
}

}  // namespace tact
