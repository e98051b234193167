// How an island is relaxed, and the steps of all its methods.
#include <algorithm>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <tact/solvers/nested/nested_island.hpp>

namespace tact {

void NestedIsland::relax()
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
  load_blocks();
  find_response();
  if (is_exact()) {
    solve_rigid();
  } else if (nodal) {
    run_passes();
  } else {
    anticipate();
  }
}

// The first over all contacts, the others over those that were not open.
void NestedIsland::make_sweeps(int count)
{
  report.sweeps += count;
  if (!colours.empty()) return sweep_colours(count);
  if (!regions.empty()) return sweep_regions(count);
  const int visits = options->visits_per_contact;
  const int found = sweep.sweep(range(), visits, lambda.data(), state.data(), awake.data());
  const std::span<const int> not_open(awake.data(), static_cast<std::size_t>(found));
  for (int k = 1; k < count; ++k) sweep.sweep(not_open, visits, lambda.data(), state.data());
}

// Colour by colour; the groups of a colour at the same time.
void NestedIsland::sweep_colours(int count)
{
  const int visits = options->visits_per_contact;
  const auto sweep_group = [&](const PairColours::Group& group, bool first) {
    const int at = group.first;
    int* found = awake.data() + at;
    if (first) {
      const ContactRange range{at, group.last};
      awake_count[at] = sweep.sweep(range, visits, lambda.data(), state.data(), found);
    } else {
      const std::span<const int> not_open(found, static_cast<std::size_t>(awake_count[at]));
      sweep.sweep(not_open, visits, lambda.data(), state.data());
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

void NestedIsland::sweep_regions(int count)
{
  const int visits = options->visits_per_contact;
  for (const ContactRange region : regions) {
    int* found = awake.data() + region.first;
    const auto keep_impulses = [&] {
      std::copy(lambda.begin() + 3 * region.first, lambda.begin() + 3 * region.last,
                old_lambda.begin() + 3 * region.first);
    };
    keep_impulses();
    const int not_open = sweep.sweep(region, visits, lambda.data(), state.data(), found);
    const std::span<const int> again(found, static_cast<std::size_t>(not_open));
    for (int k = 1; k < count && !settled(region); ++k) {
      keep_impulses();
      sweep.sweep(again, visits, lambda.data(), state.data());
    }
  }
}

bool NestedIsland::settled(ContactRange region) const
{
  const double bound = options->settled * options->tolerance;
  for (int c = region.first; c < region.last; ++c) {
    const double w = sweep.contacts[c].w.trace() / 3.0;
    for (int i = 3 * c; i < 3 * c + 3; ++i)
      if (w * std::abs(lambda[i] - old_lambda[i]) > bound) return false;
  }
  return true;
}

void NestedIsland::find_force()
{
  std::fill(force.begin(), force.end(), 0.0);
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

void NestedIsland::look(double worst, int at, BestAnswer& best)
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
