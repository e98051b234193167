// Contacts with held bodies, several at a time and one at a time.
#include <numeric>

#include <doctest/doctest.h>

#include <tact/contact/law_lanes.hpp>
#include <tact/core/random.hpp>
#include <tact/samples/coupled_families.hpp>
#include <tact/solvers/coupling/body_newton.hpp>

namespace tact {
namespace {

struct LocalCase {
  Matrix3d S;
  Vector3d u_0, guess;
  double mu;
};

// Open and closed, sticking and sliding, with and without friction; S up to a condition of
// about 30.
LocalCase random_case(Random& random)
{
  LocalCase local;
  Matrix3d G;
  for (int i = 0; i < 9; ++i) G(i / 3, i % 3) = random.uniform(-0.5, 0.5);
  local.S = 0.3 * Matrix3d::Identity() + G * G.transpose();
  local.u_0 = random.in_cube(1.0) - Vector3d(0.4, 0.0, 0.0);
  local.mu = random.below(4) == 0 ? 0.0 : random.uniform(0.05, 1.0);
  local.guess = clamp_to_cone(random.in_cube(1.0), local.mu, FrictionLaw::disc);
  return local;
}

struct HeldAnswer {
  VectorXd lambda;
  int sweeps = 0;
};

HeldAnswer solve_held(const ContactProblem& contact_problem, FrictionLaw law, bool lanes,
                      int max_sweeps)
{
  DiagonalBlocks D;
  REQUIRE(D.load(contact_problem));
  std::vector<int> all(contact_problem.size());
  std::iota(all.begin(), all.end(), 0);
  CoupledProblem problem;
  REQUIRE(problem.load(contact_problem, D, all));
  REQUIRE(BodyNewton::applies(problem));
  CompactRows rows;
  rows.load(problem, law);
  BodyNewton newton;
  newton.use_lanes = lanes;
  newton.load(problem);
  HeldAnswer answer{.lambda = VectorXd::Zero(3 * problem.size())};
  const VectorXd w = VectorXd::Zero(problem.response_size());
  answer.sweeps = newton.solve(rows, 1e-9, max_sweeps, answer.lambda, w);
  return answer;
}

}  // namespace

TEST_CASE("contacts in lanes have the impulses and derivatives of contacts one at a time")
{
  Random random(11);
  int open = 0, pressed = 0;
  for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
    for (int group = 0; group < 100; ++group) {
      LocalCase cases[lane_width];
      LocalLanes lanes{.u_0 = {}, .S = {}, .mu = {}, .law = law};
      LaneTuple<3> lambda;
      for (int k = 0; k < lane_width; ++k) {
        cases[k] = random_case(random);
        const Matrix3d& S = cases[k].S;
        const double entries[6] = {S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(0, 2), S(1, 2)};
        for (int i = 0; i < 6; ++i) lanes.S[i][k] = entries[i];
        for (int i = 0; i < 3; ++i) {
          lanes.u_0[i][k] = cases[k].u_0[i];
          lambda[i][k] = cases[k].u_0[0] >= 0.0 ? 0.0 : cases[k].guess[i];
        }
        lanes.mu[k] = cases[k].mu;
      }
      const LaneMask none = lanes.u_0[0] >= 0.0;
      lambda = solve_locally(lanes, lambda, none);
      const LaneTuple<9> H = differentiate_locally(lanes, lambda, none);
      for (int k = 0; k < lane_width; ++k) {
        const auto& [S, u_0, guess, mu] = cases[k];
        Vector3d expected = Vector3d::Zero();
        Matrix3d expected_H = Matrix3d::Zero();
        if (u_0[0] < 0.0) {
          const OwnResponse own(S);
          expected = solve_locally(u_0, own, guess, mu, law);
          const Vector3d u = u_0 + S * expected;
          expected_H = differentiate_locally(u, S, own.steps(), expected, mu, law).H;
        }
        ++(u_0[0] < 0.0 ? pressed : open);
        // Both stop where a pass changes less than 1e-13; the condition of S is some ten.
        for (int i = 0; i < 3; ++i) CHECK(std::abs(lambda[i][k] - expected[i]) <= 1e-11);
        for (int i = 0; i < 9; ++i) {
          CHECK(std::abs(H[i][k] - expected_H(i / 3, i % 3)) <= 1e-9 * (1.0 + expected_H.norm()));
        }
      }
    }
  }
  CHECK(open > 100);
  CHECK(pressed > 100);
}

TEST_CASE("Newton's method with contacts in lanes makes the iterates of contacts one by one")
{
  const ContactProblem problems[] = {
      pressed_body({.contacts = 203}), pressed_body({.contacts = 64, .mass_ratio = 1.0}),
      pressed_body({.contacts = 90, .mu = 0.0}), pressed_body({.contacts = 5}),
      bodies_on_mat({.contacts = 330})};
  for (const ContactProblem& problem : problems) {
    for (const FrictionLaw law : {FrictionLaw::disc, FrictionLaw::pyramid}) {
      for (const int sweeps : {1, 2, 4, 40}) {
        const HeldAnswer lanes = solve_held(problem, law, true, sweeps);
        const HeldAnswer alone = solve_held(problem, law, false, sweeps);
        CHECK(lanes.sweeps == alone.sweeps);
        const double size = alone.lambda.lpNorm<Eigen::Infinity>();
        CHECK(size > 0.0);
        // Sums in another order, through a few Newton steps.
        CHECK((lanes.lambda - alone.lambda).lpNorm<Eigen::Infinity>() <= 1e-9 * size);
      }
    }
  }
}

}  // namespace tact
