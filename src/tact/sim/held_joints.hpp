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
//
// Behind them stand rows with limits (held_motions.hpp): ends of ranges, friction, motors. Those
// that are tight hold as joints do, the others push with the impulse of the limit that they are at:
// which is which starts from the answer of the contact solver, and changes until every impulse lies
// between its limits and every motion on the right side of its goal.
#pragma once

#include <span>
#include <vector>

#include <tact/contact/contact_problem.hpp>
#include <tact/sim/held_motions.hpp>
#include <tact/sim/linear_dynamics.hpp>
#include <tact/sim/pair_targets.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// What a joint does to its side b, in a step: the opposite to side a.
struct JointReaction {
  Vector3d force = Vector3d::Zero();   // N s
  Vector3d torque = Vector3d::Zero();  // N m s, about the point
  Vector3d point = Vector3d::Zero();   // m
  // What is along or about the motion that it leaves, in the force or the torque: N s or N m s.
  double motor = 0.0, friction = 0.0, limit = 0.0;
};

class HeldJoints {
 public:
  explicit HeldJoints(const World& world) : world_(&world), motions_(world) {}

  bool empty() const { return world_->joints().empty(); }

  // Puts the rows of all joints into the problem, in their order, instead of those there are; and
  // the impulses of rows with limits into beta, by the forces of the last step. `expected`: about
  // where this one will end.
  void begin(const State& start, const State& expected, double dt, ContactProblem& problem,
             VectorXd& beta);
  // Rows of ends of ranges that this motion passes. False: there are none.
  bool admit(const State& end, double dt, ContactProblem& problem, VectorXd& beta);
  bool limited() const { return !motions_.rows().empty(); }

  // Which rows are equations in this step: all without limits, and those whose impulse lies between
  // their limits. One a row of the problem.
  std::span<const char> tight() const { return tight_; }
  void choose_tight(const ContactProblem& problem, const VectorXd& beta);
  // After look(): impulses beyond a limit are at it from now on, and rows on the wrong side of
  // their goal are tight. False: there are none.
  bool change_tight(double dt, const ContactProblem& problem, VectorXd& beta);
  // No row with limits pushes.
  void let_go(const ContactProblem& problem, VectorXd& beta);
  // Adds B' beta of rows that are not tight.
  void add_pushes(const ContactProblem& problem, const VectorXd& beta, VectorXd& impulse) const;

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

  // Of a step that starts here, for the forces of rows in the step before.
  [[nodiscard]] std::vector<JointLoad> loads(const State& start) const;

  // The worst of all.
  [[nodiscard]] JointError error(const State& state) const;

  // One a mechanism, by its number: whether joints hold it to something, all of which rests, and
  // neither contacts nor springs, pins, air or given forces act on it.
  [[nodiscard]] std::vector<char> lone_mechanisms(const State& start, double dt,
                                                  std::span<const BodyPair> touching) const;

  // One a joint, of the rows of begin().
  [[nodiscard]] std::vector<JointReaction> reactions(const VectorXd& beta) const;
  // J, one a component of the world; none where there are no motors. Velocities of the ends of the
  // step.
  [[nodiscard]] std::vector<double> motor_work(const ContactProblem& problem, const VectorXd& beta,
                                               const VectorXd& v0, const VectorXd& v1) const;

  // The step is committed. What the next one starts from: forces of rows, and places of motions.
  void keep(const State& end, const VectorXd& beta, double dt);
  [[nodiscard]] std::vector<double> memory() const;
  void restore(const std::vector<double>& memory);

 private:
  static constexpr double shows = 1e-9;  // m, rad

  void append(const Joint& joint, const JointRow& row, const State& start,
              ContactProblem& problem) const;
  void append(const HeldMotions::Row& row, ContactProblem& problem, VectorXd& beta) const;
  std::size_t force_slot(const HeldMotions::Row& row) const;
  JointRow motion_of(const State& state, const Joint& joint) const;
  Vector3d force_of(const State& start, int joint, const JointRows& rows, std::size_t first) const;
  void differentiate(const Joint& joint, const JointRow& row, const State& end, const VectorXd& v,
                     double dt);

  const World* world_;
  HeldMotions motions_;
  State start_;
  std::vector<double> forces_;   // N, N m: of the last step; equations, then kinds a joint
  std::vector<char> tight_;      // one a row of the problem
  std::vector<JointRows> rows_;  // at the start of the step, one a joint
  int equations_ = 0;            // of all joints
  JointError opened_;            // there
  VectorXd missing_;             // m/s, rad/s, of look(): for rows with limits - w
  std::vector<BilateralBlock> blocks_;
};

}  // namespace tact
