#include <tact/collision/sweep_and_prune.hpp>

#include <algorithm>
#include <numeric>

namespace tact {
namespace {

bool is_empty(const MovingBox& box)
{
  return !(box.start.low[0] <= box.start.high[0]);
}

double middle(const Box& box, int axis)
{
  return 0.5 * box.low[axis] + 0.5 * box.high[axis];
}

int axis_of_largest_spread(std::span<const MovingBox> boxes)
{
  std::array<double, 3> sum{}, square{};
  double count = 0.0;
  for (const MovingBox& box : boxes) {
    if (is_empty(box)) continue;
    count += 1.0;
    for (int k = 0; k < 3; ++k) {
      const double centre = middle(box.start, k);
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

void SweepAndPrune::choose_axis(std::span<const MovingBox> boxes)
{
  const int axis = axis_of_largest_spread(boxes);
  if (axis == axis_ && order_.size() == boxes.size()) return;
  axis_ = axis;
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
}

void SweepAndPrune::place_ranges(std::span<const MovingBox> boxes)
{
  ways_.clear();
  for (const MovingBox& box : boxes)
    if (!is_empty(box)) ways_.push_back(middle(box.end, axis_) - middle(box.start, axis_));
  const auto median = ways_.begin() + static_cast<std::ptrdiff_t>(ways_.size() / 2);
  if (!ways_.empty()) std::nth_element(ways_.begin(), median, ways_.end());
  const double way = ways_.empty() ? 0.0 : *median;
  ranges_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box &start = boxes[i].start, &end = boxes[i].end;
    ranges_[i] = {std::min(start.low[axis_], end.low[axis_] - way),
                  std::max(start.high[axis_], end.high[axis_] - way)};
  }
}

void SweepAndPrune::sort()
{
  const auto before = [&](int i, int j) {
    const double a = ranges_[i].low, b = ranges_[j].low;
    return a != b ? a < b : i < j;
  };
  // Most often nothing has changed places since the last call. Where much has, as after the first
  // call and when the axis changed, insertion would be quadratic.
  long steps = 0;
  const long most_steps = 16 * static_cast<long>(order_.size());
  for (std::size_t k = 1; k < order_.size() && steps <= most_steps; ++k) {
    const int moving = order_[k];
    std::size_t place = k;
    for (; place > 0 && before(moving, order_[place - 1]); --place, ++steps)
      order_[place] = order_[place - 1];
    order_[place] = moving;
  }
  if (steps > most_steps) std::sort(order_.begin(), order_.end(), before);
}

std::span<const std::array<int, 2>> SweepAndPrune::find_meetings(std::span<const MovingBox> boxes)
{
  choose_axis(boxes);
  place_ranges(boxes);
  sort();
  pairs_.clear();
  open_.clear();
  for (const int i : order_) {
    if (is_empty(boxes[i])) continue;
    std::erase_if(open_, [&](int j) { return ranges_[j].high < ranges_[i].low; });
    for (const int j : open_)
      if (meet(boxes[i], boxes[j])) pairs_.push_back({std::min(i, j), std::max(i, j)});
    open_.push_back(i);
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace tact
