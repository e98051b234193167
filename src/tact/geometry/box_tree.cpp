#include <tact/geometry/box_tree.hpp>

#include <algorithm>

namespace tact {
namespace {

constexpr std::size_t leaf_size = 4;

}  // namespace

BoxTree::BoxTree(std::span<const Aabb> boxes)
{
  std::vector<Entry> entries;
  entries.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    entries.push_back({boxes[i].centre(), static_cast<int>(i)});
  nodes_.reserve(boxes.size());
  items_.reserve(boxes.size());
  if (!boxes.empty()) build(boxes, entries);
}

// Halves the entries at the median of their middles along the longest side of the box of these
// middles: the depth is log2 n whatever the input, equal boxes too.
int BoxTree::build(std::span<const Aabb> boxes, std::span<Entry> entries)
{
  const int n = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  const int first = static_cast<int>(items_.size());
  if (entries.size() <= leaf_size) {
    Aabb box;
    for (const Entry& entry : entries) {
      box.add(boxes[entry.index]);
      items_.push_back({boxes[entry.index], entry.index});
    }
    nodes_[n] = {box, 0, first, static_cast<int>(items_.size())};
    return n;
  }

  Aabb middles;
  for (const Entry& entry : entries) middles.add(entry.middle);
  int axis = 0;
  middles.extent().maxCoeff(&axis);
  const std::size_t half = entries.size() / 2;
  std::nth_element(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(half),
                   entries.end(), [axis](const Entry& x, const Entry& y) {
                     return x.middle[axis] != y.middle[axis] ? x.middle[axis] < y.middle[axis]
                                                             : x.index < y.index;
                   });
  const int left = build(boxes, entries.first(half));
  const int right = build(boxes, entries.subspan(half));
  Aabb box = nodes_[left].box;
  box.add(nodes_[right].box);
  nodes_[n] = {box, right, first, static_cast<int>(items_.size())};
  return n;
}

}  // namespace tact
