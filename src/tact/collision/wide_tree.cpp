#include <tact/collision/wide_tree.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace tact {
namespace {

constexpr double allowed_growth = 2.0;  // of a surface area, until the subtree is rebuilt
constexpr int leaves_per_task = 64;

int middle_of(IndexRange range)
{
  return range.first + (range.size() + 1) / 2;
}

Box triangle_box(const Triangle& t, std::span<const Box> vertex_boxes)
{
  return merged(merged(vertex_boxes[t[0]], vertex_boxes[t[1]]), vertex_boxes[t[2]]);
}

// The runs of leaves that one node gives to its children: halved three times.
int divide(IndexRange leaves, int levels, std::array<IndexRange, 8>& parts, int count)
{
  if (levels == 0 || leaves.size() == 1) {
    parts[count] = leaves;
    return count + 1;
  }
  const int middle = middle_of(leaves);
  count = divide({leaves.first, middle}, levels - 1, parts, count);
  return divide({middle, leaves.last}, levels - 1, parts, count);
}

}  // namespace

WideTree::WideTree(IndexRange triangles, std::span<const int> labels)
    : first_triangle_(triangles.first), leaf_count_((triangles.size() + 7) / 8)
{
  order_.resize(triangles.size());
  std::iota(order_.begin(), order_.end(), triangles.first);
  if (leaf_count_ > 1) make_node({0, leaf_count_});
  const std::size_t node_count = leaf_count_ + inner_.size();
  boxes_.resize(node_count);
  child_starts_.resize(node_count);
  for (WideBox& wide : child_starts_)
    for (int place = 0; place < 8; ++place) wide.set(place, no_box());
  child_ends_ = child_starts_;
  built_area_.resize(node_count);
  labels_.resize(node_count, none);
  if (!labels.empty())
    triangle_labels_.assign(labels.begin() + triangles.first, labels.begin() + triangles.last);
}

int WideTree::make_node(IndexRange leaves)
{
  if (leaves.size() == 1) return leaves.first;
  const auto i = static_cast<int>(inner_.size());
  inner_.emplace_back();
  Inner inner{.children = {none, none, none, none, none, none, none, none}, .leaves = leaves};
  std::array<IndexRange, 8> parts;
  const int count = divide(leaves, 3, parts, 0);
  for (int place = 0; place < count; ++place) inner.children[place] = make_node(parts[place]);
  inner.end = leaf_count_ + static_cast<int>(inner_.size());
  inner_[i] = inner;
  return leaf_count_ + i;
}

void WideTree::refit_leaf(int leaf, std::span<const Triangle> triangles,
                          const VertexBoxes& vertex_boxes)
{
  MovingBox whole = no_moving_box();
  const int count = std::min(8, static_cast<int>(order_.size()) - 8 * leaf);
  for (int place = 0; place < count; ++place) {
    const Triangle& t = triangles[triangle(leaf, place)];
    const Box start = triangle_box(t, vertex_boxes.starts());
    child_starts_[leaf].set(place, start);
    whole.start = merged(whole.start, start);
    if (still_) continue;
    const Box end = triangle_box(t, vertex_boxes.ends());
    child_ends_[leaf].set(place, end);
    whole.end = merged(whole.end, end);
  }
  if (still_) whole.end = whole.start;
  boxes_[leaf] = whole;
}

void WideTree::refit_inner(int node)
{
  MovingBox whole = no_moving_box();
  for (int place = 0; place < 8 && child(node, place) != none; ++place) {
    const MovingBox& box = boxes_[child(node, place)];
    child_starts_[node].set(place, box.start);
    if (!still_) child_ends_[node].set(place, box.end);
    whole = merged(whole, box);
  }
  boxes_[node] = whole;
}

void WideTree::refit_range(IndexRange leaves, IndexRange inner, std::span<const Triangle> triangles,
                           const VertexBoxes& vertex_boxes)
{
  tbb::parallel_for(tbb::blocked_range<int>(leaves.first, leaves.last, leaves_per_task),
                    [&](const tbb::blocked_range<int>& run) {
                      for (int leaf = run.begin(); leaf != run.end(); ++leaf)
                        refit_leaf(leaf, triangles, vertex_boxes);
                    });
  for (int node = inner.last - 1; node >= inner.first; --node) refit_inner(node);  // children first
}

IndexRange WideTree::triangles_in(IndexRange leaves) const
{
  return {8 * leaves.first, std::min(8 * leaves.last, static_cast<int>(order_.size()))};
}

