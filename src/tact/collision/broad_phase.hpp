// Broad phase: which features of moving surfaces may touch.
//
// Two levels. Boxes of whole surfaces are sorted and swept; where two overlap, and where a surface
// is tested against itself, trees of boxes are walked (wide_tree.hpp, pair_front.hpp). What comes
// out is defined without any of that:
//
//   all vertex-face and edge-edge pairs between surfaces that are tested against each other whose
//   boxes overlap, but for those that share a vertex; ascending, each once.
//
// The box of a feature holds all its vertices at the start and at the end of the step, so it holds
// the feature at all times between, and is larger by half the tolerance all around. Hence no pair
// that comes within the tolerance is missing. The answer depends on positions and tolerance alone:
// not on threads, not on the steps before.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/feature_pairs.hpp>
#include <tact/collision/pair_front.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/collision/sweep_and_prune.hpp>
#include <tact/collision/wide_tree.hpp>

namespace tact {

struct BroadPhaseOptions {
  bool keep_front = true;  // walk from where the last walk stopped; the answer is the same
};

struct BroadPhaseCounts {
  int surface_pairs = 0;       // self tests included
  long node_pairs = 0;         // 64 box tests each
  long triangle_pairs = 0;     // with overlapping boxes
  long rebuilt_triangles = 0;  // in subtrees that were rebuilt, since the start
};

// Keeps trees, sorted order, front and memory from step to step. Threads are those of the caller's
// oneTBB arena.
class BroadPhase {
 public:
  explicit BroadPhase(SurfaceSet surfaces, const BroadPhaseOptions& options = {});

  // `vertices` has one for each vertex of the set, `tolerance` >= 0 is in metres. Valid until the
  // next call.
  const FeaturePairs& find_pairs(std::span<const MovingVertex> vertices, double tolerance);

  const SurfaceSet& surfaces() const { return surfaces_; }
  const BroadPhaseCounts& counts() const { return counts_; }

 private:
  void refit(std::span<const MovingVertex> vertices, double tolerance);
  void find_surface_pairs();

  SurfaceSet surfaces_;
  BroadPhaseOptions options_;
  std::vector<SweptBox> vertex_boxes_;
  std::vector<WideTree> trees_;
  std::vector<SweptBox> surface_boxes_;
  SweepAndPrune sweep_;
  std::vector<std::array<int, 2>> surface_pairs_;
  PairFront front_;
  PairSorter sorter_;
  FeaturePairs pairs_;
  BroadPhaseCounts counts_;
};

}  // namespace tact
