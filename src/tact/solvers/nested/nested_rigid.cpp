// Islands of lone rigid bodies: small, and solved exactly whatever the tolerance is.
// docs/rigid-islands.md
#include <algorithm>
#include <array>

#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

constexpr int last_steps = 100;  // of Newton's method, from where the interior point ended
// Products of 6 x 6 blocks, 0.1 us each, in all factorisations of a solve: thousands of an arch, 27
// of a pile of 300 bodies.
constexpr double most_work = 1e6;
constexpr double aimed_at = 0.01;  // of what must be reached: near the answer digits come cheap

}  // namespace

namespace method {

const IslandMethod body_newton = {
    "Newton's method on the cone",
    [](NestedIsland& own, int limit) {
      own.restore_best();
      own.load_rigid();
      own.improve_rigid(limit);
    },
};
const IslandMethod interior_point = {
    "interior point",
    [](NestedIsland& own, int limit) {
      own.load_rigid();
      own.start_in_the_middle(limit);
    },
};

}  // namespace method

// Newton's method from the impulses as they are.
void NestedIsland::improve_rigid(int max_steps)
{
  RigidNewton& newton_of_bodies = rigid->newton;
  const double target = exact_target();
  const RigidNewtonReport found =
      newton_of_bodies.solve({.tolerance = target,
                              .goal = aimed_at * target,
                              .law = options->law,
                              .max_steps = max_steps,
                              .max_work = most_work - report.factors * newton_of_bodies.work()},
                             lambda);
  report.factors += found.steps;
  find_response();
  look(natural(), report.sweeps);
}

// Impulses by the interior point, whose law is the disc, and Newton's method from there; for the
// pyramid the disc's are a start. Not where it does not apply.
void NestedIsland::start_in_the_middle(int max_steps)
{
  const double work = (report.factors + max_steps) * rigid->newton.work();
  if (work > most_work) return;
  const CoupledProblem& own = rigid->coupled;
  if (!rigid->coupled.load(*problem, all->D, contacts) || !CondensedSystem::applies(own)) return;
  VectorXd found;
  const CondensedInteriorReport solved =
      rigid->interior.solve(own, {.tolerance = exact_target(), .max_steps = max_steps}, found);
  report.factors += solved.steps;
  std::vector<std::array<int, 2>> standing;  // contact, and where it stands
  for (int k = 0; k < size(); ++k) standing.push_back({contacts[k], k});
  std::sort(standing.begin(), standing.end());
  for (int c = 0; c < own.size(); ++c) {
    const auto place =
        std::lower_bound(standing.begin(), standing.end(), std::array{own.order[c], 0});
    Eigen::Map<Vector3d>(lambda.data() + 3 * (*place)[1]) = found.segment<3>(3 * c);
  }
  find_response();
  if (!found.allFinite()) return;
  look(natural(), report.sweeps);
  if (!reached(Goal::exact)) improve_rigid(last_steps);
}

// Once a solve.
void NestedIsland::load_rigid()
{
  if (!rigid) rigid = std::make_unique<RigidIsland>();
  if (rigid->loaded) return;
  rigid->loaded = true;
  rigid->bodies.clear();
  for_parts([&](int, const Part& part, int) { rigid->bodies.push_back(part.first_node); });
  rigid->newton.load(*problem, all->D, contacts, rigid->bodies, all->scales);
}

}  // namespace tact
