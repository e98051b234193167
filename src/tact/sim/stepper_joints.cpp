// Joints in a step: held exactly, whatever contacts do. The contact solver gives impulses of
// contacts to its tolerance; joints are held for these to round-off, and where that moved the
// bodies by what the judge sees, contacts are solved again.
#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include <tact/sim/energy_account.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

constexpr double exact = 1e-12;       // m, rad: no less is asked of joints
constexpr double good_enough = 1e-9;  // m, rad: no more is let pass
constexpr int most_rounds = 30;       // of Newton's method
constexpr double gets_on = 0.1;       // of the error of the round before
constexpr int most_solves = 4;        // of contacts, since joints moved the bodies
constexpr int most_changes = 30;      // of which rows with limits are tight

}  // namespace

// Rows, and an expected motion that they allow.
void Stepper::begin_joints(const State& state, double dt)
{
  if (joints_.empty()) return;
  ContactProblem& problem = step_.problem;
  joints_.begin(state, end_, dt, problem, step_.solution.beta);
  turning_.clear();
  follow_turns(state, dt);
  factor_held(true);
  (void)joints_.look(end_, step_.solution.v, dt, problem);
  joints_.follow(step_.solution.v, HeldJoints::Missing::asked_for, problem);
  VectorXd expected;
  multiply(problem, step_.solution.v - problem.v_star, expected);
  move_held(expected);
  move(state, dt);
}

// Impulses on all nodes of what is known when joints are held: contacts and limits that push.
VectorXd Stepper::pushes_on_held() const
{
  VectorXd pushes = generalised_impulse(step_.problem, step_.solution.lambda);
  joints_.add_pushes(step_.problem, step_.solution.beta, pushes);
  return pushes;
}

// The inertia of links half-way through the motion in step_.solution, and v* with it. False: it is
// what A has.
bool Stepper::follow_turns(const State& state, double dt)
{
  constexpr double same = 1e-13;
  const StepInput input{.dt = dt, .gravity = world_->gravity(), .wind = world_->wind()};
  const bool first = turning_.empty();
  turning_.resize(world_->body_count(), Matrix3d::Zero());
  std::vector<int> part_of_node;
  for (int k = 0; k < step_.problem.components(); ++k)
    part_of_node.insert(part_of_node.end(), step_.problem.A[k].rows(), k);
  bool turned = false;
  for (int i = 0; i < world_->body_count(); ++i) {
    const BodyPlace& place = world_->place(i);
    const Body& body = world_->body(i);
    const auto v = step_.solution.v.segment(3 * place.node, body.v_size());
    std::optional<Matrix3d> now = body.turning_inertia(input, world_->q(state, i), v);
    if (!now) continue;
    if (first) turning_[i] = *body.turning_inertia(input, world_->q(state, i), VectorXd::Zero(6));
    const Matrix3d change = *now - turning_[i];
    if (change.norm() <= same * now->norm()) continue;
    turned = true;
    turning_[i] = *now;
    BlockMatrix& A = step_.problem.A[part_of_node[place.node]];
    Matrix3d& block = A.blocks[A.pattern->diagonal_slot(1)];  // the body is all there is in A
    block += change;
    step_.problem.v_star.segment<3>(3 * place.node + 3) =
        block.llt().solve(step_.right_side.segment<3>(3 * place.node + 3));
  }
  turned_ = turned_ || turned;
  return turned;
}

void Stepper::factor_held(bool anew)
{
  const std::span<const char> tight = joints_.tight();
  if (!anew && std::ranges::equal(tight, held_tight_)) return;
  held_.begin(step_.problem, tight);
  held_tight_.assign(tight.begin(), tight.end());
}

// v and beta of what joints hold, for impulses of all else.
void Stepper::move_held(const VectorXd& impulses)
{
  held_.move(step_.problem, impulses, step_.solution.v, step_.solution.beta);
}

// Without contacts, where links go too fast for joints to be held over the step: as slowly as it
// takes. Where not even that helps, none opens any faster than its curvature makes it, and nothing
// gains energy by that.
void Stepper::fall_held(const State& state, double dt)
{
  double left = 1.0;
  for (const double share : {1.0, 0.5, 0.2, 0.05, 0.0}) {
    const double slower = left > 0.0 ? share / left : 0.0;
    left = share;
    for (int i = 0; i < world_->body_count(); ++i) {
      const BodyPlace& place = world_->place(i);
      if (place.component < 0 || world_->mechanism(place.component) < 0) continue;
      step_.problem.v_star.segment(3 * place.node, world_->body(i).v_size()) *= slower;
      step_.right_side.segment(3 * place.node, world_->body(i).v_size()) *= slower;
    }
    step_.solution.v = step_.problem.v_star;
    joints_.let_go(step_.problem, step_.solution.beta);
    if (hold_joints(state, dt)) return;
  }
  State still;
  advance(*world_, state, VectorXd::Zero(world_->v_size()), dt, still);
  joints_.let_go(step_.problem, step_.solution.beta);
  joints_.keep_open(still, dt, step_.problem);
  factor_held(false);
  move_held(pushes_on_held());
}

// For the impulses of contacts in step_.solution, and from those of rows with limits there. Where
// not all tight rows can hold at once, as a motor at a dead centre and friction behind it, impulses
// grow beyond limits and tell which do not. False: joints cannot be held in a step of this length.
bool Stepper::hold_joints(const State& state, double dt)
{
  const VectorXd begun = step_.solution.v;
  joints_.choose_tight(step_.problem, step_.solution.beta);
  for (int change = 0; change < most_changes; ++change) {
    factor_held(false);
    const bool closed = close_joints(state, dt);
    const bool changed = joints_.change_tight(dt, step_.problem, step_.solution.beta);
    if (closed && !changed) break;
    if (closed) continue;
    if (!changed || !step_.solution.v.allFinite()) return false;
    step_.solution.v = begun;
    move(state, dt);
    (void)joints_.look(end_, begun, dt, step_.problem);
    joints_.follow(begun, HeldJoints::Missing::asked_for, step_.problem);
  }
  return true;
}

