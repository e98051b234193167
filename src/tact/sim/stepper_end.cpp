// How a step ends: the last resort, the velocities of the end, and what is kept for the next one.
#include <algorithm>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include <tact/core/timer.hpp>
#include <tact/core/union_find.hpp>
#include <tact/sim/impact_zones.hpp>
#include <tact/sim/motion_cut.hpp>
#include <tact/sim/step_error.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

constexpr int most_cuts_in_a_row = 2;  // before bodies in zones stick together
constexpr double nothing = 1e-9;       // m/s: not worth a solve
// Of the distance that two bodies are held at, in a step: what is parted by more shows in their
// velocities. Solves of what deforms leave more.
constexpr double shows_rigid = 0.02, shows_soft = 0.25;

bool is_scripted(const World& world, const WorldSurfaces& surfaces, const Limit& limit,
                 std::span<const Vector3d> x0, std::span<const Vector3d> x1)
{
  return std::any_of(limit.vertices.begin(), limit.vertices.end(), [&](int vertex) {
    return world.body(surfaces.body_of[vertex]).node_count() == 0 && x0[vertex] != x1[vertex];
  });
}

std::string conflict(const World& world, const WorldSurfaces& surfaces, const State& state,
                     std::span<const Limit> limits, bool scripted)
{
  const Limit& first = limits.front();
  const int on_a = first.kind == CcdKind::vertex_face ? 0 : 1;
  const std::string& a = world.body(surfaces.body_of[first.vertices[on_a]]).name();
  const std::string& b = world.body(surfaces.body_of[first.vertices[3]]).name();
  return fmt::format(
      "step {} at t = {:g} s: \"{}\" and \"{}\" cannot be kept apart: {} ({} pairs of features)",
      state.step + 1, state.t, a, b,
      scripted ? "what moves by a script leaves no room between them"
               : "no motion was found that does; a smaller dt or contact.delta may help",
      limits.size());
}

}  // namespace

// The last resort. Only places come from here: velocities stay those of the solver, unless they are
// worth nothing or have not helped for some steps; then they are those of the zones.
void Stepper::move_in_zones(const State& state, double dt, StepReport& report)
{
  const Timer timer;
  if (!trustworthy_) {
    step_.solution.v = step_.problem.v_star;
    step_.solution.lambda.setZero();
    if (!joints_.empty()) fall_held(state, dt);
    step_.residuals = measure(step_.problem, step_.solution, options_.contact.solver.law);
  }
  const ContactSolution solved = step_.solution;
  const bool inelastic = !trustworthy_ || cuts_in_a_row_ >= most_cuts_in_a_row;
  move(state, dt);
  State free = end_;
  ImpactZones zones(*world_, surfaces_, state, solved.v, dt);
  std::vector<Limit> too_near = limits();
  const auto note_limits = [&] {
    for (const Limit& limit : too_near)
      touching_.push_back(targets_.bodies_of(limit.vertices[0], limit.vertices[3]));
  };
  note_limits();
  while (!too_near.empty() && zones.grow(too_near)) {
    step_.solution.v = zones.velocity(x0_, x1_);
    move(state, dt);
    if (inelastic) free = end_;
    too_near = limits();
    note_limits();
  }
  if (!too_near.empty()) slow_down(state, dt);
  carry_velocities(*world_, free, end_);
  step_.solution = solved;
  places_apart_ = true;
  report.seconds.narrow_phase += timer.seconds();
}

// What even zones do not keep apart moves at half its velocity, and at half of that.
void Stepper::slow_down(const State& state, double dt)
{
  MotionCut cut(*world_, surfaces_, step_.solution.v);
  for (;;) {
    move(state, dt);
    const std::vector<Limit> too_near = limits();
    if (too_near.empty()) return;
    if (!cut.slow_down(too_near, x0_, x1_, dt)) {
      const bool scripted = std::any_of(too_near.begin(), too_near.end(), [&](const Limit& limit) {
        return is_scripted(*world_, surfaces_, limit, x0_, x1_);
      });
      throw StepError(conflict(*world_, surfaces_, state, too_near, scripted),
                      std::make_shared<const ContactProblem>(step_.problem));
    }
    step_.solution.v = cut.velocity();
  }
}

