// Broad phase: which features of moving surfaces may touch.
//
// Two levels. Boxes of whole surfaces are sorted and swept; where two overlap, and where a surface
// is tested against itself, trees of boxes are walked (wide_tree.hpp, pair_walk.hpp). What comes
// out is defined without any of that:
//
//   all vertex-face and edge-edge pairs between surfaces that are tested against each other whose
//   boxes overlap; ascending, each once. Left out are pairs that share a vertex, and pairs within
//   patches of a surface that stay more than the tolerance apart by proof (flat_patches.hpp).
//
// The box of a feature holds all its vertices at the start and at the end of the step, so it holds
// the feature at all times between, and is larger by half the tolerance all around. Hence no pair
// that comes within the tolerance is missing. The answer depends on positions and tolerance alone:
// not on threads, not on the steps before.
//
// A list may be made to last: with a slack for each vertex it holds for every motion in which each
// vertex starts and ends within its slack of where it was to start and end.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/feature_pairs.hpp>
#include <tact/collision/flat_patches.hpp>
#include <tact/collision/pair_walk.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/collision/sweep_and_prune.hpp>
#include <tact/collision/wide_tree.hpp>

namespace tact {

struct BroadPhaseOptions {
  bool skip_flat = true;  // leave out pairs within patches that keep clear of themselves
};

struct BroadPhaseCounts {
  int surface_pairs = 0;       // self tests included
  long node_pairs = 0;         // 64 box tests each
  long triangle_pairs = 0;     // with overlapping boxes
  long rebuilt_triangles = 0;  // in subtrees that were rebuilt, since the start
};

// Keeps trees, sorted order and memory from step to step. Threads are those of the caller's
// oneTBB arena.
class BroadPhase {
 public:
  explicit BroadPhase(SurfaceSet surfaces, const BroadPhaseOptions& options = {});

  // `vertices` has one for each vertex of the set, `tolerance` >= 0 is in metres, and so is
  // `slack`, one for each vertex or none at all. The list stays until the next call.
  const FeaturePairs& find_pairs(std::span<const MovingVertex> vertices, double tolerance,
                                 std::span<const double> slack = {});

  // Whether the last list, made with slack, also has all pairs that come within its tolerance in
  // this motion. Some 5 ns a vertex, where making a list anew takes a microsecond and more.
  bool pairs_hold_for(std::span<const MovingVertex> vertices) const;
  const FeaturePairs& pairs() const { return pairs_; }

  const SurfaceSet& surfaces() const { return surfaces_; }
  const BroadPhaseCounts& counts() const { return counts_; }

 private:
  void require_input(std::span<const MovingVertex> vertices, double tolerance,
                     std::span<const double> slack) const;
  void refit(std::span<const MovingVertex> vertices, double tolerance,
             std::span<const double> slack);
  void find_surface_pairs();

  SurfaceSet surfaces_;
  FlatPatches flat_;
  std::vector<SweptBox> vertex_boxes_;
  std::vector<WideTree> trees_;
  std::vector<SweptBox> surface_boxes_;
  SweepAndPrune sweep_;
  std::vector<std::array<int, 2>> surface_pairs_;
  PairWalk walk_;
  PairSorter sorter_;
  FeaturePairs pairs_;
  std::vector<MovingVertex> listed_motion_;  // that pairs_ was made for, and the slack around it
  std::vector<double> listed_slack_;         // empty: without
  BroadPhaseCounts counts_;
};

}  // namespace tact
