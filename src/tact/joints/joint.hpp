// Joints as geometry: what two frames, one fixed to either body, keep of each other, and along
// which lines a joint pushes. Knows no bodies, no steps.
//
// Both frames are at one place and turned alike when the joint is made; their first axis is that of
// the joint. With x_a, x_b the origins, A = (a_0 a_1 a_2) and B = (b_0 b_1 b_2) the axes:
//
//   weld        x_b - x_a,                        turn of B against A     6 equations
//   ball        x_b - x_a                                                 3
//   hinge       x_b - x_a,                        a_0 x b_0 (along a_1, a_2)   5
//   slider      (x_b - x_a) along a_1, a_2,       turn of B against A     5
//   cylinder    (x_b - x_a) along a_1, a_2,       a_0 x b_0               4
//   universal   x_b - x_a,                        a_0 . b_1               4
//   distance    |x_b - x_a| - length                                      1
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <tact/core/types.hpp>

namespace tact {

enum class JointKind { weld, ball, hinge, slider, cylinder, universal, distance };

inline constexpr std::array<std::string_view, 7> joint_kinds{
    "weld", "ball", "hinge", "slider", "cylinder", "universal", "distance"};

std::string_view name_of(JointKind kind);
std::optional<JointKind> joint_kind(std::string_view name);
[[nodiscard]] bool has_axis(JointKind kind);  // the others are the same whatever the axis

// Where a joint is on one of its bodies, in the world.
struct JointFrame {
  Vector3d at = Vector3d::Zero();        // m
  Matrix3d axes = Matrix3d::Identity();  // columns, right-handed; the first is the joint's
};

// One equation: `value` is to be zero, and changes at
//   force . (v_b - v_a) + torque . (w_b - w_a)
// with v the velocities of the bodies' matter at `point` and w their spins. So the impulse beta of
// the row acts on b as the force beta at the point with the torque beta, and on a as the opposite:
// at one point, so that joints give no momentum, linear or angular.
struct JointRow {
  double value = 0.0;  // m, or rad where the row turns
  bool turns = false;
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  Vector3d point = Vector3d::Zero();  // m
};

struct JointRows {
  std::array<JointRow, 6> rows;
  int count = 0;

  auto begin() const { return rows.begin(); }
  auto end() const { return rows.begin() + count; }
};

[[nodiscard]] int row_count(JointKind kind);

// `length` (m): what a `distance` keeps; others have none.
[[nodiscard]] JointRows joint_rows(JointKind kind, const JointFrame& a, const JointFrame& b,
                                   double length = 0.0);

// How far a joint is from what it keeps: lengths of the vectors above.
struct JointError {
  double length = 0.0;  // m
  double angle = 0.0;   // rad

  double worst() const { return length > angle ? length : angle; }
};

[[nodiscard]] JointError joint_error(const JointRows& rows);

// A right-handed frame whose first axis is this one, which need not be of unit length.
[[nodiscard]] Matrix3d axes_along(const Vector3d& axis);

}  // namespace tact