// Whether rows that push do so to part bodies, or because bodies turn. What asks for less than
// solves err by, or for what does not show at the distance that the two are held at, is left in
// where contacts are pressed: they take it back in the next step.
bool Stepper::parts_bodies(double dt) const
{
  const ContactProblem& problem = step_.problem;
  const double err = 2.0 * options_.contact.solver.tolerance;
  const auto part_of = [&](int body) { return world_->place(body).component; };
  const auto parts = static_cast<int>(world_->components().size());
  UnionFind islands(parts);
  std::vector<char> asks(parts, 0), pressed(parts, 0);
  for (int c = 0; c < problem.size(); ++c) {
    if (!(step_.solution.lambda[3 * c] > 0.0)) continue;
    const ContactRecord& record = step_.contacts[c];
    const int a = part_of(record.body_a), b = part_of(record.body_b), part = std::max(a, b);
    if (a >= 0 && b >= 0) islands.merge(a, b);
    const ContactRows& rows = problem.contacts[c];
    const double asked = rows.bias[0] - record.known[0];
    if (contact_velocity(problem, rows, problem.v_star)[0] - asked < -err) pressed[part] = 1;
    const bool bends =
        surfaces_.deforms[record.body_a] != 0 || surfaces_.deforms[record.body_b] != 0;
    const double shows = (bends ? shows_soft : shows_rigid) * record.target / dt;
    if (asked < -std::min(err, shows)) return true;
    if (asked < -nothing) asks[part] = 1;
  }
  for (int k = 0; k < parts; ++k)
    if (pressed[k] != 0) pressed[islands.root(k)] = 1;
  for (int k = 0; k < parts; ++k)
    if (asks[k] != 0 && pressed[islands.root(k)] == 0) return true;
  return false;
}

// What is judged and recorded is the problem of the world's nodes.
void Stepper::end_squeezing(StepReport& report)
{
  if (squeezed_.empty()) return;
  squeezed_.end(step_.problem, step_.solution);
  step_.warm_start.v.conservativeResize(world_->v_size());
  step_.residuals = measure(step_.problem, step_.solution, options_.contact.solver.law);
  report.residual = step_.residuals.worst();
  report.cone_violation = step_.residuals.cone_violation;
}

void Stepper::note_touching()
{
  for (int c = 0; c < step_.problem.size(); ++c)
    if (step_.solution.lambda[3 * c] > 0.0)
      touching_.push_back(body_pair(step_.contacts[c].body_a, step_.contacts[c].body_b));
}

// Restoring a distance moves bodies, but is no velocity of theirs: where it did, the velocities of
// the end come from the problem without it.
void Stepper::settle_velocities(const State& state, double dt, StepReport& report)
{
  places_apart_ = parts_bodies(dt) || joints_.restores();
  if (!places_apart_) return;
  const State moved = end_;
  for (int c = 0; c < step_.problem.size(); ++c) {
    if (squeezed_.has(c)) continue;
    double& bias = step_.problem.contacts[c].bias[0];
    bias = std::max(bias, step_.contacts[c].known[0]);
  }
  if (joints_.restores()) joints_.leave_in(dt, step_.problem);
  note_touching();
  const ContactSolution before = step_.solution;
  const Residuals judged_before = step_.residuals;
  if (!solve_contact(state, report)) {
    step_.solution = before;
    step_.residuals = judged_before;
  } else if (!joints_.empty()) {
    hold_velocities(report);
  }
  State settled;
  advance(*world_, state, step_.solution.v, dt, settled);
  end_ = moved;
  carry_velocities(*world_, settled, end_);
}

