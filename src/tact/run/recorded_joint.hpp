// How far a recorded joint is from what it keeps, and beyond the ends of its range.
#pragma once

#include <tact/joints/joint.hpp>
#include <tact/recording/recording.hpp>

namespace tact {

// By the frames of its sides. Whole turns do not show in these: an angle is in its range where some
// number of them takes it there.
[[nodiscard]] JointError recorded_joint_error(const RecordedJoint& joint, JointKind kind,
                                              const JointFrame& a, const JointFrame& b);

}  // namespace tact
