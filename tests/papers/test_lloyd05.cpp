// [Lloyd05]: the problem families of its Sec. VII, and the stress set, for all methods.
#include <doctest/doctest.h>

#include <string>

#include <contact/rigid_problems.hpp>
#include <tact/contact/judge.hpp>
#include <tact/solvers/pivoting/lemke_cone.hpp>
#include <tact/solvers/pivoting/lemke_structured.hpp>
#include <tact/solvers/pivoting/rigid_solvers.hpp>

using namespace tact;

namespace {

constexpr double exact = 1e-9;  // shared residual

// Problems of a batch that `solve` (problem, solution) leaves above the residual.
template <class Solve>
int unsolved(const ContactBatch& batch, const Solve& solve)
{
  const FrictionPyramid pyramid(batch.directions);
  int count = 0;
  for (int i = 0; i < batch.instances; ++i) {
    const ContactProblem problem = batch.instance(i);
    ContactSolution solution;
    solve(problem, solution);
    if (!(measure(problem, solution, pyramid).worst() <= exact)) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("families have the sizes of the paper, and the same problem for the same seed")
{
  for (const ContactBatch& batch : lloyd_batches()) {
    const ContactProblem problem = batch.instance(3), again = batch.instance(3);
    validate(problem);
    CHECK(problem.v_star == again.v_star);
    CHECK(problem.v_star != batch.instance(4).v_star);
    for (const ContactRows& contact : problem.contacts) {
      CHECK(contact.mu >= 0.2);
      CHECK(contact.mu <= 0.3);
    }
  }
  Random random(1);
  const int counts[] = {1, 2, 3, 4, 4, 6, 8, 10, 12, 16};
  for (int s = 0; s < single_body_situations; ++s)
    CHECK(single_body(s, random).size() == counts[s]);
  CHECK(block_stack(5, 32, random).size() == 32);
  CHECK_THROWS(block_stack(5, 33, random));
  CHECK_THROWS(block_stack(2, 16, random));
  CHECK_THROWS(peg_in_hole(5, random));
}

TEST_CASE("cone solves every problem of every family, up to n = 256 and m = 20")
{
  for (const ContactBatch& batch : lloyd_batches()) {
    CAPTURE(batch.name);
    ConeLemke solver({.directions = batch.directions});
    CHECK(unsolved(batch, [&](const auto& p, auto& s) { solver.solve(p, s); }) == 0);
  }
}

TEST_CASE("structural and reduced solve every problem at the paper's sizes")
{
  for (const bool reduced : {false, true}) {
    for (const ContactBatch& batch : lloyd_batches()) {
      if (!batch.in_paper) continue;
      CAPTURE(reduced);
      CAPTURE(batch.name);
      StructuredLemke solver({.reduced = reduced, .directions = batch.directions});
      CHECK(unsolved(batch, [&](const auto& p, auto& s) { solver.solve(p, s); }) == 0);
    }
  }
}

TEST_CASE(
    "pivots: cone needs about as many for 256 contacts as for 8, structural thirty times as many")
{
  const auto pivots = [](int n, auto&& solve) {
    Random random(5);
    int sum = 0;
    for (int i = 0; i < 20; ++i) sum += solve(peg_in_hole(n, random));
    return sum;
  };
  ContactSolution solution;
  const auto cone = [&](const ContactProblem& p) { return solve_lemke_cone(p, solution).pivots; };
  const auto structural = [&](const ContactProblem& p) {
    return StructuredLemke().solve(p, solution).pivots;
  };
  CHECK(pivots(256, cone) < 3 * pivots(8, cone));
  CHECK(pivots(64, structural) > 4 * pivots(8, structural));
}

TEST_CASE(
    "the inverse that is updated and the kernel that is factored anew lead to the same answer")
{
  // 6 m + 2 > 26 keeps an inverse. An extra body that touches nothing switches it on.
  Random random(6);
  for (int trial = 0; trial < 30; ++trial) {
    const ContactProblem factored = block_stack(3, 16, random);
    ContactProblem updated = factored;
    for (int extra = 0; extra < 3; ++extra)
      add_rigid_body(updated, Matrix6d::Identity(), Vector6d::Zero());
    for (const bool reduced : {false, true}) {
      StructuredLemke solver({.reduced = reduced});
      ContactSolution a, b;
      const StructuredReport first = solver.solve(factored, a), second = solver.solve(updated, b);
      CHECK(first.pivots == second.pivots);
      CHECK(first.refactors > first.pivots);  // one a basis
      CHECK(second.refactors < second.pivots / 2);
      CHECK((a.v - b.v.head(18)).cwiseAbs().maxCoeff() < 1e-9);
    }
  }
}

TEST_SUITE("slow")
{
  TEST_CASE("without friction all methods agree on the velocity on 1000 problems of each family")
  {
    const char* const methods[] = {"lemke-cone", "lemke-reduced", "lemke-structural",
                                   "lemke-standard", "block-pivoting"};
    Random random(2005);
    int agreed = 0;
    for (int family = 0; family < 3; ++family) {
      for (int trial = 0; trial < 1000; ++trial) {
        const ContactProblem problem = small_problem(family, random, {0.0, 0.0});
        VectorXd reference;
        for (const char* method : methods) {
          ContactSolution solution;
          const SolveReport report = solve_rigid_contact(problem, solution, method);
          if (reference.size() == 0) reference = solution.v;
          const double difference = (solution.v - reference).cwiseAbs().maxCoeff();
          if (report.ok() && difference < 1e-8) {
            ++agreed;
            continue;
          }
          CAPTURE(family);
          CAPTURE(trial);
          CAPTURE(method);
          CHECK(report.residual <= exact);
          CHECK(difference < 1e-8);
        }
      }
    }
    CHECK(agreed == 3 * 1000 * 5);
  }

  TEST_CASE("cone solves the whole stress set")
  {
    int problems = 0, restarts = 0;
    for (const ContactBatch& batch : stress_batches()) {
      CAPTURE(batch.name);
      ConeLemke solver({.directions = batch.directions});
      CHECK(unsolved(batch, [&](const auto& p, auto& s) {
              restarts += solver.solve(p, s).restarts;
            }) == 0);
      problems += batch.instances;
    }
    CHECK(problems > 7000);
    CHECK(restarts < problems / 100);
  }
}