// Momentum, and energy where it may be told; how much of it the step gains all the same, relative.
double Stepper::keep_invariants(const State& state, double dt)
{
  note_touching();
  const StepEnds ends{&state, &end_, dt, touching_};
  const RowImpulses impulses{step_.contacts, &step_.solution.lambda};
  conservation_.keep_momentum(
      ends, impulses,
      places_apart_ ? Conservation::Momenta::together : Conservation::Momenta::apart);
  // Explicit steps keep another energy, near this one, which goes up and down around it.
  if (options_.integrator != IntegratorKind::implicit_euler) return 0.0;
  const State checked = end_;
  const EnergyLimit limit = conservation_.limit_energy(ends);
  if (!limit.moved) return limit.growth;
  place_surfaces(*world_, end_, x1_);
  if (limits().empty()) return limit.growth;
  end_ = checked;
  place_surfaces(*world_, end_, x1_);
  return 1.0;
}

CommittedStep Stepper::as_it_is(const State& state, double dt) const
{
  return {.start = &state,
          .end = &end_,
          .dt = dt,
          .problem = &step_.problem,
          .solution = &step_.solution,
          .b = &step_.right_side,
          .records = step_.contacts,
          .x0 = x0_,
          .x1 = x1_};
}

// Whether the step is too long for the linearised forces of meshes that are pushed. Layers of what
// is squeezed are no matter of theirs.
bool Stepper::forces_gain(const State& state, double dt)
{
  return options_.integrator == IntegratorKind::implicit_euler && squeezed_.empty() &&
         balance_.meshes_gain(as_it_is(state, dt), options_.contact.solver.tolerance);
}

void Stepper::commit(State& state, double dt, StepReport& report)
{
  CommittedStep part = as_it_is(state, dt);
  const std::vector<double> motor_work =
      joints_.motor_work(step_.problem, step_.solution.beta, state.v, end_.v);
  part.motor_work = motor_work;
  balance_.add(part, report);
  report.contacts = step_.problem.size();
  report.groups = step_.problem.groups.size();
  if (!joints_.empty()) {
    const JointError error = joints_.error(end_);
    report.joint_gap = std::max(report.joint_gap, error.length);
    report.joint_turn = std::max(report.joint_turn, error.angle);
    step_.joints = joints_.reactions(step_.solution.beta);
    joints_.keep(end_, step_.solution.beta, dt);
  }
  impulse_memory_.store(step_.contacts, step_.solution.lambda, dt);
  const double noise = options_.contact.solver.tolerance * dt;
  anchors_.store(step_.contacts, step_.problem, step_.solution.lambda,
                 {.friction = options_.contact.solver.law, .noise = noise}, x1_);
  remember_response(dt);
  if (options_.contact.measure_clearance) report.clearance = measure_clearance();
  step_.dt = dt;
  std::swap(step_.start, state);
  std::swap(state, end_);
}

// What the next step expects: of v* where it is known, of the forces where a motion was expected.
void Stepper::remember_response(double dt)
{
  const ContactProblem& problem = step_.problem;
  response_ = (step_.solution.v - problem.v_star) / dt;
  if (pushes_.size() == 0) return;
  generalised_impulse(problem, step_.solution.lambda, pushes_);
  pushes_ /= dt;
  if (problem.rest.size() == 0) return;
  for (const Component& part : world_->components()) {
    const Eigen::Index first = 3 * part.first_node, length = 3 * part.node_count();
    if (!problem.rest.segment(first, length).isZero(0.0))
      response_.segment(first, length).setZero();
  }
}

double Stepper::measure_clearance() const
{
  const double reach = options_.contact.activation * options_.contact.delta;
  double least = reach;
  for (const Contact& contact : finder_.close_at_end(reach))
    least = std::min(least, contact.distance);
  return least;
}

void carry_velocities(const World& world, const State& from, State& end)
{
  end.v = from.v;
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    if (body.deforms() || body.node_count() == 0) continue;
    const Vector3d L = inertia_of(body, world.q(from, i)) * world.v(from, i).tail<3>();
    end.v.segment<3>(3 * world.place(i).node + 3) =
        inertia_of(body, world.q(end, i)).llt().solve(L);
  }
}

}  // namespace tact
