#include <tact/joints/joint_motion.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tact {

double Course::at(double t) const
{
  if (keys.empty()) return 0.0;
  const auto later = std::upper_bound(keys.begin(), keys.end(), t,
                                      [](double time, const Key& key) { return time < key.t; });
  if (later == keys.begin()) return keys.front().value;
  if (later == keys.end()) return keys.back().value;
  const Key& a = *(later - 1);
  const double share = (t - a.t) / (later->t - a.t);
  return a.value + share * (later->value - a.value);
}

bool JointMotion::ends() const
{
  return std::isfinite(low) || std::isfinite(high);
}

bool has_motion(JointKind kind)
{
  return kind == JointKind::hinge || kind == JointKind::slider || kind == JointKind::cylinder;
}

JointRow motion_row(JointKind kind, const JointFrame& a, const JointFrame& b, double length)
{
  if (kind == JointKind::distance) return joint_rows(kind, a, b, length).rows[0];
  const Vector3d axis = a.axes.col(0);
  if (kind != JointKind::hinge)
    return {.value = axis.dot(b.at - a.at), .turns = false, .force = axis, .point = b.at};
  const double angle =
      std::atan2(b.axes.col(1).dot(a.axes.col(2)), b.axes.col(1).dot(a.axes.col(1)));
  return {.value = angle, .turns = true, .torque = axis, .point = 0.5 * (a.at + b.at)};
}

double nearest_turn(double angle, double other)
{
  constexpr double whole = 2.0 * std::numbers::pi;
  return angle + whole * std::round((other - angle) / whole);
}

double beyond_ends(const JointMotion& motion, double value)
{
  return std::max({0.0, motion.low - value, value - motion.high});
}

}  // namespace tact
