// Walks pairs of trees down to pairs of triangles.
//
// A pair of nodes is looked at by comparing the eight children of the one with the eight of the
// other: 64 boxes against boxes in some 20 ns, twice that if they move. Pairs of children that meet
// are looked at in the next round, pairs of leaves at once. So a round is a list of work known
// beforehand, in pieces of one size for any number of threads, however few and large the surfaces
// are. Left out are nodes and triangles that keep apart by proof (flat_patches.hpp).
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/feature_pairs.hpp>
#include <tact/collision/flat_patches.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/collision/wide_tree.hpp>

namespace tact {

// All that a walk reads.
struct WalkInput {
  const SurfaceSet& surfaces;
  std::span<const WideTree> trees;  // one a surface
  const VertexBoxes& vertex_boxes;
  const FlatPatches& flat;
};

class PairWalk {
 public:
  // From the roots of these pairs of surfaces; the same twice for a surface against itself.
  void walk(const WalkInput& input, std::span<const std::array<int, 2>> surface_pairs);

  // What the last walk found, in lists.
  std::span<const FeaturePairs* const> found() const { return found_; }
  long node_pairs() const { return node_pairs_; }  // looked at, leaves included
  long triangle_pairs() const { return triangle_pairs_; }

 private:
  struct NodePair {
    int surface_a = 0, surface_b = 0;
    int node_a = 0, node_b = 0;

    bool same_node() const { return surface_a == surface_b && node_a == node_b; }
  };

  struct Chunk {
    std::vector<NodePair> next_round;
    FeaturePairs pairs;
    long node_pairs = 0;
    long triangle_pairs = 0;

    void clear();
  };

  // The triangles of a leaf, loaded when first needed.
  struct LeafFeatures {
    int surface = -1, leaf = -1;
    unsigned loaded = 0;
    std::array<TriangleFeatures, 8> triangles;
    std::array<FeatureBoxes, 8> ends;  // of what does not stand still

    void start(int next_surface, int next_leaf);
    MovingFeatures at(const WalkInput& input, int place);
  };

  // Pairs of leaves come in the order of their parents' children: one of a, with up to eight of b,
  // then the next of a with the same of b.
  struct Scratch {
    LeafFeatures a;
    std::array<LeafFeatures, 8> b;
  };

  static void look_at(const WalkInput& input, const NodePair& nodes, Scratch& scratch,
                      Chunk& chunk);
  static void compare_leaves(const WalkInput& input, const NodePair& leaves, Scratch& scratch,
                             Chunk& chunk);
  void walk_round(const WalkInput& input, std::size_t first_chunk);

  std::vector<NodePair> round_;
  std::vector<Chunk> chunks_;  // of all rounds, one after the other
  std::vector<const FeaturePairs*> found_;
  long node_pairs_ = 0;
  long triangle_pairs_ = 0;
};

}  // namespace tact
