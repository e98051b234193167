// Broad phase: which features of moving surfaces may touch.
//
// Two levels. Boxes of whole surfaces are sorted and swept; where two meet, and where a surface
// is tested against itself, trees of boxes are walked (wide_tree.hpp, pair_walk.hpp). What comes
// out is defined without any of that:
//
//   all vertex-face and edge-edge pairs between surfaces that are tested against each other whose
//   boxes meet; ascending, each once. Left out are pairs that share a vertex, and pairs within
//   patches of a surface that stay more than the tolerance apart by proof (flat_patches.hpp).
//
// The box of a feature holds its vertices at the start of the step, moves, and holds them at its
// end (moving_box.hpp); so it holds the feature at all times between. It is larger by half the
// tolerance all around. Hence no pair that comes within the tolerance is missing. The motion that
// all have in common does not matter, however fast. The answer depends on positions and tolerance
// alone: not on threads, not on the steps before.
//
// A list may be made to last: with a slack for each vertex it holds for every motion in which each
// vertex starts and ends within its slack of where it was to start and end, as seen by one who
// moves along with its surface; for two surfaces, with either of them (listed_motion.hpp). Where it
// holds for some pairs of surfaces only, the others can be looked for alone.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/feature_pairs.hpp>
#include <tact/collision/flat_patches.hpp>
#include <tact/collision/listed_motion.hpp>
#include <tact/collision/pair_walk.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/collision/sweep_and_prune.hpp>
#include <tact/collision/wide_tree.hpp>

namespace tact {

struct BroadPhaseOptions {
  bool skip_flat = true;  // leave out pairs within patches that keep clear of themselves
};

struct BroadPhaseCounts {
  int surface_pairs = 0;       // looked at last, self tests included
  long node_pairs = 0;         // 64 box tests each
  long triangle_pairs = 0;     // whose boxes meet
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
  // this motion. Some 10 ns a vertex, where making a list anew takes a microsecond and more.
  bool pairs_hold_for(std::span<const MovingVertex> vertices);

  // Makes the last list, made with slack, hold for this motion: looks for pairs anew between those
  // surfaces only for which it does not hold. `slack` is for surfaces that changed their shape.
  const FeaturePairs& renew_pairs(std::span<const MovingVertex> vertices,
                                  std::span<const double> slack);
  const FeaturePairs& pairs() const { return pairs_; }

  const SurfaceSet& surfaces() const { return surfaces_; }
  const BroadPhaseCounts& counts() const { return counts_; }

 private:
  void require_input(std::span<const MovingVertex> vertices, double tolerance,
                     std::span<const double> slack) const;
  void refit(int surface, std::span<const MovingVertex> vertices, double tolerance,
             std::span<const double> slack);
  void find_surface_pairs();
  void keep_pairs(std::span<const std::array<int, 2>> kept_surfaces);
  void count();

  SurfaceSet surfaces_;
  FlatPatches flat_;
  std::vector<int> surface_of_;  // of each vertex
  VertexBoxes vertex_boxes_;
  std::vector<WideTree> trees_;
  std::vector<MovingBox> surface_boxes_;
  SweepAndPrune sweep_;
  std::vector<std::array<int, 2>> surface_pairs_;
  PairWalk walk_;
  PairSorter sorter_;
  FeaturePairs pairs_;
  FeaturePairs kept_;    // of the last list, while it is renewed
  ListedMotion listed_;  // empty: pairs_ was made without slack
  BroadPhaseCounts counts_;
};

}  // namespace tact
