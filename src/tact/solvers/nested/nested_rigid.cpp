// Islands of lone rigid bodies: small, and solved exactly whatever the tolerance is.
// docs/rigid-islands.md
#include <algorithm>
#include <array>

#include <tact/solvers/nested/nested_island.hpp>

namespace tact {
namespace {

// Sweeps before Newton's method: they tell which contacts act, after impacts in particular.
constexpr int first_sweeps = 8;
constexpr int first_steps = 60;  // of Newton's method, from where sweeps ended
constexpr int last_steps = 100;  // from where the interior point ended
constexpr int interior_steps = 60;
// Products of 6 x 6 blocks, 0.1 us each, in all factorisations of a solve: thousands of an arch, 27
// of a pile of 300 bodies.
constexpr double most_work = 1e6;
constexpr double good_enough = 0.01;  // of the tolerance: no sweeps where Newton's method got there
constexpr double aimed_at = 0.01;     // of what must be reached: near the answer digits come cheap

}  // namespace

bool NestedIsland::is_exact() const
{
  return options->rigid_tolerance > 0.0 && direct;
}

double NestedIsland::rigid_target() const
{
  return std::min(options->tolerance, options->rigid_tolerance);
}

// Newton's method from the impulses as they are.
void NestedIsland::improve_rigid(int max_steps)
{
  RigidNewton& newton_of_bodies = rigid->newton;
  const double target = rigid_target();
  const RigidNewtonReport found =
      newton_of_bodies.solve({.tolerance = target,
                              .goal = aimed_at * target,
                              .law = options->law,
                              .max_steps = max_steps,
                              .max_work = most_work - report.factors * newton_of_bodies.work()},
                             lambda);
  report.factors += found.steps;
  find_response();
}

// Impulses by the interior point, whose law is the disc; for the pyramid these are a start. False:
// it does not apply.
bool NestedIsland::start_in_the_middle()
{
  const double work = (report.factors + interior_steps) * rigid->newton.work();
  if (work > most_work) return false;
  const CoupledProblem& own = rigid->coupled;
  if (!rigid->coupled.load(*problem, all->D, contacts) || !CondensedSystem::applies(own))
    return false;
  VectorXd found;
  const CondensedInteriorReport solved =
      rigid->interior.solve(own, {.tolerance = rigid_target(), .max_steps = interior_steps}, found);
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
  return found.allFinite();
}

void NestedIsland::solve_rigid()
{
  const double target = rigid_target();
  BestAnswer best;
  const auto is_missed = [&] {
    look(natural(), report.sweeps, best);
    return best.worst > target;
  };
  bool missed = is_missed();
  if (best.worst > aimed_at * target) {
    make_sweeps(first_sweeps);
    missed = is_missed();
  }
  if (best.worst > aimed_at * target) {
    restore_best();
    load_rigid();
    improve_rigid(first_steps);
    missed = is_missed();
  }
  if (missed && start_in_the_middle()) {
    missed = is_missed();
    if (missed) improve_rigid(last_steps);
    missed = missed && is_missed();
  }
  restore_best();
  if (missed && best.worst > good_enough * options->tolerance) {
    anticipate();
    missed = is_missed();
    if (missed) improve_rigid(last_steps);
    missed = missed && is_missed();
    restore_best();
  }
  report.exact = !missed;
  if (best.worst <= options->tolerance) report.status = SolveStatus::converged;
}

void NestedIsland::load_rigid()
{
  if (!rigid) rigid = std::make_unique<RigidIsland>();
  rigid->bodies.clear();
  for_parts([&](int, const Part& part, int) { rigid->bodies.push_back(part.first_node); });
  rigid->newton.load(*problem, all->D, contacts, rigid->bodies, all->scales);
}

}  // namespace tact
