// The method of multipliers, on what it is for: many more contacts than motions.
#include <doctest/doctest.h>

#include <tact/samples/rock_pile.hpp>
#include <tact/solvers/cone/friction_problem_of.hpp>
#include <tact/solvers/cone/friction_solvers.hpp>
#include <tact/solvers/cone/gauss_seidel.hpp>
#include <tact/solvers/cone/low_rank_root.hpp>
#include <tact/solvers/cone/multipliers.hpp>

namespace tact {
namespace {

constexpr double no_limit = 1e9;  // entries

FrictionProblem friction_problem_of_pile(int number)
{
  return CondensedContact(numbered_rock_pile(number)).friction_problem();
}

}  // namespace

TEST_CASE("the root of a pile has a column a motion of its rocks, and gives W back")
{
  for (int number = 0; number < 8; ++number) {
    CAPTURE(number);
    const ContactProblem pile = numbered_rock_pile(number);
    const FrictionProblem problem = CondensedContact(pile).friction_problem();
    const BlockProblem<3> blocks(problem);
    const std::optional<MatrixXd> B = low_rank_root(blocks, no_limit);
    if (!B) {  // not half as many motions as rows
      CHECK(12 * pile.components() > blocks.size());
      continue;
    }
    CHECK(B->cols() <= 6 * pile.components());
    VectorXd product;
    const VectorXd lambda = VectorXd::LinSpaced(blocks.size(), -1.0, 1.0);
    blocks.multiply(lambda, product);
    const VectorXd by_root = *B * (B->transpose() * lambda);
    CHECK((by_root - product).norm() <= 1e-10 * product.norm());
  }
}

TEST_CASE("an unsymmetric W has no root, nor one with more entries than allowed")
{
  FrictionProblem problem = friction_problem_of_pile(1);
  CHECK_FALSE(low_rank_root(BlockProblem<3>(problem), 1000.0));
  CHECK(low_rank_root(BlockProblem<3>(problem), no_limit));
  problem.W.coeffRef(0, 1) += 1e-3 * problem.W.coeff(0, 0);
  CHECK_FALSE(low_rank_root(BlockProblem<3>(problem), no_limit));
}

TEST_CASE("multipliers alone solve piles to 1e-8, and every impulse on the way is in its cone")
{
  int solved = 0;
  for (const int number : {2, 7, 11, 13}) {
    CAPTURE(number);
    const FrictionProblem problem = friction_problem_of_pile(number);
    const BlockProblem<3> blocks(problem);
    Search<3> search(blocks, 1e-8, 1 << 30);
    MethodOfMultipliers<3> multipliers(search);
    if (!multipliers.applies()) continue;
    gauss_seidel(search, search.best(), {.max_sweeps = 50});
    multipliers.solve(search.best(), {.alpha = 1e-2});
    if (!search.converged()) continue;
    ++solved;
    for (int c = 0; c < blocks.contacts(); ++c)
      CHECK(violation<3>(part<3>(search.best(), c), blocks.sets[c]) <=
            1e-15 * search.best().norm());
  }
  CHECK(solved >= 2);  // a stage of `auto`, which tries it from several sides
}

TEST_SUITE("slow")
{
  // How the path goes on these depends on the rounding of a build: some may end above.
  TEST_CASE("auto solves most piles to 1e-8 of those that Newton's method in impulses does not")
  {
    int solved = 0;
    for (const int number : {3, 36, 77, 80, 109, 146, 157, 172}) {
      const FrictionProblem problem = friction_problem_of_pile(number);
      FrictionSolution solution;
      if (solve_friction(problem, solution, "auto", {.tolerance = 1e-8}).ok()) ++solved;
    }
    CHECK(solved >= 6);  // of eight; without multipliers none
  }
}

}  // namespace tact
