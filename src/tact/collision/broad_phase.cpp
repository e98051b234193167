#include <tact/collision/broad_phase.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr int vertices_per_task = 2048;
constexpr int triangles_per_patch = 48;  // small enough to fit between folds

// A little less than the slack, for the rounding of squares and sums.
constexpr double usable_slack = 1.0 - 0x1p-40;

double squared_distance(const std::array<double, 4>& x, const std::array<double, 4>& y)
{
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}

}  // namespace

BroadPhase::BroadPhase(SurfaceSet surfaces, const BroadPhaseOptions& options)
    : surfaces_(std::move(surfaces)),
      flat_(options.skip_flat ? divide_into_discs(surfaces_, triangles_per_patch)
                              : no_discs(surfaces_))
{
  for (const Surface& surface : surfaces_.surfaces())
    trees_.emplace_back(surface.triangles, flat_.patch_of());
  vertex_boxes_.resize(surfaces_.vertex_count());
  surface_boxes_.resize(trees_.size(), no_box());
}

void BroadPhase::refit(std::span<const MovingVertex> vertices, double tolerance,
                       std::span<const double> slack)
{
  const tbb::blocked_range<int> all(0, surfaces_.vertex_count(), vertices_per_task);
  tbb::parallel_for(all, [&](const tbb::blocked_range<int>& run) {
    for (int i = run.begin(); i != run.end(); ++i)
      vertex_boxes_[i] = swept_box(vertices[i], tolerance + (slack.empty() ? 0.0 : 2.0 * slack[i]));
  });
  tbb::parallel_for(0, static_cast<int>(trees_.size()), [&](int s) {
    trees_[s].refit(surfaces_.triangles(), vertex_boxes_);
    if (!trees_[s].empty()) surface_boxes_[s] = trees_[s].box(trees_[s].root());
  });
}

void BroadPhase::find_surface_pairs()
{
  surface_pairs_.clear();
  for (int s = 0; s < static_cast<int>(trees_.size()); ++s)
    if (surfaces_.tested(s, s) && !trees_[s].empty()) surface_pairs_.push_back({s, s});
  const auto self_count = static_cast<std::ptrdiff_t>(surface_pairs_.size());
  for (const auto& [a, b] : sweep_.find_overlaps(surface_boxes_))
    if (surfaces_.tested(a, b)) surface_pairs_.push_back({a, b});
  std::inplace_merge(surface_pairs_.begin(), surface_pairs_.begin() + self_count,
                     surface_pairs_.end());
}

void BroadPhase::require_input(std::span<const MovingVertex> vertices, double tolerance,
                               std::span<const double> slack) const
{
  if (static_cast<int>(vertices.size()) != surfaces_.vertex_count())
    throw Error(fmt::format("broad phase: found {} vertices, expected the {} of the surfaces",
                            vertices.size(), surfaces_.vertex_count()));
  if (!(tolerance >= 0.0))
    throw Error(fmt::format("broad phase: tolerance is {} m, expected a number >= 0", tolerance));
  if (slack.empty()) return;
  if (slack.size() != vertices.size())
    throw Error(fmt::format("broad phase: found slack for {} vertices, expected {} or none",
                            slack.size(), vertices.size()));
  for (std::size_t i = 0; i < slack.size(); ++i)
    if (!(slack[i] >= 0.0))
      throw Error(fmt::format("broad phase: slack of vertex {} is {} m, expected a number >= 0", i,
                              slack[i]));
}

const FeaturePairs& BroadPhase::find_pairs(std::span<const MovingVertex> vertices, double tolerance,
                                           std::span<const double> slack)
{
  require_input(vertices, tolerance, slack);
  refit(vertices, tolerance, slack);
  flat_.update(surfaces_, vertices, tolerance, slack);
  find_surface_pairs();
  walk_.walk({surfaces_, trees_, vertex_boxes_, flat_}, surface_pairs_);
  sorter_.sort(walk_.found(), surfaces_, pairs_);
  listed_slack_.assign(slack.begin(), slack.end());
  if (!slack.empty()) listed_motion_.assign(vertices.begin(), vertices.end());

  counts_ = {static_cast<int>(surface_pairs_.size()), walk_.node_pairs(), walk_.triangle_pairs(),
             0};
  for (const WideTree& tree : trees_) counts_.rebuilt_triangles += tree.rebuilt_triangles();
  return pairs_;
}

bool BroadPhase::pairs_hold_for(std::span<const MovingVertex> vertices) const
{
  if (listed_slack_.empty() || vertices.size() != listed_motion_.size()) return false;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const double reach = usable_slack * listed_slack_[i];
    const MovingVertex& listed = listed_motion_[i];
    if (squared_distance(vertices[i].start, listed.start) > reach * reach ||
        squared_distance(vertices[i].end, listed.end) > reach * reach)
      return false;
  }
  return true;
}

}  // namespace tact
