#include <tact/run/recorded_joint.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <tact/joints/joint_motion.hpp>

namespace tact {
namespace {

double beyond_range(const JointMotion& motion, const JointRow& row)
{
  if (!row.turns) return beyond_ends(motion, row.value);
  double least = std::numeric_limits<double>::infinity();
  for (const double end : {motion.low, motion.high})
    for (const int whole : {-1, 0, 1})
      if (std::isfinite(end))
        least = std::min(least, beyond_ends(motion, nearest_turn(row.value, end) +
                                                        2.0 * std::numbers::pi * whole));
  return least;
}

}  // namespace

JointError recorded_joint_error(const RecordedJoint& joint, JointKind kind, const JointFrame& a,
                                const JointFrame& b)
{
  JointError error;
  if (!joint.rope) error = joint_error(joint_rows(kind, a, b, joint.length));
  const JointMotion motion{.low = joint.low, .high = joint.high};
  if (!motion.ends()) return error;
  const JointRow row = motion_row(kind, a, b, joint.length);
  double& worst = row.turns ? error.angle : error.length;
  worst = std::max(worst, beyond_range(motion, row));
  return error;
}

}  // namespace tact
