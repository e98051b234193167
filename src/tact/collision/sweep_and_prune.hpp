// Which of some moving boxes meet: the upper level of the broad phase, one box a surface.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/moving_box.hpp>

namespace tact {

// Sorts the boxes along the axis on which their centres spread most and walks along it. They are
// seen by one who moves along as their median does, so that what flies together does not sweep
// the axis. The order is kept from call to call: little changes from step to step, and an
// insertion sort of what is nearly sorted is linear.
//
// Two boxes of which one passes the other's end along the axis neither at the start nor at the end
// keep apart. Subtracting the same number from both ends keeps their order, also when rounded: no
// pair is lost by moving along.
class SweepAndPrune {
 public:
  // All pairs (i, j), i < j, of boxes that meet (moving_box.hpp), in ascending order. Valid until
  // the next call. Boxes that are empty (low above high) meet nothing.
  std::span<const std::array<int, 2>> find_meetings(std::span<const MovingBox> boxes);

 private:
  struct Range {
    double low = 0.0, high = 0.0;  // m, all that a box passes along the axis
  };

  void choose_axis(std::span<const MovingBox> boxes);
  void place_ranges(std::span<const MovingBox> boxes);
  void sort();

  std::vector<int> order_;  // by the low ends of the ranges
  std::vector<Range> ranges_;
  std::vector<double> ways_;
  int axis_ = 0;
  std::vector<int> open_;  // boxes that the walk has entered and not yet left
  std::vector<std::array<int, 2>> pairs_;
};

}  // namespace tact
