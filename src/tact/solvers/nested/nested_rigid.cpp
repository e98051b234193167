// Islands of lone rigid bodies: small, and solved exactly whatever the tolerance is.
// docs/rigid-islands.md
#include <algorithm>
#include <array>

#include <tact/solvers/nested/nested_work.hpp>

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

bool NestedSolver::Workspace::is_exact(const IslandPlace& island) const
{
  return options.rigid_tolerance > 0.0 && island.direct;
}

double NestedSolver::Workspace::rigid_target() const
{
  return std::min(options.tolerance, options.rigid_tolerance);
}

// Newton's method from the impulses as they are.
void NestedSolver::Workspace::improve_rigid(const IslandPlace& island, int max_steps,
                                            IslandReport& report)
{
  const std::span own(lambda.data() + 3 * island.contacts.first,
                      3 * (island.contacts.last - island.contacts.first));
  RigidNewton& newton = rigid_islands[island.number]->newton;
  const double target = rigid_target();
  const RigidNewtonReport found =
      newton.solve({.tolerance = target,
                    .goal = aimed_at * target,
                    .law = options.law,
                    .max_steps = max_steps,
                    .max_work = most_work - report.factors * newton.work()},
                   own);
  report.factors += found.steps;
  find_response(island);
}

// Impulses by the interior point, whose law is the disc; for the pyramid these are a start. False:
// it does not apply.
bool NestedSolver::Workspace::start_in_the_middle(const ContactProblem& problem,
                                                  const IslandPlace& island, IslandReport& report)
{
  const double work =
      (report.factors + interior_steps) * rigid_islands[island.number]->newton.work();
  if (work > most_work) return false;
  CoupledProblem& coupled = couplings[island.number].problem;
  const std::span<const int> chosen(islands.contacts.data() + island.contacts.first,
                                    islands.contacts.data() + island.contacts.last);
  if (!coupled.load(problem, D, chosen) || !CondensedSystem::applies(coupled)) return false;
  VectorXd found;
  const CondensedInteriorReport solved = rigid_islands[island.number]->interior.solve(
      coupled, {.tolerance = rigid_target(), .max_steps = interior_steps}, found);
  report.factors += solved.steps;
  std::vector<std::array<int, 2>> standing;  // contact, and where it stands
  for (int k = island.contacts.first; k < island.contacts.last; ++k)
    standing.push_back({islands.contacts[k], k});
  std::sort(standing.begin(), standing.end());
  for (int c = 0; c < coupled.size(); ++c) {
    const auto own =
        std::lower_bound(standing.begin(), standing.end(), std::array{coupled.order[c], 0});
    Eigen::Map<Vector3d>(lambda.data() + 3 * (*own)[1]) = found.segment<3>(3 * c);
  }
  find_response(island);
  return found.allFinite();
}

void NestedSolver::Workspace::solve_rigid(const ContactProblem& problem, const IslandPlace& island,
                                          IslandReport& report)
{
  const double target = rigid_target();
  BestAnswer best;
  const auto is_missed = [&] {
    look(island, natural(island), report.sweeps, best, report);
    return best.worst > target;
  };
  bool missed = is_missed();
  if (best.worst > aimed_at * target) {
    make_sweeps(island, first_sweeps, report);
    missed = is_missed();
  }
  if (best.worst > aimed_at * target) {
    restore_best(island);
    load_rigid(problem, island);
    improve_rigid(island, first_steps, report);
    missed = is_missed();
  }
  if (missed && start_in_the_middle(problem, island, report)) {
    missed = is_missed();
    if (missed) improve_rigid(island, last_steps, report);
    missed = missed && is_missed();
  }
  restore_best(island);
  if (missed && best.worst > good_enough * options.tolerance) {
    anticipate(island, report, corrections[island.number]);
    missed = is_missed();
    if (missed) improve_rigid(island, last_steps, report);
    missed = missed && is_missed();
    restore_best(island);
  }
  report.exact = !missed;
  if (best.worst <= options.tolerance) report.status = SolveStatus::converged;
}

void NestedSolver::Workspace::load_rigid(const ContactProblem& problem, const IslandPlace& island)
{
  std::unique_ptr<RigidIsland>& own = rigid_islands[island.number];
  if (!own) own = std::make_unique<RigidIsland>();
  const std::span<const int> contacts(islands.contacts.data() + island.contacts.first,
                                      islands.contacts.data() + island.contacts.last);
  own->bodies.clear();
  for_parts(island, [&](int, const Part& part, int) { own->bodies.push_back(part.first_node); });
  own->newton.load(problem, D, contacts, own->bodies, scales);
}

}  // namespace tact
