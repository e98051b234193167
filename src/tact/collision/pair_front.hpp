// Walks pairs of trees down to pairs of triangles, and remembers the way.
//
// A pair of nodes is looked at by comparing the eight children of the one with the eight of the
// other: 64 boxes against boxes in some 20 ns. What overlaps is looked at next. The front is the
// list of all pairs of nodes looked at above the leaves, each with a mark for those of its children
// that are in the list themselves. The next walk goes along the list instead of down from the
// roots: children that overlap now and have no mark are walked and added; pairs of leaves are
// compared. Every pair that has no place in the list lies below a pair that has one, so nothing is
// lost.
//
// The list saves no box tests. One of all pairs where a walk stopped would consist mostly of pairs
// that do not overlap, with eight children a node several times as many as a walk from the roots
// looks at. What this list gives is work that is known beforehand, in pieces of the same size for
// any number of threads, however few and large the surfaces are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <tact/collision/feature_pairs.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/collision/wide_tree.hpp>

namespace tact {

struct FrontPair {
  int surface_a = 0, surface_b = 0;  // the same twice for a surface against itself
  int node_a = 0, node_b = 0;
  std::uint64_t listed =
      0;  // children that have places of their own: bit 8 i + j for i of a, j of b
};

// All that a walk reads.
struct WalkInput {
  const SurfaceSet& surfaces;
  std::span<const WideTree> trees;  // one a surface
  std::span<const SweptBox> vertex_boxes;
};

class PairFront {
 public:
  // Prepares a walk over these pairs of surfaces, given in ascending order: drops the places of
  // others and starts at the roots of new ones.
  void select(std::span<const std::array<int, 2>> surface_pairs, std::span<const WideTree> trees);
  void forget() { front_.clear(); }

  void walk(const WalkInput& input);

  // What the last walk found, in lists whose order and lengths depend on the history.
  std::span<const FeaturePairs* const> found() const { return found_; }
  long node_pairs() const { return node_pairs_; }  // looked at, leaves included
  long triangle_pairs() const { return triangle_pairs_; }

 private:
  struct Chunk {
    std::vector<FrontPair> front;
    FeaturePairs pairs;
    long node_pairs = 0;
    long triangle_pairs = 0;
    long fruitless = 0;  // places where nothing overlaps any more
  };

  // The triangles of two leaves, loaded once for all their pairs.
  struct LeafFeatures {
    std::array<TriangleFeatures, 8> a, b;
  };

  static void look_at(const WalkInput& input, FrontPair place, LeafFeatures& scratch, Chunk& chunk);
  static void compare_leaves(const WalkInput& input, const FrontPair& leaves, LeafFeatures& scratch,
                             Chunk& chunk);
  void collect(int chunk_count);

  std::vector<FrontPair> front_, next_front_;
  std::vector<Chunk> chunks_;
  std::vector<const FeaturePairs*> found_;
  long node_pairs_ = 0;
  long triangle_pairs_ = 0;
};

}  // namespace tact
