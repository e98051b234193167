#include <tact/collision/broad_phase.hpp>

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr int vertices_per_task = 2048;

}  // namespace

BroadPhase::BroadPhase(SurfaceSet surfaces, const BroadPhaseOptions& options)
    : surfaces_(std::move(surfaces)), options_(options)
{
  for (const Surface& surface : surfaces_.surfaces()) trees_.emplace_back(surface.triangles);
  vertex_boxes_.resize(surfaces_.vertex_count());
  surface_boxes_.resize(trees_.size(), no_box());
}

void BroadPhase::refit(std::span<const MovingVertex> vertices, double tolerance)
{
  tbb::parallel_for(tbb::blocked_range<int>(0, surfaces_.vertex_count(), vertices_per_task),
                    [&](const tbb::blocked_range<int>& run) {
                      for (int i = run.begin(); i != run.end(); ++i)
                        vertex_boxes_[i] = swept_box(vertices[i], tolerance);
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

const FeaturePairs& BroadPhase::find_pairs(std::span<const MovingVertex> vertices, double tolerance)
{
  if (static_cast<int>(vertices.size()) != surfaces_.vertex_count())
    throw Error(fmt::format("broad phase: found {} vertices, expected the {} of the surfaces",
                            vertices.size(), surfaces_.vertex_count()));
  if (!(tolerance >= 0.0))
    throw Error(fmt::format("broad phase: tolerance is {} m, expected a number >= 0", tolerance));
  refit(vertices, tolerance);
  find_surface_pairs();
  if (!options_.keep_front) front_.forget();
  front_.select(surface_pairs_, trees_);
  front_.walk({surfaces_, trees_, vertex_boxes_});
  sorter_.sort(front_.found(), surfaces_, pairs_);

  counts_ = {static_cast<int>(surface_pairs_.size()), front_.node_pairs(), front_.triangle_pairs(),
             0};
  for (const WideTree& tree : trees_) counts_.rebuilt_triangles += tree.rebuilt_triangles();
  return pairs_;
}

}  // namespace tact