// Joints and rows that are tight. The derivative of the start is at hand; that of the end is needed
// where light links carry heavy loads.
bool Stepper::close_joints(const State& state, double dt)
{
  using Missing = HeldJoints::Missing;
  move_held(pushes_on_held());
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < most_rounds; ++round) {
    move(state, dt);
    const double error = joints_.look(end_, step_.solution.v, dt, step_.problem).worst();
    if (!std::isfinite(error)) return false;
    const bool stalls = error < good_enough && !(error < 0.5 * before);
    const bool turned = follow_turns(state, dt);
    if (!turned && (error <= exact || stalls)) {
      joints_.follow(step_.solution.v, Missing::left, step_.problem);
      return true;
    }
    if (turned) factor_held(true);
    if (round > 0 && !(error < gets_on * before)) {
      if (turned) {
        joints_.follow(step_.solution.v, Missing::left, step_.problem);
        move_held(pushes_on_held());
      }
      held_.correct(step_.problem, joints_.blocks(), joints_.missing(), step_.solution.v,
                    step_.solution.beta);
    } else {
      joints_.follow(step_.solution.v, Missing::asked_for, step_.problem);
      move_held(pushes_on_held());
    }
    before = error;
  }
  return false;
}

// Contacts and joints; moves to end_. False: the answer is useless, or the two go on moving bodies
// against each other, as where chains whip themselves: the step is too long.
bool Stepper::solve_held(const State& state, double dt, StepReport& report)
{
  for (int k = 0; k < most_solves; ++k) {
    if (!solve_contact(state, report)) return false;
    if (joints_.empty()) break;
    if (!hold_joints(state, dt)) return trustworthy_ = false;
    if (joints_.admit(end_, dt, step_.problem, step_.solution.beta)) {
      begin_solver();
      continue;
    }
    judge_again(report);
    const bool rows = step_.problem.size() > 0 || joints_.limited();
    if (!rows || report.residual <= options_.contact.solver.tolerance) return true;
  }
  move(state, dt);
  if (!joints_.empty()) trustworthy_ = false;
  return trustworthy_;
}

// Velocities alone: tight rows of the solver's answer are equations. Where others would have to be,
// that answer is left as it is, good to its tolerance.
void Stepper::hold_velocities(StepReport& report)
{
  const ContactSolution solved = step_.solution;
  joints_.choose_tight(step_.problem, step_.solution.beta);
  factor_held(false);
  move_held(pushes_on_held());
  judge_again(report);
  const bool rows = step_.problem.size() > 0 || joints_.limited();
  if (!rows || report.residual <= options_.contact.solver.tolerance) return;
  step_.solution = solved;
  judge_again(report);
  note_missed(report);
}

void Stepper::note_missed(StepReport& report)
{
  if (report.residual <= options_.contact.solver.tolerance) return;
  ++report.unconverged;
  report.missed_residual = std::max(report.missed_residual, report.residual);
}

// Of a mechanism that joints hold to what rests, and that nothing else touches: kinetic energy, and
// that of its weight half a step before, where its velocities are those of the way, swing about the
// energy by the square of dt only. Where links turn so far in a step that they gain, all of it goes
// slower.
void Stepper::limit_mechanisms(const State& state, double dt)
{
  constexpr double rounding = 1e-12;
  const std::vector<char> lone = joints_.lone_mechanisms(state, dt, touching_);
  struct Energies {
    double kinetic = 0.0, falling = 0.0, growth = 0.0;  // J; falling: of half a step's fall
  };
  std::vector<Energies> energies(lone.size());  // one a mechanism
  const auto mechanism_of = [&](int body) {
    const int k = world_->place(body).component;
    const int mechanism = k < 0 ? -1 : world_->mechanism(k);
    return mechanism >= 0 && lone[mechanism] != 0 ? mechanism : -1;
  };
  const auto fall = [&](const State& at, int i) {
    return 0.5 * dt * power_of_weight(*world_, at, i);
  };
  for (int i = 0; i < world_->body_count(); ++i) {
    const int mechanism = mechanism_of(i);
    if (mechanism < 0) continue;
    Energies& own = energies[mechanism];
    const double now = kinetic_energy(*world_, end_, i);
    own.kinetic += now;
    own.falling += fall(end_, i);
    own.growth += now - kinetic_energy(*world_, state, i) + potential_energy(*world_, end_, i) -
                  potential_energy(*world_, state, i) + fall(end_, i) - fall(state, i);
  }
  for (int i = 0; i < world_->body_count(); ++i) {
    const int mechanism = mechanism_of(i);
    if (mechanism < 0) continue;
    const auto& [kinetic, falling, growth] = energies[mechanism];
    if (growth <= rounding * kinetic) continue;
    // s^2 kinetic + s falling = kinetic + falling - growth
    const double half = 0.5 * falling / kinetic;
    const double left = half * half + (kinetic + falling - growth) / kinetic;
    end_.v.segment(3 * world_->place(i).node, world_->body(i).v_size()) *=
        std::clamp(std::sqrt(std::max(0.0, left)) - half, 0.0, 1.0);
  }
}

void Stepper::judge_again(StepReport& report)
{
  step_.residuals = measure(step_.problem, step_.solution, options_.contact.solver.law);
  report.residual = step_.residuals.worst();
  report.cone_violation = step_.residuals.cone_violation;
}

}  // namespace tact
