#include <tact/sim/held_motions.hpp>

#include <algorithm>
#include <cmath>

namespace tact {
namespace {

// Of the way of a step: ends that are farther from where it is expected to end have no row.
constexpr double ways_ahead = 2.0;

}  // namespace

HeldMotions::HeldMotions(const World& world) : world_(&world), places_(world.joints().size(), 0.0)
{
}

void HeldMotions::begin(const State& start, const State& expected, double dt,
                        std::span<const double> forces)
{
  start_ = start;
  dt_ = dt;
  rows_.clear();
  for (int j = 0; j < static_cast<int>(world_->joints().size()); ++j) {
    const JointMotion& motion = world_->joints()[j].motion;
    if (!motion.acts()) continue;
    add_ends(j, place(j, expected), forces);
    if (motion.friction > 0.0) add(j, Kind::friction, place(j, start));
    if (motion.motor.kind != MotorKind::none)
      add(j, Kind::motor, goal_of(motion.motor, place(j, start)));
  }
}

// Those that pushed in the last step, and those that the step may come to.
void HeldMotions::add_ends(int joint, double expected, std::span<const double> forces)
{
  const JointMotion& motion = world_->joints()[joint].motion;
  const double from = place(joint, start_), way = ways_ahead * std::abs(expected - from);
  const auto pushed = [&](Kind kind) {
    const std::size_t slot = static_cast<std::size_t>(kinds * joint) + static_cast<int>(kind);
    return slot < forces.size() && forces[slot] != 0.0;
  };
  if (std::isfinite(motion.low) && (expected - way <= motion.low || pushed(Kind::low)))
    add(joint, Kind::low, motion.low);
  if (std::isfinite(motion.high) && (expected + way >= motion.high || pushed(Kind::high)))
    add(joint, Kind::high, motion.high);
}

int HeldMotions::admit(const State& end)
{
  const std::size_t known = rows_.size();
  for (int j = 0; j < static_cast<int>(world_->joints().size()); ++j) {
    const JointMotion& motion = world_->joints()[j].motion;
    if (!motion.ends()) continue;
    const double at = place(j, end);
    if (at < motion.low && !has(j, Kind::low)) add(j, Kind::low, motion.low);
    if (at > motion.high && !has(j, Kind::high)) add(j, Kind::high, motion.high);
  }
  return static_cast<int>(rows_.size() - known);
}

bool HeldMotions::has(int joint, Kind kind) const
{
  return std::ranges::any_of(
      rows_, [&](const Row& row) { return row.joint == joint && row.kind == kind; });
}

void HeldMotions::add(int joint, Kind kind, double goal)
{
  Row row{.joint = joint, .kind = kind, .goal = goal};
  row.at_start = row_at(row, start_);
  rows_.push_back(row);
}

// A force has no goal: its row is never tight.
double HeldMotions::goal_of(const Motor& motor, double from) const
{
  const double t = start_.t, later = start_.t + dt_;
  if (motor.kind == MotorKind::position) return motor.target.at(later);
  if (motor.kind == MotorKind::speed)
    return from + 0.5 * dt_ * (motor.target.at(t) + motor.target.at(later));
  return from;
}

void HeldMotions::limit(const Row& row, BilateralRow& limited) const
{
  const JointMotion& motion = world_->joints()[row.joint].motion;
  const Motor& motor = motion.motor;
  switch (row.kind) {
    case Kind::low: limited.lower = 0.0; break;
    case Kind::high: limited.upper = 0.0; break;
    case Kind::friction:
      limited.upper = motion.friction * dt_;
      limited.lower = -limited.upper;
      break;
    case Kind::motor:
      limited.upper = motor.most * dt_;
      limited.lower = -limited.upper;
      if (motor.kind == MotorKind::force)
        limited.lower = limited.upper =
            0.5 * dt_ * (motor.target.at(start_.t) + motor.target.at(start_.t + dt_));
      break;
  }
}

double HeldMotions::place(int joint, const State& state) const
{
  const Joint& own = world_->joints()[joint];
  const JointRow row = motion_row(own.kind, frame_of(*world_, state, own.a),
                                  frame_of(*world_, state, own.b), own.length);
  return row.turns ? nearest_turn(row.value, places_[joint]) : row.value;
}

JointRow HeldMotions::row_at(const Row& row, const State& state) const
{
  const Joint& own = world_->joints()[row.joint];
  JointRow found = motion_row(own.kind, frame_of(*world_, state, own.a),
                              frame_of(*world_, state, own.b), own.length);
  if (found.turns) found.value = nearest_turn(found.value, places_[row.joint]);
  found.value -= row.goal;
  return found;
}

double HeldMotions::beyond(int joint, const State& state) const
{
  const JointMotion& motion = world_->joints()[joint].motion;
  return motion.ends() ? beyond_ends(motion, place(joint, state)) : 0.0;
}

void HeldMotions::keep(const State& end)
{
  for (int j = 0; j < static_cast<int>(places_.size()); ++j)
    if (world_->joints()[j].motion.acts()) places_[j] = place(j, end);
}

}  // namespace tact
