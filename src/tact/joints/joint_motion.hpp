// What acts along the one motion that a hinge (its turn), a slider and a cylinder (their slide)
// leave, and a rope: where it ends, dry friction, a motor. Each is a row of that motion whose
// impulse lies between limits:
//
//   lower end      impulse >= 0,                  0 where the motion ends above it
//   upper end      impulse <= 0
//   dry friction   |impulse| <= friction dt,      at the bound where it slides
//   motor          |impulse| <= most dt,          at the bound where it is behind its target
#pragma once

#include <limits>
#include <vector>

#include <tact/joints/joint.hpp>

namespace tact {

// A number over time: linear between keys, constant before the first and after the last.
struct Course {
  struct Key {
    double t = 0.0;  // s
    double value = 0.0;
  };
  std::vector<Key> keys = {};  // times ascend

  double at(double t) const;
};

enum class MotorKind { none, speed, position, force };

struct Motor {
  MotorKind kind = MotorKind::none;
  Course target = {};                                     // m/s or rad/s; m or rad; N or N m
  double most = std::numeric_limits<double>::infinity();  // N or N m: its largest force
};

struct JointMotion {
  double low = -std::numeric_limits<double>::infinity();  // m or rad, 0 where it is at the start
  double high = std::numeric_limits<double>::infinity();
  double friction = 0.0;  // N or N m
  Motor motor = {};

  bool ends() const;
  bool acts() const { return ends() || friction > 0.0 || motor.kind != MotorKind::none; }
};

[[nodiscard]] bool has_motion(JointKind kind);

// The row of that motion; its value is where the joint is along it: b against a, turns in
// (-pi, pi]. Of a distance, how much longer than its length it is.
[[nodiscard]] JointRow motion_row(JointKind kind, const JointFrame& a, const JointFrame& b,
                                  double length = 0.0);

// The angle that is that one up to whole turns and nearest to another.
[[nodiscard]] double nearest_turn(double angle, double other);

// How far beyond an end it is; 0 between them.
[[nodiscard]] double beyond_ends(const JointMotion& motion, double value);

}  // namespace tact
