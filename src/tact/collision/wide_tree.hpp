// A tree of boxes over the triangles of one surface, with up to eight children a node.
//
// Boxes move (moving_box.hpp). The shape of the tree is fixed by the number of triangles: leaves
// hold eight each, in the order of `order`, and inner nodes halve their leaves three times.
// Geometry decides only which triangle goes where. So a subtree is rebuilt in place, by sorting its
// part of `order` anew.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/moving_box.hpp>
#include <tact/collision/surface_set.hpp>
#include <tact/collision/vertex_boxes.hpp>

namespace tact {

class WideTree {
 public:
  static constexpr int none = -1;  // in place of a child or a label

  // `labels`, one for each triangle of the set or none at all, are told of nodes too.
  explicit WideTree(IndexRange triangles, std::span<const int> labels = {});

  // Takes over where the triangles are now; `still`: so are its vertices.
  // The first call builds the tree. A later call rebuilds the subtree below each node with a child
  // whose surface area, at the start of the step, has more than doubled since that child was built.
  void refit(std::span<const Triangle> triangles, const VertexBoxes& vertex_boxes, bool still);

  bool empty() const { return leaf_count_ == 0; }
  // Leaves are numbered before inner nodes, these in depth-first order.
  int root() const { return inner_.empty() ? 0 : leaf_count_; }
  bool is_leaf(int node) const { return node < leaf_count_; }
  const MovingBox& box(int node) const { return boxes_[node]; }
  WideMovingBox child_boxes(int node) const
  {
    return {child_starts_[node], still_ ? child_starts_[node] : child_ends_[node]};
  }
  bool still() const { return still_; }
  bool built() const { return built_; }
  int child(int inner_node, int place) const
  {
    return inner_[inner_node - leaf_count_].children[place];
  }
  int triangle(int leaf, int place) const { return order_[8 * leaf + place]; }
  int label(int node) const { return labels_[node]; }  // of all its triangles, or none

  long rebuilt_triangles() const { return rebuilt_triangles_; }  // by all refits but the first

 private:
  struct Inner {
    std::array<int, 8> children;
    IndexRange leaves;
    int end = 0;  // inner nodes below this one have numbers up to here, excluded
  };

  // Where a triangle is when it is sorted.
  struct Place {
    std::array<double, 3> group{};  // the mean of all triangles with its label, or its own
    std::array<double, 3> own{};    // the middle of its box at the start
    int label = none;
  };

  int make_node(IndexRange leaves);
  IndexRange triangles_in(IndexRange leaves) const;  // places in order_
  void refit_leaf(int leaf, std::span<const Triangle> triangles, const VertexBoxes& vertex_boxes);
  void refit_inner(int node);
  void refit_range(IndexRange leaves, IndexRange inner, std::span<const Triangle> triangles,
                   const VertexBoxes& vertex_boxes);
  void place_triangles(IndexRange leaves, std::span<const Triangle> triangles,
                       const VertexBoxes& vertex_boxes);
  void sort_triangles(IndexRange leaves);
  void label_nodes(IndexRange leaves, IndexRange inner);
  void build(int node, std::span<const Triangle> triangles, const VertexBoxes& vertex_boxes);
  bool has_grown(int node) const;

  int first_triangle_ = 0;
  int leaf_count_ = 0;
  bool built_ = false;
  long rebuilt_triangles_ = 0;
  std::vector<int> order_;
  std::vector<int> triangle_labels_;  // may be empty
  std::vector<int> labels_;           // of each node
  std::vector<Inner> inner_;
  std::vector<MovingBox> boxes_;  // of each node
  // Of each node: its children, or the triangles of a leaf. What stands still has no other ends.
  std::vector<WideBox> child_starts_, child_ends_;
  bool still_ = false;
  std::vector<double> built_area_;  // of each node when it was built, m^2
  std::vector<Place> places_;       // of the triangles, while sorting
};

}  // namespace tact
