#include <tact/viewer/quantised.hpp>

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

constexpr double largest = 65535.0;

}  // namespace

QuantisedBox quantised_box(const Aabb& box, int bits)
{
  const double steps = std::exp2(bits) - 1.0;
  QuantisedBox quantised;
  if (box.empty()) return quantised;
  for (int k = 0; k < 3; ++k) {
    quantised.low[k] = static_cast<float>(box.low[k]);
    quantised.step[k] = static_cast<float>((box.high[k] - box.low[k]) / steps);
  }
  return quantised;
}

void quantise(std::span<const Vector3d> points, const QuantisedBox& box,
              std::vector<std::uint16_t>& numbers)
{
  std::array<double, 3> scale{};  // 0 where the box is flat
  for (int k = 0; k < 3; ++k) scale[k] = box.step[k] > 0.0f ? 1.0 / box.step[k] : 0.0;
  const std::size_t known = numbers.size();
  numbers.resize(known + 3 * points.size());
  std::uint16_t* out = numbers.data() + known;
  // In this order of arguments what is no number, as in a damaged recording, becomes one.
  for (const Vector3d& point : points)
    for (int k = 0; k < 3; ++k)
      *out++ = static_cast<std::uint16_t>(
          std::max(0.0, std::min(largest, (point[k] - box.low[k]) * scale[k] + 0.5)));
}

Vector3d restore(const std::uint16_t* number, const QuantisedBox& box)
{
  Vector3d point;
  for (int k = 0; k < 3; ++k) point[k] = box.low[k] + box.step[k] * static_cast<float>(number[k]);
  return point;
}

}  // namespace tact
