// Which of some boxes overlap: the upper level of the broad phase, one box a surface.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/swept_box.hpp>

namespace tact {

// Sorts the boxes along the axis on which their centres spread most and walks along it. The order
// is kept from call to call: little changes from step to step, and an insertion sort of what is
// nearly sorted is linear.
class SweepAndPrune {
 public:
  // All pairs (i, j), i < j, of boxes that overlap or touch, in ascending order. Valid until the
  // next call. Boxes that are empty (low above high) overlap nothing.
  std::span<const std::array<int, 2>> find_overlaps(std::span<const SweptBox> boxes);

 private:
  void sort(std::span<const SweptBox> boxes);

  std::vector<int> order_;  // by the low ends of the boxes
  int axis_ = 0;
  std::vector<int> open_;  // boxes that the walk has entered and not yet left
  std::vector<std::array<int, 2>> pairs_;
};

}  // namespace tact
