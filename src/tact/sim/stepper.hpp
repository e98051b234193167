// Advances a state by one step with contact: constraint manifold refinement.           [Otaduy09]
//
//   1  A, b at the start of the step; A v* = b, implicit or explicit (integrator.hpp)  eq. (2), (3)
//      Of large meshes only the expected motion, near b + J' lambda of the last step: contact goes
//      on from there.
//   2  rows for all pairs nearer than the activation distance                        Sec. 3.2
//      and the rows of joints, which hold at the end of the step (held_joints.hpp)
//   3  solve the contact problem; move; check the whole motion; more rows for what came too near;
//      at most max_passes times                                                      Sec. 4
//   4  else halve the step, at most max_halvings times; then what would touch moves in rigid zones
//   5  velocities of the end: without what only parts bodies, momentum kept, energy not above
//
// Where this departs from the paper, and why, is told in docs/stepping.md. What is checked is what
// is committed: surface vertices move on straight lines from the start to the end of a step, and
// every pair keeps min(separation, half its distance) all along; or all pairs of two bodies that
// turn about each other do so along arcs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tact/collision/turning_limits.hpp>
#include <tact/contact/contact_solver.hpp>
#include <tact/sim/conservation.hpp>
#include <tact/sim/contact_finder.hpp>
#include <tact/sim/contact_rows.hpp>
#include <tact/sim/corner_rows.hpp>
#include <tact/sim/end_room.hpp>
#include <tact/sim/held_joints.hpp>
#include <tact/sim/impulse_memory.hpp>
#include <tact/sim/integrator.hpp>
#include <tact/sim/pair_targets.hpp>
#include <tact/sim/row_choice.hpp>
#include <tact/sim/squeezed_layers.hpp>
#include <tact/sim/step_balance.hpp>
#include <tact/sim/step_result.hpp>
#include <tact/sim/stick_anchors.hpp>
#include <tact/sim/world_surfaces.hpp>
#include <tact/solvers/held/held_bodies.hpp>
#include <tact/solvers/unions/nonconvex_method.hpp>

namespace tact {

struct ContactStepOptions {
  double delta = 0.0;       // m: the distance that contacts are held at; 0: chosen from the shapes
  double activation = 1.5;  // times delta: pairs nearer than this have rows from the start
  double separation = 0.2;  // times delta: what the check of the motion asks for
  double foresight =
      0.5;  // times delta: pairs that the expected motion brings nearer get rows, too; 0: none
  int rows_per_patch = 24;  // new rows between two solids in a pass, at most; 0: all
  // Contact reduction: rows between two solids, at least, for what is near at the start. Pairs
  // beyond these are spare, and get rows when they would come nearer by spare_dip delta. 0: all
  // have rows.
  int rows_per_pair = 8;
  double spare_dip = 0.25;
  double reduced_from = 1e-4;  // m/s: solves to a lower tolerance have all rows
  double push_out = 0.02;      // m/s: how fast pairs nearer than their target are parted, at most
  // The same where a body deforms: what solvers err by, so that what is pressed needs no solve of
  // its own for velocities.
  double push_out_soft = 2e-3;
  double bounce_from = 0.05;  // m/s: slower approaches do not bounce
  int max_passes = 5;
  int max_halvings = 2;
  bool measure_clearance = false;
  // Large meshes, too, are solved for v* before contact: the same to the tolerance, at more cost.
  bool free_motion_first = false;
  std::optional<double> mu = {};  // of all pairs, instead of what the world says
  std::string method = "auto";    // of the table of solvers/solvers.hpp
  // Piles come to rest only where a solve does more than what its warm start needs.
  ContactOptions solver = {.min_passes = 4, .min_sweeps = 16, .can_retry = true};
  // Vertices at sharp edges and corners have groups of sides instead of one plane, and this is how
  // the sides that push are found. docs/nonconvex.md
  std::optional<NonconvexMethod> nonconvex = {};
  int max_side_trials = 16;  // convex problems in a solve, at most
};

struct StepOptions {
  DynamicsOptions dynamics = {};  // of implicit steps
  ContactStepOptions contact = {};
  IntegratorKind integrator = IntegratorKind::implicit_euler;
  ExplicitOptions explicit_steps = {};
};

// What the next step starts from beside the state, for checkpoints.
struct StepperMemory {
  std::vector<double> impulses;  // ImpulseMemory::save()
  std::vector<double> response;  // (v - v*) / dt of the last step
  std::vector<double> pushes;    // J' lambda / dt of the last step, where it is used
  std::vector<double> targets;   // PairTargets::save()
  std::vector<double> anchors;   // StickAnchors::save()
  std::vector<double> joints;    // HeldJoints::memory()
  int cuts_in_a_row = 0;
};

// Owns options, warm start and scratch memory, but not the state. The world must outlive it.
class Stepper {
 public:
  // Throws Error for options that exclude each other. They have no default: the world of a scene
  // would be stepped without its settings, and nobody would be told. make_stepper() takes a scene.
  Stepper(const World& world, const StepOptions& options);
  Stepper(World&&, const StepOptions&) = delete;  // it would not outlive this

  // dt in s. Throws StepError, and leaves the state as it was, when the step cannot be computed.
  // What is returned holds until the next step.
  const StepResult& step(State& state, double dt);

  // That of the last step.
  const StepResult& last() const { return step_; }

  // Pulls at a body with a spring from the next step on; see Integrator::pull. Throws Error where a
  // is no point of a body that can move, or b is not a place in the world.
  void pull(const std::optional<Spring>& spring);

