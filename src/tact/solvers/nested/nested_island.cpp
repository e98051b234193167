// How an island is relaxed, and the steps of all its methods.
#include <algorithm>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <tact/solvers/nested/nested_island.hpp>

namespace tact {

namespace {

constexpr double close = 0.01;   // of the tolerance
constexpr double spared = 0.01;  // of what must be reached exactly

}  // namespace

namespace method {

const IslandMethod warm_start = {
    "warm start",
    [](NestedIsland& own, int) { own.look(own.natural(), own.report.sweeps); },
};
const IslandMethod sweeps = {
    "sweeps",
    [](NestedIsland& own, int limit) {
      own.make_sweeps(limit);
      own.look(own.natural(), own.report.sweeps);
    },
};

}  // namespace method

IslandPlan plain_plan(IslandKind kind)
{
  static constexpr PlanStep by_responses{&method::responses}, by_passes{&method::passes};
  return {kind == IslandKind::meshes ? &by_passes : &by_responses, 1};
}

void NestedIsland::relax()
{
  choose_P();
  load_blocks();
  find_response();
  const IslandPlan plan = options->plan(kind());
  for (const PlanStep& step : plan) {
    if (reached(step.goal)) break;
    step.method->run(*this, step.limit);
  }
  restore_best();
  if (best.worst <= options->tolerance) report.status = SolveStatus::converged;
  const bool asks_for_more = std::any_of(
      plan.begin(), plan.end(), [](const PlanStep& step) { return step.goal == Goal::exact; });
  report.exact = !asks_for_more || reached(Goal::exact);
}

IslandKind NestedIsland::kind() const
{
  if (direct) return IslandKind::rigid;
  return nodal ? IslandKind::meshes : IslandKind::small;
}

double NestedIsland::exact_target() const
{
  return std::min(options->tolerance, exact_tolerance);
}

bool NestedIsland::reached(Goal goal) const
{
  switch (goal) {
    case Goal::tolerance: break;
    case Goal::nearly_exact:
      return best.worst <= std::max(exact_target(), close * options->tolerance);
    case Goal::exact: return best.worst <= exact_target();
    case Goal::spare_digits: return best.worst <= spared * exact_target();
  }
  const bool enough = !nodal || report.passes >= std::min(options->min_passes, options->max_passes);
  return enough && best.worst <= options->tolerance;
}

void NestedIsland::choose_P()
{
  wholes = has_few_contacts();
  for_parts([&](int, Part& part, int) {
    if (part.treatment != Treatment::nodal) return;
    all->parts.find_whole(*problem, all->D, part);
    if (options->scheme == NestedScheme::accelerated)
      all->parts.find_om(*problem, all->D, part);
    else
      part.om = 1.0;
  });
}

// The first over all contacts, the others over those that were not open.
void NestedIsland::make_sweeps(int count)
{
  report.sweeps += count;
  if (!colours.empty()) return sweep_colours(count);
  const int found = sweep.sweep(range(), 1, lambda.data(), state.data(), awake.data());
  const std::span<const int> not_open(awake.data(), static_cast<std::size_t>(found));
  for (int k = 1; k < count; ++k) sweep.sweep(not_open, 1, lambda.data(), state.data());
}

// Colour by colour; the groups of a colour at the same time.
void NestedIsland::sweep_colours(int count)
{
  const auto sweep_group = [&](const PairColours::Group& group, bool first) {
    const int at = group.first;
    int* found = awake.data() + at;
    if (first) {
      const ContactRange range{at, group.last};
      awake_count[at] = sweep.sweep(range, 1, lambda.data(), state.data(), found);
    } else {
      const std::span<const int> not_open(found, static_cast<std::size_t>(awake_count[at]));
      sweep.sweep(not_open, 1, lambda.data(), state.data());
    }
  };
  constexpr std::size_t grain = 4;  // groups: some 10 us of work
  for (int k = 0; k < count; ++k) {
    for (int colour = 0; colour < colours.colours(); ++colour) {
      const auto groups = colours.groups(colour);
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, groups.size(), grain),
                        [&](const auto& range) {
                          for (std::size_t g = range.begin(); g < range.end(); ++g)
                            sweep_group(groups[g], k == 0);
                        });
    }
  }
}

void NestedIsland::find_force()
{
  std::fill(force.begin(), force.end(), 0.0);
  if (problem->rest.size() > 0)
    for_parts([&](int, const Part& part, int at) {
      if (part.treatment == Treatment::nodal)
        std::copy_n(problem->rest.data() + 3 * part.first_node, 3 * part.nodes, force.begin() + at);
    });
  sweep.add_impulses(range(), lambda.data(), force.data());
}

// Nodal components keep their x.
void NestedIsland::find_response()
{
  find_force();
  for_parts([&](int, const Part& part, int at) {
    double* x = state.data() + at;
    if (part.treatment == Treatment::exact) std::fill_n(x, part.compliance.slots(), 0.0);
    if (part.treatment != Treatment::direct) return;
    for (int i = 0; i < part.nodes; ++i) {
      Eigen::Map<Vector3d>(x + 3 * i) =
          all->D.solve(part.first_node + i, force.data() + at + 3 * i);
    }
  });
  for (int c = 0; c < size(); ++c) {
    const Eigen::Map<const Vector3d> lambda_c(lambda.data() + 3 * c);
    if (lambda_c[0] > 0.0) sweep.push_exact(sweep.contacts[c], lambda_c, state.data());
  }
}

double NestedIsland::natural() const
{
  return sweep.look(range(), lambda.data(), state.data()).rms();
}

void NestedIsland::look(double worst, int at)
{
  if (options->keep_history) report.history.push_back(worst);
  if (!(worst < best.worst)) return;
  best = {worst, at};
  std::copy(state.begin(), state.end(), best_state.begin());
  std::copy(lambda.begin(), lambda.end(), best_lambda.begin());
}

void NestedIsland::restore_best()
{
  std::copy(best_state.begin(), best_state.end(), state.begin());
  std::copy(best_lambda.begin(), best_lambda.end(), lambda.begin());
}

}  // namespace tact
