#include <tact/contact/friction_pyramid.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>
#include <Eigen/LU>

#include <tact/core/error.hpp>

namespace tact {

FrictionPyramid::FrictionPyramid(int directions) : d(directions)
{
  if (d < 4 || d > 64 || d % 2 != 0) {
    throw Error(
        fmt::format("friction pyramid: {} directions, expected an even number from 4 to 64", d));
  }
  const double half_angle = std::numbers::pi / d;
  half_cos = std::cos(half_angle);
  for (int i = 0; i <= d; ++i) {
    const int x = i % d;  // the last entry equals the first to the bit
    cos_d.push_back(std::cos(2 * x * half_angle));
    sin_d.push_back(std::sin(2 * x * half_angle));
    cos_e.push_back(std::cos((2 * x + 1) * half_angle));
    sin_e.push_back(std::sin((2 * x + 1) * half_angle));
  }
  for (int x = 0; x < d; ++x) {
    Eigen::Matrix2d here, start;
    here << cos_d[x], cos_d[x + 1], sin_d[x], sin_d[x + 1];
    start << cos_d[0], cos_d[1], sin_d[0], sin_d[1];
    const Eigen::Matrix2d Q = here.inverse() * start;
    for (const double entry : {Q(0, 0), Q(0, 1), Q(1, 0), Q(1, 1)}) rebase_.push_back(entry);
  }
}

int FrictionPyramid::most_opposed(double u_1, double u_2) const
{
  int best = 0;
  double smallest = cos_d[0] * u_1 + sin_d[0] * u_2;
  for (int x = 1; x < d; ++x) {
    const double along = cos_d[x] * u_1 + sin_d[x] * u_2;
    if (along < smallest) {
      smallest = along;
      best = x;
    }
  }
  return best;
}

PyramidSplit split(const FrictionPyramid& pyramid, double t_1, double t_2)
{
  if (t_1 == 0.0 && t_2 == 0.0) return {};
  double angle = std::atan2(t_2, t_1);
  if (angle < 0.0) angle += 2.0 * std::numbers::pi;
  const int x = static_cast<int>(angle * pyramid.d / (2.0 * std::numbers::pi)) % pyramid.d;
  const double c_0 = pyramid.cos_d[x], s_0 = pyramid.sin_d[x];
  const double c_1 = pyramid.cos_d[x + 1], s_1 = pyramid.sin_d[x + 1];
  const double determinant = c_0 * s_1 - s_0 * c_1;
  // Round-off may leave one of them below zero by an ulp when the force lies along an edge.
  return {x, std::max(0.0, (t_1 * s_1 - t_2 * c_1) / determinant),
          std::max(0.0, (c_0 * t_2 - s_0 * t_1) / determinant)};
}

}  // namespace tact