  double contact_distance() const { return options_.contact.delta; }

  StepperMemory memory() const;
  void restore(const StepperMemory& memory);

 private:
  // In the order of a step.
  void cover(State& state, double dt, int halvings, StepReport& report);
  bool forces_gain(const State& state, double dt);
  void find_free_motion(const State& state, double dt, StepReport& report);
  bool refine_manifold(const State& state, double dt, StepReport& report);
  void begin_contact(const State& state, double dt, StepReport& report);
  void begin_solver();
  ContactSolver& solver();
  bool solve_contact(const State& state, StepReport& report);
  ContactReport solve_rows(const State& state, StepReport& report);
  enum class Which { untouched, all };
  void end_expectations(Which which, const State& state, StepReport& report);
  void begin_joints(const State& state, double dt);
  bool hold_joints(const State& state, double dt);
  bool close_joints(const State& state, double dt);
  VectorXd pushes_on_held() const;
  void factor_held(bool anew);
  bool solve_held(const State& state, double dt, StepReport& report);
  void move_held(const VectorXd& impulses);
  void fall_held(const State& state, double dt);
  void limit_mechanisms(const State& state, double dt);
  bool follow_turns(const State& state, double dt);
  void hold_velocities(StepReport& report);
  void note_missed(StepReport& report);
  void judge_again(StepReport& report);
  void note_refusal(const ContactReport& solved, StepReport& report) const;
  void move(const State& state, double dt);
  void add_near_rows(double dt);
  bool add_spare_rows();
  void foresee();
  bool foresee_at_ends();
  void hold_where_stuck(double dt);
  bool bend(double dt);
  void fit_targets(EndRoom& room);
  void end_squeezing(StepReport& report);
  void keep_solved_rows();
  void restore_solved_rows();
  bool add_rows(std::span<const Limit> limits);
  std::vector<Limit> limits_below(double separation);
  void follow_arcs(double separation, std::vector<Limit>& limits);
  std::vector<Limit> limits();
  struct LimitContact {
    KeyedContact contact;
    bool in_cones = false;
  };
  LimitContact contact_at(const Limit& limit) const;
  std::optional<Limit> judged(const Limit& limit, bool in_cones) const;
  std::vector<KeyedContact> contacts_at(std::span<const Limit> limits) const;
  // What a vertex gets whose groups do not keep it from coming too near.
  enum class AtCorner { groups_only, plane_too };
  void append_rows(std::vector<KeyedContact> contacts, AtCorner at_corner = AtCorner::groups_only);
  void append_row(const KeyedContact& contact, AtCorner at_corner);
  void move_in_zones(const State& state, double dt, StepReport& report);
  void slow_down(const State& state, double dt);
  bool parts_bodies(double dt) const;
  void note_touching();
  void settle_velocities(const State& state, double dt, StepReport& report);
  double keep_invariants(const State& state, double dt);
  CommittedStep as_it_is(const State& state, double dt) const;
  void commit(State& state, double dt, StepReport& report);
  void remember_response(double dt);
  double measure_clearance() const;

  const World* world_;
  StepOptions options_;
  WorldSurfaces surfaces_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<ContactSolver> solver_;
  std::unique_ptr<ContactSolver> squeezed_solver_;  // where there are layers; made when needed
  ContactFinder finder_;
  TurningLimits arcs_;
  std::map<BodyPair, SurfaceTurn> turns_;  // of the last limits, those along arcs
  ContactRowBuilder row_builder_;
  HeldJoints joints_;
  HeldBodies held_;
  std::vector<char> held_tight_;   // the rows that it holds
  std::vector<Matrix3d> turning_;  // kg m^2, one a body: what A has, where it follows the motion
  bool turned_ = false;            // A has changed since the solver began
  std::optional<CornerRows> corner_rows_;  // where `nonconvex` is given
  RowChoice row_choice_;
  std::vector<KeyedContact> near_, spare_;  // at the start; those without rows
  std::vector<char> must_;                  // of near_: have rows whatever is chosen
  ImpulseMemory impulse_memory_;
  PairTargets targets_;
  std::set<BodyPair> too_near_;  // in a motion of this step, by what each has to keep
  SqueezedLayers squeezed_;
  StickAnchors anchors_;
  Conservation conservation_;
  int cuts_in_a_row_ = 0;
  StepBalance balance_;
  VectorXd response_;  // (v - v*) / dt of the last step, m/s^2; 0 where a motion was expected
  VectorXd pushes_;    // J' lambda / dt of the last step, N; empty where no motion is expected

  StepResult step_;          // of the last step; while one is made, what there is of it
  bool trustworthy_ = true;  // the solution is near enough to one to be worth moving by
  // The places at the end come from elsewhere than the velocities there.
  bool places_apart_ = false;
  std::vector<ContactRows> solved_rows_;
  std::set<BodyPair> let_go_;       // of this step: bodies of which something has passed an edge
  std::vector<BodyPair> touching_;  // that pushed each other in this step
  State end_;                       // of the step that is made
  std::vector<Vector3d> x0_, x1_;   // surfaces at the start and at the end of the step
};

// The end of a step of length dt from `start` in which nodes moved with velocity v.
void advance(const World& world, const State& start, const VectorXd& v, double dt, State& end);

// Gives `end` the momenta of another end of the same step, at its own places: velocities as they
// are, spins by their angular momentum.
void carry_velocities(const World& world, const State& from, State& end);

}  // namespace tact
