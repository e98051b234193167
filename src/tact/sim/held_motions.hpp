// What acts along the motions that joints leave (joints/joint_motion.hpp), as rows of a step behind
// the equations of all joints:
//
//   w = (q(end) - goal) / dt,   lower <= beta <= upper,   w >= 0 at the lower, <= 0 at the upper
//
// with q where the joint is along its motion. The goal is an end of the range, or where dry
// friction or a motor would have it. A row whose impulse lies between its limits is tight: it holds
// as joints do, to round-off, at the end of the step. Ends of a range have a row only where the
// motion comes near them.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/sim/world.hpp>

namespace tact {

class HeldMotions {
 public:
  enum class Kind { low, high, friction, motor };
  static constexpr int kinds = 4;  // a joint has one force of each in memories

  struct Row {
    int joint = 0;
    Kind kind = Kind::low;
    double goal = 0.0;       // m or rad
    JointRow at_start = {};  // of the step
  };

  explicit HeldMotions(const World& world);

  // The rows of a step of length dt; `expected`: about where it will end. forces: N or N m of the
  // last step, kinds a joint; none at the start.
  void begin(const State& start, const State& expected, double dt, std::span<const double> forces);
  // More rows: of ends that this motion passes and that have none. How many there are.
  int admit(const State& end);
  std::span<const Row> rows() const { return rows_; }

  // The limits of a row's impulse in that step: those of `row` are set.
  void limit(const Row& row, BilateralRow& limited) const;

  // Where a joint is along its motion: turns are counted.
  double place(int joint, const State& state) const;
  // The same of the row, with its value: how far it is from the goal.
  JointRow row_at(const Row& row, const State& state) const;
  // m or rad: how far a joint is beyond the ends of its range.
  double beyond(int joint, const State& state) const;

  void keep(const State& end);  // the step is committed
  std::vector<double> memory() const { return places_; }
  void restore(std::span<const double> places) { places_.assign(places.begin(), places.end()); }

 private:
  void add_ends(int joint, double expected, std::span<const double> forces);
  void add(int joint, Kind kind, double goal);
  bool has(int joint, Kind kind) const;
  double goal_of(const Motor& motor, double from) const;

  const World* world_;
  std::vector<double> places_;  // m or rad, one a joint: at the end of the last step
  std::vector<Row> rows_;
  State start_;
  double dt_ = 0.0;
};

}  // namespace tact
