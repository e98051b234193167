#include <tact/collision/pair_walk.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

#include <tbb/parallel_for.h>

#include <tact/core/stop.hpp>

namespace tact {
namespace {

constexpr std::size_t nodes_per_chunk = 32;  // some hundred pairs of leaves, 10 us and more

// Bits 8 i + j with i < j, and with i <= j: each pair within a node once.
constexpr std::uint64_t upper_triangle(int diagonal)
{
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = i + diagonal; j < 8; ++j) bits |= std::uint64_t{1} << (8 * i + j);
  return bits;
}
constexpr std::uint64_t above_diagonal = upper_triangle(1);
constexpr std::uint64_t with_diagonal = upper_triangle(0);

}  // namespace

void PairWalk::Chunk::clear()
{
  next_round.clear();
  pairs.clear();
  node_pairs = triangle_pairs = 0;
}

void PairWalk::LeafFeatures::start(int next_surface, int next_leaf)
{
  if (surface == next_surface && leaf == next_leaf) return;
  surface = next_surface;
  leaf = next_leaf;
  loaded = 0;
}

MovingFeatures PairWalk::LeafFeatures::at(const WalkInput& input, int place)
{
  const WideTree& tree = input.trees[surface];
  if (!(loaded >> place & 1u))
    load_features(input.surfaces, input.vertex_boxes, tree.triangle(leaf, place), tree.still(),
                  triangles[place], ends[place]);
  loaded |= 1u << place;
  return {triangles[place], tree.still() ? triangles[place].start : ends[place]};
}

void PairWalk::compare_leaves(const WalkInput& input, const NodePair& leaves, Scratch& scratch,
                              Chunk& chunk)
{
  const WideTree& a = input.trees[leaves.surface_a];
  const WideTree& b = input.trees[leaves.surface_b];
  std::uint64_t bits = meetings(a.child_boxes(leaves.node_a), b.child_boxes(leaves.node_b));
  if (leaves.same_node()) bits &= above_diagonal;
  ++chunk.node_pairs;
  if (bits == 0) return;
  const bool self = leaves.surface_a == leaves.surface_b;
  const std::span<const int> patch_of = input.flat.patch_of();
  LeafFeatures& features_a = scratch.a;
  LeafFeatures& features_b = scratch.b[leaves.node_b % 8];
  features_a.start(leaves.surface_a, leaves.node_a);
  features_b.start(leaves.surface_b, leaves.node_b);
  for (; bits != 0; bits &= bits - 1) {
    const int bit = std::countr_zero(bits), i = bit / 8, j = bit % 8;
    const int t = a.triangle(leaves.node_a, i), u = b.triangle(leaves.node_b, j);
    if (self && input.flat.keep_apart(patch_of[t], patch_of[u])) continue;
    ++chunk.triangle_pairs;
    add_pairs(input.surfaces, input.vertex_boxes, features_a.at(input, i), features_b.at(input, j),
              chunk.pairs);
  }
}

void PairWalk::look_at(const WalkInput& input, const NodePair& nodes, Scratch& scratch,
                       Chunk& chunk)
{
  const WideTree& a = input.trees[nodes.surface_a];
  const WideTree& b = input.trees[nodes.surface_b];
  if (nodes.surface_a == nodes.surface_b &&
      input.flat.keep_apart(a.label(nodes.node_a), b.label(nodes.node_b)))
    return;
  const bool leaf_a = a.is_leaf(nodes.node_a), leaf_b = b.is_leaf(nodes.node_b);
  if (leaf_a && leaf_b) {
    compare_leaves(input, nodes, scratch, chunk);
    return;
  }
  ++chunk.node_pairs;
  // A leaf beside an inner node has no children that count: it stays as it is.
  std::uint64_t bits = leaf_a ? meetings(b.child_boxes(nodes.node_b), a.box(nodes.node_a))
                       : leaf_b
                           ? meetings(a.child_boxes(nodes.node_a), b.box(nodes.node_b))
                           : meetings(a.child_boxes(nodes.node_a), b.child_boxes(nodes.node_b));
  if (nodes.same_node()) bits &= with_diagonal;
  for (; bits != 0; bits &= bits - 1) {
    const int bit = std::countr_zero(bits);
    NodePair children = nodes;
    if (!leaf_a) children.node_a = a.child(nodes.node_a, leaf_b ? bit : bit / 8);
    if (!leaf_b) children.node_b = b.child(nodes.node_b, bit % 8);
    if (a.is_leaf(children.node_a) && b.is_leaf(children.node_b))
      look_at(input, children, scratch, chunk);
    else
      chunk.next_round.push_back(children);
  }
}

void PairWalk::walk_round(const WalkInput& input, std::size_t first_chunk)
{
  const std::size_t chunk_count = (round_.size() + nodes_per_chunk - 1) / nodes_per_chunk;
  if (chunks_.size() < first_chunk + chunk_count) chunks_.resize(first_chunk + chunk_count);
  tbb::parallel_for(std::size_t{0}, chunk_count, [&](std::size_t c) {
    end_if_stopped();
    Scratch scratch;
    Chunk& chunk = chunks_[first_chunk + c];
    chunk.clear();
    const std::size_t last = std::min((c + 1) * nodes_per_chunk, round_.size());
    for (std::size_t i = c * nodes_per_chunk; i < last; ++i)
      look_at(input, round_[i], scratch, chunk);
  });
  round_.clear();
  for (std::size_t c = first_chunk; c < first_chunk + chunk_count; ++c) {
    const std::vector<NodePair>& next = chunks_[c].next_round;
    round_.insert(round_.end(), next.begin(), next.end());
  }
}

void PairWalk::walk(const WalkInput& input, std::span<const std::array<int, 2>> surface_pairs)
{
  round_.clear();
  for (const auto& [a, b] : surface_pairs)
    round_.push_back({a, b, input.trees[a].root(), input.trees[b].root()});
  std::size_t chunk_count = 0;
  while (!round_.empty()) {
    const std::size_t first = chunk_count;
    chunk_count += (round_.size() + nodes_per_chunk - 1) / nodes_per_chunk;
    walk_round(input, first);
  }
  found_.clear();
  node_pairs_ = triangle_pairs_ = 0;
  for (std::size_t c = 0; c < chunk_count; ++c) {
    found_.push_back(&chunks_[c].pairs);
    node_pairs_ += chunks_[c].node_pairs;
    triangle_pairs_ += chunks_[c].triangle_pairs;
  }
}

}  // namespace tact