void WideTree::place_triangles(IndexRange leaves, std::span<const Triangle> triangles,
                               const VertexBoxes& vertex_boxes)
{
  places_.resize(order_.size());
  const auto [first, last] = triangles_in(leaves);
  std::vector<std::array<double, 4>> sums;  // of each label: x, y, z, count
  for (int i = first; i < last; ++i) {
    const Box box = triangle_box(triangles[order_[i]], vertex_boxes.starts());
    Place& place = places_[order_[i] - first_triangle_];
    for (int k = 0; k < 3; ++k) place.own[k] = 0.5 * box.low[k] + 0.5 * box.high[k];
    place.group = place.own;
    place.label = triangle_labels_.empty() ? none : triangle_labels_[order_[i] - first_triangle_];
    if (place.label == none) continue;
    if (place.label >= static_cast<int>(sums.size())) sums.resize(place.label + 1);
    for (int k = 0; k < 3; ++k) sums[place.label][k] += place.own[k];
    sums[place.label][3] += 1.0;
  }
  for (int i = first; i < last; ++i) {
    Place& place = places_[order_[i] - first_triangle_];
    if (place.label == none) continue;
    for (int k = 0; k < 3; ++k) place.group[k] = sums[place.label][k] / sums[place.label][3];
  }
}

// Halves the triangles at the median of the longest axis, down to the leaves. Triangles with one
// label go together as long as there are others to part from. Ties are broken by number, so that
// the order depends on nothing but the positions.
void WideTree::sort_triangles(IndexRange leaves)
{
  if (leaves.size() <= 1) return;
  const auto [first, last] = triangles_in(leaves);
  std::array<double, 3> low = places_[order_[first] - first_triangle_].own, high = low;
  for (int i = first; i < last; ++i) {
    const auto& m = places_[order_[i] - first_triangle_].own;
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], m[k]);
      high[k] = std::max(high[k], m[k]);
    }
  }
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[axis] - low[axis]) axis = k;

  const int middle = middle_of(leaves);
  const auto begin = order_.begin();
  std::nth_element(begin + first, begin + 8 * middle, begin + last, [&](int s, int t) {
    const Place& a = places_[s - first_triangle_];
    const Place& b = places_[t - first_triangle_];
    return std::tuple(a.group[axis], a.label, a.own[axis], s) <
           std::tuple(b.group[axis], b.label, b.own[axis], t);
  });
  sort_triangles({leaves.first, middle});
  sort_triangles({middle, leaves.last});
}

void WideTree::label_nodes(IndexRange leaves, IndexRange inner)
{
  if (triangle_labels_.empty()) return;
  for (int leaf = leaves.first; leaf < leaves.last; ++leaf) {
    const auto begin = order_.begin() + 8 * leaf;
    const auto end = order_.begin() + std::min(8 * leaf + 8, static_cast<int>(order_.size()));
    const auto label_of = [&](int t) { return triangle_labels_[t - first_triangle_]; };
    const int first = label_of(*begin);
    const bool common = std::all_of(begin, end, [&](int t) { return label_of(t) == first; });
    labels_[leaf] = common ? first : none;
  }
  for (int node = inner.last - 1; node >= inner.first; --node) {  // children first
    const auto& children = inner_[node - leaf_count_].children;
    const int first = labels_[children[0]];
    const bool common = std::all_of(children.begin(), children.end(),
                                    [&](int c) { return c == none || labels_[c] == first; });
    labels_[node] = common ? first : none;
  }
}

void WideTree::build(int node, std::span<const Triangle> triangles, const VertexBoxes& vertex_boxes)
{
  const bool leaf = is_leaf(node);
  const IndexRange leaves = leaf ? IndexRange{node, node + 1} : inner_[node - leaf_count_].leaves;
  const IndexRange inner = leaf ? IndexRange{} : IndexRange{node, inner_[node - leaf_count_].end};
  place_triangles(leaves, triangles, vertex_boxes);
  sort_triangles(leaves);
  label_nodes(leaves, inner);
  refit_range(leaves, inner, triangles, vertex_boxes);
  for (int i = leaves.first; i < leaves.last; ++i) built_area_[i] = surface_area(boxes_[i].start);
  for (int i = inner.first; i < inner.last; ++i) built_area_[i] = surface_area(boxes_[i].start);
}

bool WideTree::has_grown(int node) const
{
  return surface_area(boxes_[node].start) > allowed_growth * built_area_[node];
}

void WideTree::refit(std::span<const Triangle> triangles, const VertexBoxes& vertex_boxes,
                     bool still)
{
  if (empty()) return;
  still_ = still;
  const int node_count = leaf_count_ + static_cast<int>(inner_.size());
  if (!built_) {
    build(root(), triangles, vertex_boxes);
    built_ = true;
    return;
  }
  refit_range({0, leaf_count_}, {leaf_count_, node_count}, triangles, vertex_boxes);
  for (int node = leaf_count_; node < node_count;) {
    const Inner& inner = inner_[node - leaf_count_];
    const bool grown = std::any_of(inner.children.begin(), inner.children.end(),
                                   [&](int c) { return c != none && has_grown(c); });
    if (grown) {
      build(node, triangles, vertex_boxes);
      rebuilt_triangles_ += 8L * inner.leaves.size();
      node = inner.end;
    } else {
      ++node;
    }
  }
}

}  // namespace tact
