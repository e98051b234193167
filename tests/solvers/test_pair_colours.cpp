#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <contact/problem_builder.hpp>
#include <tact/solvers/nested/nested.hpp>
#include <tact/solvers/nested/pair_colours.hpp>

using namespace tact;

namespace {

struct Coloured {
  std::vector<int> contacts;
  PairColours colours;
  std::vector<std::set<int>> components;  // by contact

  explicit Coloured(const ContactProblem& problem)
  {
    DiagonalBlocks D;
    REQUIRE(D.load(problem));
    std::vector<int> component_of_node;
    for (int k = 0; k < problem.components(); ++k)
      component_of_node.insert(component_of_node.end(), problem.A[k].rows(), k);
    ContactSides sides;
    sides.append(problem, D, component_of_node);
    contacts.resize(problem.size());
    std::iota(contacts.begin(), contacts.end(), 0);
    colours.find(contacts, sides, problem.components());
    for (int c = 0; c < problem.size(); ++c) {
      components.emplace_back();
      for (const Side& side : sides.of(c)) components.back().insert(side.component);
    }
  }
};

constexpr int tower_height = 80;  // cubes, 325 contacts, each cube touches two others

}  // namespace

TEST_CASE("groups of one colour share no component, and every contact stands in one group")
{
  Coloured tower(cube_pile(tower_height, 0.5));
  REQUIRE(tower.colours.colours() >= 2);
  CHECK(tower.colours.colours() <= 3);  // a chain takes two, and the ground one more at most
  int next = 0;
  for (int colour = 0; colour < tower.colours.colours(); ++colour) {
    std::set<int> touched;
    for (const PairColours::Group& group : tower.colours.groups(colour)) {
      CHECK(group.first == next);
      next = group.last;
      const std::set<int>& own = tower.components[tower.contacts[group.first]];
      for (int k = group.first; k < group.last; ++k)
        CHECK(tower.components[tower.contacts[k]] == own);
      for (const int component : own) CHECK(touched.insert(component).second);
    }
  }
  CHECK(next == static_cast<int>(tower.contacts.size()));
  std::sort(tower.contacts.begin(), tower.contacts.end());
  for (int c = 0; c < next; ++c) CHECK(tower.contacts[c] == c);
}

TEST_CASE("contacts keep their order where colours gain nothing: one net, or few contacts")
{
  for (const ContactProblem& problem : {net_on_ground(30, 0.4), cube_pile(3, 0.4)}) {
    const Coloured plain(problem);
    CHECK(plain.colours.empty());
    CHECK(std::is_sorted(plain.contacts.begin(), plain.contacts.end()));
  }
}

TEST_CASE("sweeps by colours have the same bits for any number of threads")
{
  const ContactProblem problem = cube_pile(tower_height, 0.5);
  // Exact components in one loop of sweeps; nodal ones in passes.
  NestedOptions exact = anticipation_options(), nodal = accelerated_options();
  exact.max_sweeps = 60;
  nodal.max_passes = 20;
  for (const NestedOptions& options : {exact, nodal}) {
    ContactSolution one;
    for (const int threads : {1, 2, 3, 4}) {
      ContactSolution solution;
      const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, threads);
      tbb::task_arena(threads).execute([&] {
        NestedSolver solver(options);
        solver.begin(problem);
        CHECK(solver.solve(problem, solution).islands == 1);
      });
      if (threads == 1) one = solution;
      CHECK(solution.v == one.v);
      CHECK(solution.lambda == one.lambda);
    }
    CHECK(one.lambda.norm() > 0.0);
  }
}
