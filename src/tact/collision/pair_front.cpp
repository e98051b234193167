#include <tact/collision/pair_front.hpp>

#include <algorithm>
#include <bit>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace tact {
namespace {

constexpr int places_per_chunk = 32;  // some hundred pairs of leaves, 10 us and more

// When more than this share of the places is fruitless, the next walk starts at the roots.
constexpr double allowed_fruitless = 0.25;

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

bool same_node(const FrontPair& place)
{
  return place.surface_a == place.surface_b && place.node_a == place.node_b;
}

// The pairs of children that overlap. A leaf beside an inner node has no children that count: it is
// compared as a whole, and the bit is the place in the other.
std::uint64_t overlapping_children(const WideTree& a, const WideTree& b, const FrontPair& place)
{
  if (a.is_leaf(place.node_a)) return overlaps(b.child_boxes(place.node_b), a.box(place.node_a));
  if (b.is_leaf(place.node_b)) return overlaps(a.child_boxes(place.node_a), b.box(place.node_b));
  const std::uint64_t bits = overlaps(a.child_boxes(place.node_a), b.child_boxes(place.node_b));
  return same_node(place) ? bits & with_diagonal : bits;
}

FrontPair child_pair(const WideTree& a, const WideTree& b, const FrontPair& place, int bit)
{
  FrontPair child = place;
  child.listed = 0;
  const bool both = !a.is_leaf(place.node_a) && !b.is_leaf(place.node_b);
  if (!a.is_leaf(place.node_a)) child.node_a = a.child(place.node_a, both ? bit / 8 : bit);
  if (!b.is_leaf(place.node_b)) child.node_b = b.child(place.node_b, bit % 8);
  return child;
}

std::array<int, 2> surfaces_of(const FrontPair& place)
{
  return {place.surface_a, place.surface_b};
}

}  // namespace

void PairFront::select(std::span<const std::array<int, 2>> surface_pairs,
                       std::span<const WideTree> trees)
{
  next_front_.clear();
  auto place = front_.begin();
  for (const auto& pair : surface_pairs) {
    while (place != front_.end() && surfaces_of(*place) < pair) ++place;
    if (place == front_.end() || surfaces_of(*place) != pair)
      next_front_.push_back({pair[0], pair[1], trees[pair[0]].root(), trees[pair[1]].root()});
    for (; place != front_.end() && surfaces_of(*place) == pair; ++place)
      next_front_.push_back(*place);
  }
  front_.swap(next_front_);
}

void PairFront::compare_leaves(const WalkInput& input, const FrontPair& leaves,
                               LeafFeatures& scratch, Chunk& chunk)
{
  const WideTree& a = input.trees[leaves.surface_a];
  const WideTree& b = input.trees[leaves.surface_b];
  std::uint64_t bits = overlaps(a.child_boxes(leaves.node_a), b.child_boxes(leaves.node_b));
  if (same_node(leaves)) bits &= above_diagonal;
  ++chunk.node_pairs;
  chunk.triangle_pairs += std::popcount(bits);
  unsigned loaded_a = 0, loaded_b = 0;
  for (; bits != 0; bits &= bits - 1) {
    const int bit = std::countr_zero(bits), i = bit / 8, j = bit % 8;
    if (!(loaded_a >> i & 1u))
      load_features(input.surfaces, input.vertex_boxes, a.triangle(leaves.node_a, i), scratch.a[i]);
    if (!(loaded_b >> j & 1u))
      load_features(input.surfaces, input.vertex_boxes, b.triangle(leaves.node_b, j), scratch.b[j]);
    loaded_a |= 1u << i;
    loaded_b |= 1u << j;
    add_pairs(input.surfaces, input.vertex_boxes, scratch.a[i], scratch.b[j], chunk.pairs);
  }
}

void PairFront::look_at(const WalkInput& input, FrontPair place, LeafFeatures& scratch,
                        Chunk& chunk)
{
  const WideTree& a = input.trees[place.surface_a];
  const WideTree& b = input.trees[place.surface_b];
  const std::size_t index = chunk.front.size();
  chunk.front.push_back(place);
  if (a.is_leaf(place.node_a) && b.is_leaf(place.node_b)) {  // both are roots
    compare_leaves(input, place, scratch, chunk);
    return;
  }
  ++chunk.node_pairs;
  std::uint64_t bits = overlapping_children(a, b, place);
  if (bits == 0) ++chunk.fruitless;
  for (; bits != 0; bits &= bits - 1) {
    const int bit = std::countr_zero(bits);
    const FrontPair child = child_pair(a, b, place, bit);
    if (a.is_leaf(child.node_a) && b.is_leaf(child.node_b)) {
      compare_leaves(input, child, scratch, chunk);
    } else if (!(place.listed >> bit & 1u)) {
      place.listed |= std::uint64_t{1} << bit;
      look_at(input, child, scratch, chunk);
    }
  }
  chunk.front[index].listed = place.listed;
}

void PairFront::walk(const WalkInput& input)
{
  const auto place_count = static_cast<int>(front_.size());
  const int chunk_count = (place_count + places_per_chunk - 1) / places_per_chunk;
  if (static_cast<int>(chunks_.size()) < chunk_count) chunks_.resize(chunk_count);
  tbb::parallel_for(tbb::blocked_range<int>(0, chunk_count, 1),
                    [&](const tbb::blocked_range<int>& run) {
                      LeafFeatures scratch;
                      for (int c = run.begin(); c != run.end(); ++c) {
                        Chunk& chunk = chunks_[c];
                        chunk.front.clear();
                        chunk.pairs.clear();
                        chunk.node_pairs = chunk.triangle_pairs = chunk.fruitless = 0;
                        const int last = std::min((c + 1) * places_per_chunk, place_count);
                        for (int i = c * places_per_chunk; i < last; ++i)
                          look_at(input, front_[i], scratch, chunk);
                      }
                    });
  collect(chunk_count);
}

void PairFront::collect(int chunk_count)
{
  front_.clear();
  found_.clear();
  node_pairs_ = triangle_pairs_ = 0;
  long fruitless = 0;
  for (int c = 0; c < chunk_count; ++c) {
    const Chunk& chunk = chunks_[c];
    front_.insert(front_.end(), chunk.front.begin(), chunk.front.end());
    found_.push_back(&chunk.pairs);
    node_pairs_ += chunk.node_pairs;
    triangle_pairs_ += chunk.triangle_pairs;
    fruitless += chunk.fruitless;
  }
  if (static_cast<double>(fruitless) > allowed_fruitless * static_cast<double>(front_.size()))
    forget();
}

}  // namespace tact
