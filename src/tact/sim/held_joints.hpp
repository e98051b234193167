// The joints of a world as bilateral rows of a step.
//
// Rows push along the lines that the joints have at the start of the step, and their biases are
// such that the joints hold at its end:
//
//   B v + bias = 0,   bias = g(end) / dt - B v      g: the values of the rows (joints/joint.hpp)
//
// where `end` is where v leads to: Newton's method, one solve a round, with the derivative of the
// start while that gets on, until g(end) is round-off. So nothing drifts, however far bodies turn
// in a step, and the motion of a mechanism is that of SHAKE [Ryckaert77], which neither gains nor
// loses energy in the long run. What a joint was open by at the start of the step is part of that
// bias, and moves bodies; it is no velocity of theirs, and leave_in() takes it out again where
// velocities are asked for.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/sim/linear_dynamics.hpp>
#include <tact/sim/pair_targets.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// What a joint does to its side b, in a step: the opposite to side a.
struct JointReaction {
  Vector3d force = Vector3d::Zero();   // N s
  Vector3d torque = Vector3d::Zero();  // N m s, about the point
  Vector3d point = Vector3d::Zero();   // m
};

class HeldJoints {
 public:
  explicit HeldJoints(const World& world) : world_(&world) {}

  bool empty() const { return world_->joints().empty(); }

  // Puts the rows of all joints into the problem, in their order, instead of those there are.
  void begin(const State& start, ContactProblem& problem);

  // Looks at where v led to: the error of the worst joint, what B v lacks in each row, and the
  // derivative of the rows at the end by v, in blocks as those of B.
  JointError look(const State& end, const VectorXd& v, double dt, const ContactProblem& problem);
  const VectorXd& missing() const { return missing_; }
  const std::vector<BilateralBlock>& blocks() const { return blocks_; }

  // Sets the biases to what B v has, plus what it lacks: a solve with them makes up for it.
  enum class Missing { left, asked_for };
  void follow(const VectorXd& v, Missing missing, ContactProblem& problem) const;

  // Biases by which joints move no further apart than they are: `still` is where a step ends in
  // which nothing moves but by scripts.
  void keep_open(const State& still, double dt, ContactProblem& problem) const;

  // Whether the joints were open at the start by so much that it shows in velocities.
  bool restores() const { return opened_.worst() > shows; }
  // Takes that out of the biases.
  void leave_in(double dt, ContactProblem& problem) const;

  // Of a step that starts here, for the forces of rows in the step before (N, N m).
  [[nodiscard]] std::vector<JointLoad> loads(const State& start,
                                             const std::vector<double>& forces) const;

  // The worst of all.
  [[nodiscard]] JointError error(const State& state) const;

  // One a mechanism, by its number: whether joints hold it to something, all of which rests, and
  // neither contacts nor springs, pins, air or given forces act on it.
  [[nodiscard]] std::vector<char> lone_mechanisms(const State& start, double dt,
                                                  std::span<const BodyPair> touching) const;

  // One a joint, of the rows of begin().
  [[nodiscard]] std::vector<JointReaction> reactions(const VectorXd& beta) const;

 private:
  static constexpr double shows = 1e-9;  // m, rad

  void append(const Joint& joint, const JointRow& row, const State& start,
              ContactProblem& problem) const;
  void differentiate(const Joint& joint, const JointRow& row, const State& end, const VectorXd& v,
                     double dt);

  const World* world_;
  std::vector<JointRows> rows_;  // at the start of the step, one a joint
  JointError opened_;            // there
  VectorXd missing_;             // m/s, rad/s, of look()
  std::vector<BilateralBlock> blocks_;
};

}  // namespace tact
