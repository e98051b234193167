// All pairs of boxes that overlap, or all that overlap a given one, by a binary tree of boxes:
// n log n to build, and about linear in the pairs to walk. Made for one look at a set of triangles;
// what moves from step to step has a tree of its own in the collision layer.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include <tact/geometry/aabb.hpp>

namespace tact {

class BoxTree {
 public:
  explicit BoxTree(std::span<const Aabb> boxes);

  // Calls visit(i, j) once, with i < j, for each pair of boxes that overlap or touch. The order of
  // the calls is fixed by the boxes.
  template <class Visit>
  void for_each_overlap(Visit visit) const
  {
    if (!nodes_.empty()) within(0, visit);
  }

  // Calls visit(i) for each box that overlaps or touches this one, in an order fixed by the boxes.
  template <class Visit>
  void for_each_overlap(const Aabb& box, Visit visit) const
  {
    if (!nodes_.empty()) across(0, box, visit);
  }

 private:
  // The left child of an inner node follows it at once.
  struct Node {
    Aabb box;
    int right = 0;  // the right child; 0 in a leaf
    int first = 0;  // items_[first] to items_[last], the latter excluded
    int last = 0;
  };
  struct Item {
    Aabb box;
    int index;
  };

  struct Entry {  // of the list that is halved again and again
    Vector3d middle;
    int index;
  };

  int build(std::span<const Aabb> boxes, std::span<Entry> entries);

  template <class Visit>
  void within(int n, Visit& visit) const
  {
    const Node& node = nodes_[n];
    if (node.right == 0) {
      for (int i = node.first; i < node.last; ++i)
        for (int j = i + 1; j < node.last; ++j) compare(items_[i], items_[j], visit);
      return;
    }
    within(n + 1, visit);
    within(node.right, visit);
    between(n + 1, node.right, visit);
  }

  template <class Visit>
  void between(int n, int m, Visit& visit) const
  {
    const Node& a = nodes_[n];
    const Node& b = nodes_[m];
    if (!overlap(a.box, b.box)) return;
    if (a.right == 0 && b.right == 0) {
      for (int i = a.first; i < a.last; ++i)
        for (int j = b.first; j < b.last; ++j) compare(items_[i], items_[j], visit);
    } else if (b.right == 0 || (a.right != 0 && a.last - a.first >= b.last - b.first)) {
      between(n + 1, m, visit);
      between(a.right, m, visit);
    } else {
      between(n, m + 1, visit);
      between(n, b.right, visit);
    }
  }

  template <class Visit>
  void across(int n, const Aabb& box, Visit& visit) const
  {
    const Node& node = nodes_[n];
    if (!overlap(node.box, box)) return;
    if (node.right != 0) {
      across(n + 1, box, visit);
      across(node.right, box, visit);
      return;
    }
    for (int i = node.first; i < node.last; ++i)
      if (overlap(items_[i].box, box)) visit(items_[i].index);
  }

  template <class Visit>
  static void compare(const Item& a, const Item& b, Visit& visit)
  {
    if (overlap(a.box, b.box)) visit(std::min(a.index, b.index), std::max(a.index, b.index));
  }

  std::vector<Node> nodes_;
  std::vector<Item> items_;
};

}  // namespace tact
