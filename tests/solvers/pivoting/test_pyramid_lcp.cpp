#include <doctest/doctest.h>

#include <contact/rigid_problems.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/pivoting/pyramid_lcp.hpp>

using namespace tact;

TEST_CASE("the dense LCP has n (d + 2) rows, and one for a contact without friction")
{
  ContactProblem problem = block_on_ground({1.0, 0.0, -1.0}, 0.5);
  problem.contacts[2].mu = 0.0;
  WhitenedProblem whitened;
  whitened.load(problem);
  for (const int d : {4, 8}) {
    const FrictionPyramid pyramid(d);
    PyramidLcp dense;
    dense.load(whitened, pyramid);
    CHECK(dense.lcp().size() == 3 * (d + 2) + 1);
    CHECK(kind(dense.lcp()) == LcpKind::lcp);
  }
}

TEST_CASE("an exact answer of the contact problem solves the dense LCP, joints included")
{
  Random random(3);
  for (int trial = 0; trial < 30; ++trial) {
    ContactProblem problem = small_problem(trial, random);
    if (trial % 5 == 0) {
      add_bilateral(problem, {.J_a = RowVector6d::Unit(5)});  // no turning about z
    }
    ContactSolution solution;
    REQUIRE(ConeLemke().solve(problem, solution).status == SolveStatus::converged);
    const FrictionPyramid pyramid(8);
    WhitenedProblem whitened;
    whitened.load(problem);
    PyramidLcp dense;
    dense.load(whitened, pyramid);
    // z = (theta, phi, lambda, beta) from the impulses, the least split and the largest slip.
    const int n = problem.size(), d = 8;
    VectorXd z = VectorXd::Zero(dense.lcp().size());
    const VectorXd u = contact_velocities(problem, solution.v);
    for (int c = 0; c < n; ++c) {
      z[c] = solution.lambda[3 * c];
      const PyramidSplit phi =
          split(pyramid, solution.lambda[3 * c + 1], solution.lambda[3 * c + 2]);
      z[n + d * c + phi.sector] = phi.first;
      z[n + d * c + pyramid.next(phi.sector)] += phi.second;
      const int x = pyramid.most_opposed(u[3 * c + 1], u[3 * c + 2]);
      z[n + d * n + c] =
          std::max(0.0, -pyramid.cos_d[x] * u[3 * c + 1] - pyramid.sin_d[x] * u[3 * c + 2]);
    }
    z.tail(solution.beta.size()) = solution.beta;
    CHECK(residual(dense.lcp(), z) < 1e-11 * dense.lcp().q.cwiseAbs().maxCoeff());

    VectorXd lambda, beta;
    std::vector<Twist> y;
    dense.read(z, lambda, beta, y);
    VectorXd v;
    whitened.unwhiten(y, v);
    CHECK((lambda - solution.lambda).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((v - solution.v).cwiseAbs().maxCoeff() < 1e-11);
  }
}
