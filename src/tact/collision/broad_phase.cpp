#include <tact/collision/broad_phase.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <tact/core/error.hpp>

namespace tact {
namespace {

constexpr int triangles_per_patch = 48;  // small enough to fit between folds

}  // namespace

BroadPhase::BroadPhase(SurfaceSet surfaces, const BroadPhaseOptions& options)
    : surfaces_(std::move(surfaces)),
      flat_(options.skip_flat ? divide_into_discs(surfaces_, triangles_per_patch)
                              : no_discs(surfaces_)),
      vertex_boxes_(surfaces_)
{
  for (const Surface& surface : surfaces_.surfaces())
    trees_.emplace_back(surface.triangles, flat_.patch_of());
  for (std::size_t s = 0; s < trees_.size(); ++s)
    surface_of_.resize(surfaces_.surfaces()[s].vertices.last, static_cast<int>(s));
  surface_boxes_.resize(trees_.size(), no_moving_box());
}

void BroadPhase::refit(int s, std::span<const MovingVertex> vertices, double tolerance,
                       std::span<const double> slack)
{
  if (!vertex_boxes_.set(surfaces_, s, vertices, tolerance, slack) && trees_[s].built()) return;
  trees_[s].refit(surfaces_.triangles(), vertex_boxes_, vertex_boxes_.still(s));
  if (!trees_[s].empty()) surface_boxes_[s] = trees_[s].box(trees_[s].root());
}

void BroadPhase::find_surface_pairs()
{
  surface_pairs_.clear();
  for (int s = 0; s < static_cast<int>(trees_.size()); ++s)
    if (surfaces_.tested(s, s) && !trees_[s].empty()) surface_pairs_.push_back({s, s});
  const auto self_count = static_cast<std::ptrdiff_t>(surface_pairs_.size());
  for (const auto& [a, b] : sweep_.find_meetings(surface_boxes_))
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
  tbb::parallel_for(0, static_cast<int>(trees_.size()),
                    [&](int s) { refit(s, vertices, tolerance, slack); });
  flat_.update(surfaces_, vertices, tolerance, slack);
  find_surface_pairs();
  walk_.walk({surfaces_, trees_, vertex_boxes_, flat_}, surface_pairs_);
  sorter_.sort(walk_.found(), surfaces_, pairs_);
  if (slack.empty())
    listed_.clear();
  else
    listed_.start(surfaces_, vertices, tolerance, slack, surface_pairs_);
  count();
  return pairs_;
}

void BroadPhase::count()
{
  counts_ = {static_cast<int>(surface_pairs_.size()), walk_.node_pairs(), walk_.triangle_pairs(),
             0};
  for (const WideTree& tree : trees_) counts_.rebuilt_triangles += tree.rebuilt_triangles();
}

bool BroadPhase::pairs_hold_for(std::span<const MovingVertex> vertices)
{
  return listed_.holds_for(surfaces_, vertices);
}

// Of the last list what is between surfaces of kept pairs, to kept_.
void BroadPhase::keep_pairs(std::span<const std::array<int, 2>> kept_surfaces)
{
  const auto is_kept = [&](int vertex_a, int vertex_b) {
    const auto [a, b] = std::minmax(surface_of_[vertex_a], surface_of_[vertex_b]);
    return std::binary_search(kept_surfaces.begin(), kept_surfaces.end(), std::array<int, 2>{a, b});
  };
  kept_.clear();
  for (const VertexFacePair& pair : pairs_.vertex_face)
    if (is_kept(pair.vertex, surfaces_.triangles()[pair.triangle][0]))
      kept_.vertex_face.push_back(pair);
  for (const EdgeEdgePair& pair : pairs_.edge_edge)
    if (is_kept(surfaces_.edges()[pair.edge_a][0], surfaces_.edges()[pair.edge_b][0]))
      kept_.edge_edge.push_back(pair);
}

const FeaturePairs& BroadPhase::renew_pairs(std::span<const MovingVertex> vertices,
                                            std::span<const double> slack)
{
  if (listed_.empty()) throw Error("broad phase: found no list with slack to renew, expected one");
  require_input(vertices, listed_.tolerance(), slack);
  listed_.renew(surfaces_, vertices, slack);
  surface_pairs_.assign(listed_.fresh().begin(), listed_.fresh().end());
  std::vector<std::uint8_t> wanted(trees_.size(), 0);
  bool self = false;
  for (const auto& [a, b] : surface_pairs_) {
    wanted[a] = wanted[b] = 1;
    self = self || a == b;
  }
  tbb::parallel_for(0, static_cast<int>(trees_.size()), [&](int s) {
    if (wanted[s] != 0) refit(s, vertices, listed_.tolerance(), listed_.slack());
  });
  if (self) flat_.update(surfaces_, vertices, listed_.tolerance(), listed_.slack());
  walk_.walk({surfaces_, trees_, vertex_boxes_, flat_}, surface_pairs_);
  keep_pairs(listed_.kept());
  std::vector<const FeaturePairs*> parts(walk_.found().begin(), walk_.found().end());
  parts.push_back(&kept_);
  sorter_.sort(parts, surfaces_, pairs_);
  count();
  return pairs_;
}

}  // namespace tact
