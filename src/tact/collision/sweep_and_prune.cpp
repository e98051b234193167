#include <tact/collision/sweep_and_prune.hpp>

#include <algorithm>
#include <numeric>

namespace tact {
namespace {

bool is_empty(const SweptBox& box)
{
  return !(box.low[0] <= box.high[0]);
}

int axis_of_largest_spread(std::span<const SweptBox> boxes)
{
  std::array<double, 3> sum{}, square{};
  double count = 0.0;
  for (const SweptBox& box : boxes) {
    if (is_empty(box)) continue;
    count += 1.0;
    for (int k = 0; k < 3; ++k) {
      const double centre = 0.5 * box.low[k] + 0.5 * box.high[k];
      sum[k] += centre;
      square[k] += centre * centre;
    }
  }
  const auto spread = [&](int k) { return count * square[k] - sum[k] * sum[k]; };
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (spread(k) > spread(axis)) axis = k;
  return axis;
}

}  // namespace

void SweepAndPrune::sort(std::span<const SweptBox> boxes)
{
  const int axis = axis_of_largest_spread(boxes);
  const auto before = [&](int i, int j) {
    const double a = boxes[i].low[axis], b = boxes[j].low[axis];
    return a != b ? a < b : i < j;
  };
  if (axis != axis_ || order_.size() != boxes.size()) {
    axis_ = axis;
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), before);
    return;
  }
  for (std::size_t k = 1; k < order_.size(); ++k) {
    const int moving = order_[k];
    std::size_t place = k;
    for (; place > 0 && before(moving, order_[place - 1]); --place)
      order_[place] = order_[place - 1];
    order_[place] = moving;
  }
}

std::span<const std::array<int, 2>> SweepAndPrune::find_overlaps(std::span<const SweptBox> boxes)
{
  sort(boxes);
  pairs_.clear();
  open_.clear();
  for (const int i : order_) {
    if (is_empty(boxes[i])) continue;
    std::erase_if(open_, [&](int j) { return boxes[j].high[axis_] < boxes[i].low[axis_]; });
    for (const int j : open_)
      if (overlap(boxes[i], boxes[j])) pairs_.push_back({std::min(i, j), std::max(i, j)});
    open_.push_back(i);
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace tact
