#include <tact/sim/stepper.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

#include <Eigen/Cholesky>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <tact/contact/nonconvex/union_contact_solver.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/sim/contact_distance.hpp>
#include <tact/sim/impact_zones.hpp>
#include <tact/sim/motion_cut.hpp>
#include <tact/sim/normal_cones.hpp>
#include <tact/sim/row_bend.hpp>
#include <tact/sim/step_error.hpp>

namespace tact {
namespace {

constexpr double hopeless = 5.0;  // m/s: a solve that ends above this is not worth checking
// What solves may err in a step, times tolerance and dt: twice is too little where soft bodies start
// almost touching.
constexpr double noise_of_solves = 5.0;
constexpr double asked_back = 0.5;     // of the drift of contacts that stick, in a step
constexpr int most_cuts_in_a_row = 2;  // before bodies in zones stick together

StepOptions completed(StepOptions options, const World& world)
{
  options.contact.solver.min_passes = options.contact.least_passes;
  options.contact.solver.min_sweeps = options.contact.least_sweeps;
  const bool certified = options.contact.solver.tolerance < options.contact.reduced_from;
  if (certified) options.contact.rows_per_pair = 0;
  // Nodes of explicit steps are free of each other: a row holds only its own.
  if (options.integrator == IntegratorKind::semi_implicit_euler)
    options.contact.rows_per_pair = options.contact.rows_per_patch = 0;
  if (options.contact.delta <= 0.0) options.contact.delta = choose_contact_distance(world);
  if (options.contact.projected) {
    if (options.contact.nonconvex)
      throw Error(
          "stepper: regions are solved by methods that do not know groups of sides; expected "
          "one of projected and nonconvex");
    ProjectedOptions& projected = *options.contact.projected;
    projected.tolerance = options.contact.solver.tolerance;
    projected.law = options.contact.solver.law;
    projected.min_sweeps = options.contact.least_sweeps;
    projected.keep_history = options.contact.solver.keep_history;
  }
  return options;
}

std::unique_ptr<Integrator> integrator_for(const World& world, const StepOptions& options)
{
  if (options.integrator == IntegratorKind::semi_implicit_euler)
    return make_explicit_integrator(world, options.explicit_steps);
  return make_implicit_integrator(world, options.dynamics);
}

std::vector<int> rigid_nodes(const World& world)
{
  std::vector<int> nodes;
  for (int i = 0; i < world.body_count(); ++i)
    if (world.body(i).kind() == BodyKind::rigid) nodes.push_back(world.place(i).node);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::string unsolvable(const World& world, const State& state, const DynamicsReport& report)
{
  const Component& component = world.components()[report.component];
  return fmt::format(
      "step {} at t = {:g} s: the motion of \"{}\"{} cannot be solved: A is not positive definite "
      "or "
      "badly scaled; a smaller dt or lower stiffness helps",
      state.step + 1, state.t, world.body(component.bodies.front()).name(),
      component.bodies.size() > 1 ? " and what is joined to it" : "");
}

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

// Leaves what has rows already.
void drop_known(std::span<const ContactRecord> records, std::vector<KeyedContact>& contacts)
{
  std::unordered_set<ContactKey, ContactKeyHash> known;
  for (const ContactRecord& record : records) known.insert(record.contact.key);
  std::erase_if(contacts, [&](const KeyedContact& c) { return known.contains(c.key); });
}

// Contact only takes energy, but for the little that parting and bouncing need. An answer with many
// times the energy of the motion without contact is none.
bool gains_energy(const ContactProblem& problem, const VectorXd& v)
{
  constexpr double most = 4.0;
  VectorXd Av, Av_star;
  multiply(problem, v, Av);
  multiply(problem, problem.v_star, Av_star);
  return v.dot(Av) > most * problem.v_star.dot(Av_star);
}

// Whether the normal that a contact will have when it comes is about the direction in which its points
// are apart now. Else the pair slides or turns past each other, and a row would be a wall in its way.
bool approaches_along(const KeyedContact& contact, std::span<const Vector3d> x)
{
  constexpr double least_cosine = 0.7;
  Vector3d apart = Vector3d::Zero();
  for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k)
    apart += contact.weights[k] * x[contact.key.vertices[k]];
  return contact.normal.dot(apart) >= least_cosine * apart.norm();
}

}  // namespace

Stepper::Stepper(const World& world, const StepOptions& options)
    : world_(&world),
      options_(completed(options, world)),
      surfaces_(surfaces_of(world)),
      integrator_(integrator_for(world, options_)),
      contact_solver_(options_.contact.solver),
      finder_(surfaces_.set, {.reach = options_.contact.activation * options_.contact.delta}),
      row_builder_(world, surfaces_),
      row_choice_(world, surfaces_),
      targets_(world, surfaces_, options_.contact.delta),
      conservation_(world),
      balance_(world),
      response_(VectorXd::Zero(world.v_size()))
{
  problem_.rigid = rigid_nodes(world);
  if (options_.contact.projected) projected_solver_.emplace(*options_.contact.projected);
  if (options_.contact.nonconvex) corner_rows_.emplace(world, surfaces_);
}

StepReport Stepper::step(State& state, double dt)
{
  StepReport report;
  report.substeps = integrator_->substeps(dt);
  State next = state;
  balance_.begin(state, dt);
  double residual = 0.0;  // the worst of all substeps
  for (int k = 0; k < report.substeps; ++k) {
    next.step = state.step;
    cover(next, dt / report.substeps, 0, report);
    residual = std::max(residual, report.residual);
  }
  report.residual = residual;
  balance_.finish(next, report);
  next.step = state.step + 1;
  std::swap(state, next);
  return report;
}

void Stepper::pull(const std::optional<Spring>& spring)
{
  if (spring) {
    const Attachment& a = spring->a;
    const bool known = a.body >= 0 && a.body < world_->body_count();
    if (!known || world_->place(a.body).component < 0 || spring->b.body >= 0 ||
        a.point.vertex >= world_->body(a.body).vertex_count())
      throw Error(
          fmt::format("pull: found vertex {} of body {}, expected one of a body that can move",
                      a.point.vertex, a.body));
  }
  conservation_.set_pulled(spring ? spring->a.body : -1);
  integrator_->pull(spring);
  balance_.pull(spring ? spring->a.body : -1);
}

// Steps over dt, in halves where it must.
void Stepper::cover(State& state, double dt, int halvings, StepReport& report)
{
  find_free_motion(state, dt, report);
  if (!refine_manifold(state, dt, report)) {
    if (halvings < options_.contact.max_halvings) {
      ++report.halvings;
      cover(state, 0.5 * dt, halvings + 1, report);
      return cover(state, 0.5 * dt, halvings + 1, report);
    }
    move_in_zones(state, dt, report);
  } else {
    cuts_in_a_row_ = 0;
    settle_velocities(state, dt, report);
  }
  commit(state, dt, report);
}

// A, b and v*.                                                            [Otaduy09] eq. (2), (3)
void Stepper::find_free_motion(const State& state, double dt, StepReport& report)
{
  const Timer timer;
  const DynamicsReport solved = integrator_->find_free_motion(state, dt, problem_, b_);
  if (!solved.solved) throw StepError(unsolvable(*world_, state, solved));
  report.pcg_iterations += solved.pcg_iterations;
  report.seconds.dynamics += timer.seconds();
}

// True: solution_ and end_ hold a motion that is free of contact on its whole way.         Sec. 4
bool Stepper::refine_manifold(const State& state, double dt, StepReport& report)
{
  begin_contact(state, dt, report);
  int bends = 0;
  for (int pass = 1; pass <= options_.contact.max_passes;) {
    report.passes = std::max(report.passes, pass);
    if (!solve_contact(report)) return false;
    move(state, dt);
    const Timer timer;
    const std::vector<Limit> too_near = limits();
    const bool spared = pass > 1 || !add_spare_rows();
    keep_solved_biases();
    const bool bent = bend(dt) && bends < options_.contact.max_bends;
    const bool added = !too_near.empty() && add_rows(too_near);
    report.seconds.narrow_phase += timer.seconds();
    if (too_near.empty() && spared && !bent) {
      restore_solved_biases();
      return true;
    }
    if (bent) ++bends;
    if (added || !spared) ++pass;
    if (!added && spared && !bent) return false;  // only what moves by a script is too near
  }
  return false;
}

// Candidates along the expected motion, rows for what is near already, and the warm start.
void Stepper::begin_contact(const State& state, double dt, StepReport& report)
{
  const Timer broad;
  solution_.v = problem_.v_star + dt * response_;
  place_surfaces(*world_, state, x0_);
  move(state, dt);
  finder_.expect(x0_, x1_);
  report.seconds.broad_phase += broad.seconds();

  const Timer narrow;
  const ContactStepOptions& contact = options_.contact;
  problem_.contacts.clear();
  problem_.blocks.clear();
  problem_.groups.clear();
  records_.clear();
  touching_.clear();
  if (corner_rows_) corner_rows_->begin(x0_, x1_, contact.delta);
  row_builder_.begin({.start = &state, .x0 = x0_, .x1 = x1_, .v_star = &problem_.v_star, .dt = dt},
                     {.delta = contact.delta,
                      .targets = &targets_,
                      .push_out = contact.push_out,
                      .push_out_soft = std::min(contact.push_out, contact.push_out_soft),
                      .bounce_from = contact.bounce_from,
                      .mu = contact.mu});
  add_near_rows(dt);
  foresee();
  hold_where_stuck(dt);
  solution_.lambda.setZero(0);
  bend(dt);
  solution_.lambda.resize(3 * problem_.size());
  for (int c = 0; c < problem_.size(); ++c)
    solution_.lambda.segment<3>(3 * c) =
        impulse_memory_.recall(records_[c], problem_.contacts[c].mu, dt, contact.solver.law);
  begin_solver();
  report.seconds.narrow_phase += narrow.seconds();
}

void Stepper::begin_solver()
{
  if (projected_solver_)
    projected_solver_->begin(problem_, integrator_->factors());
  else
    contact_solver_.begin(problem_, integrator_->factors());
}

// Rows for what is near at the start. Of two solids not all of it: those that pushed in the last step,
// what came much too near, and a few more; the others are spare.
void Stepper::add_near_rows(double dt)
{
  const ContactStepOptions& contact = options_.contact;
  near_.clear();
  spare_.clear();
  must_.clear();
  const std::vector<Contact> close = finder_.close(contact.activation * contact.delta);
  targets_.begin(close, noise_of_solves * contact.solver.tolerance * dt);
  for (const Contact& pair : close) {
    KeyedContact candidate = keyed(pair);
    const BodyPair bodies = targets_.bodies_of(pair.vertices[0], pair.vertices[3]);
    // Meshes bend: what pushed in the last step and lies next to its cones would come too near in every
    // step without its row, and every step would take two passes.
    const bool pushed = impulse_memory_.knows(candidate.key);
    const bool bends = world_->body(bodies[0]).deforms() || world_->body(bodies[1]).deforms();
    if (!settle_normal(candidate, surfaces_, {x0_, x1_}) && !(pushed && bends)) continue;
    near_.push_back(candidate);
    must_.push_back(pushed ||
                    candidate.distance < (1.0 - contact.spare_dip) * targets_.target(bodies));
  }
  if (contact.rows_per_pair > 0)
    row_choice_.reduce(near_, must_, x0_, contact.rows_per_pair, spare_);
  for (const KeyedContact& candidate : near_) append_row(candidate, AtCorner::groups_only);
}

// Rows for spare contacts that the motion brings clearly nearer than contacts are held at. False: none.
bool Stepper::add_spare_rows()
{
  std::vector<KeyedContact> dipped;
  std::erase_if(spare_, [&](const KeyedContact& contact) {
    const auto& vertices = contact.key.vertices;
    Vector3d apart = Vector3d::Zero();
    for (int k = 0; k < 4 && vertices[k] >= 0; ++k) apart += contact.weights[k] * x1_[vertices[k]];
    const double target =
        targets_.target(targets_.bodies_of(vertices[0], vertices[contact.key.first_side]));
    const double least = std::min(contact.distance, target) - options_.contact.spare_dip * target;
    if (contact.normal.dot(apart) >= least) return false;
    dipped.push_back(contact);
    return true;
  });
  append_rows(dipped);
  return !dipped.empty();
}

// What contacts that stuck in the last step have drifted since they began to is asked back.
void Stepper::hold_where_stuck(double dt)
{
  const ContactStepOptions& contact = options_.contact;
  for (int c = 0; c < problem_.size(); ++c) {
    const Vector2d drift =
        anchors_.drift(records_[c], x0_,
                       {.left_alone = contact.solver.tolerance * dt,
                        .farthest = std::min(records_[c].target, contact.push_out * dt)});
    records_[c].base_bias.tail<2>() += asked_back / dt * drift;
    problem_.contacts[c].bias = records_[c].base_bias;
  }
}

// What is committed and recorded is the problem that was solved, not one that was bent since.
void Stepper::keep_solved_biases()
{
  solved_biases_.clear();
  for (const ContactRows& rows : problem_.contacts) solved_biases_.push_back(rows.bias);
}

void Stepper::restore_solved_biases()
{
  for (int c = 0; c < problem_.size(); ++c) problem_.contacts[c].bias = solved_biases_[c];
}

// Rows follow the motion of solution_. True: by enough to solve again.
bool Stepper::bend(double dt)
{
  const ContactStepOptions& contact = options_.contact;
  return bend_rows(*world_, records_, {x0_, x1_, &solution_},
                   {.dt = dt, .tolerance = contact.solver.tolerance, .delta = contact.delta},
                   problem_);
}

// False: the answer is useless.
bool Stepper::solve_contact(StepReport& report)
{
  if (problem_.size() == 0) {
    solution_.v = problem_.v_star;
    report.residual = 0.0;
    return trustworthy_ = true;
  }
  const Timer timer;
  warm_start_ = solution_;
  Residuals residuals;
  const bool solved = solve_rows(report, residuals);
  report.seconds.solve += timer.seconds();
  ++report.solves;
  if (!solved) {
    ++report.unconverged;
    report.missed_residual = std::max(report.missed_residual, residuals.worst());
  }
  report.residual = residuals.worst();
  report.cone_violation = residuals.cone_violation;
  trustworthy_ = solution_.v.allFinite() && residuals.worst() < hopeless &&
                 (solved || !gains_energy(problem_, solution_.v));
  return trustworthy_;
}

// False: not to the tolerance.
bool Stepper::solve_rows(StepReport& report, Residuals& residuals)
{
  if (!problem_.groups.empty()) {
    const UnionContactReport solved = solve_unions(problem_, contact_solver_, solution_,
                                                   {.method = *options_.contact.nonconvex,
                                                    .max_trials = options_.contact.max_side_trials,
                                                    .from_warm_start = true});
    ++report.union_solves;
    if (solved.by_form) ++report.form_solves;
    residuals = solved.residuals;
    return solved.ok();
  }
  if (!projected_solver_) {
    const NestedReport solved = contact_solver_.solve(problem_, solution_);
    residuals = solved.residuals;
    report.inexact += solved.inexact;
    report.history = solved.history;
    return solved.ok();
  }
  const ProjectedReport solved = projected_solver_->solve(problem_, solution_);
  residuals = solved.residuals;
  report.audit += solved.audit;
  report.history = solved.history;
  return solved.ok();
}

void Stepper::move(const State& state, double dt)
{
  advance(*world_, state, solution_.v, dt, end_);
  if (!end_.q.allFinite() || !end_.v.allFinite())
    throw StepError(fmt::format("step {} at t = {:g} s: the state is not finite any more",
                                state.step + 1, state.t));
  place_surfaces(*world_, end_, x1_);
}

// Rows for pairs that have none yet and that the expected motion brings near, their normal taken where
// it does. Without them nearly every step of a moving pile would take two passes.
void Stepper::foresee()
{
  const double separation = options_.contact.foresight * options_.contact.delta;
  std::vector<KeyedContact> expected;
  for (const Limit& limit : finder_.limits(x1_, separation)) {
    KeyedContact contact = keyed(contact_at_limit(finder_.vertices(), limit));
    contact.time = limit.safe.time;
    if (!limit.safe.decided || !settle_normal(contact, surfaces_, {x0_, x1_, contact.time}))
      continue;
    if (approaches_along(contact, x0_)) expected.push_back(contact);
  }
  drop_known(records_, expected);
  row_choice_.drop_held(records_, expected);
  append_rows(std::move(expected));
}

// Pairs that come nearer than they may in the motion from x0_ to x1_. Directions outside of the normal
// cones are no local minima of the distance: another pair of the same surfaces is nearer at that time,
// and where that one is among the limits it says all.
std::vector<Limit> Stepper::limits()
{
  const std::vector<Limit> found =
      finder_.limits(x1_, options_.contact.separation * options_.contact.delta);
  std::vector<Limit> kept;
  std::vector<const Limit*> doubtful;
  std::set<BodyPair> held;
  for (const Limit& limit : found) {
    KeyedContact contact = keyed(contact_at_limit(finder_.vertices(), limit));
    if (!settle_normal(contact, surfaces_, {x0_, x1_, limit.safe.time})) {
      doubtful.push_back(&limit);
    } else if (const std::optional<Limit> real = judged(limit, true)) {
      kept.push_back(*real);
      held.insert(targets_.bodies_of(limit.vertices[0], limit.vertices[3]));
    }
  }
  for (const Limit* limit : doubtful)
    if (!held.contains(targets_.bodies_of(limit->vertices[0], limit->vertices[3])))
      if (const std::optional<Limit> real = judged(*limit, false)) kept.push_back(*real);
  return kept;
}

// What bodies that are held nearer than delta, or a pair that is not the nearest of its bodies, have to
// keep is less than delta speaks for: asked again with that.
std::optional<Limit> Stepper::judged(const Limit& limit, bool in_cones) const
{
  const ContactStepOptions& contact = options_.contact;
  const BodyPair bodies = targets_.bodies_of(limit.vertices[0], limit.vertices[3]);
  double least = contact.separation * targets_.target(bodies);
  if (!in_cones) least = std::min(least, 0.45 * targets_.nearest(bodies));
  if (least >= contact.separation * contact.delta) return limit;
  CcdQuery query;
  query.kind = limit.kind;
  for (int i = 0; i < 4; ++i) {
    query.start[i] = x0_[limit.vertices[i]];
    query.end[i] = x1_[limit.vertices[i]];
  }
  Limit nearer = limit;
  nearer.safe = safe_time(query, least);
  if (nearer.safe.time >= 1.0) return std::nullopt;
  return nearer;
}

// Rows for pairs that came too near, their normal taken where they did. A pair that has rows already
// gets one more. False: there was nothing to add, since no node of theirs is free or no limit is
// decided.
bool Stepper::add_rows(std::span<const Limit> limits)
{
  const int known = problem_.size();
  append_rows(contacts_at(limits), AtCorner::plane_too);
  return problem_.size() > known;
}

std::vector<KeyedContact> Stepper::contacts_at(std::span<const Limit> limits) const
{
  std::vector<KeyedContact> contacts;
  for (const Limit& limit : limits) {
    if (!limit.safe.decided) continue;  // not known to be near at all
    KeyedContact contact = keyed(contact_at_limit(finder_.vertices(), limit));
    contact.time = limit.safe.time;
    settle_normal(contact, surfaces_, {x0_, x1_, contact.time});
    contacts.push_back(contact);
  }
  return contacts;
}

void Stepper::append_rows(std::vector<KeyedContact> contacts, AtCorner at_corner)
{
  const int most = options_.contact.rows_per_patch;
  row_choice_.thin_out(contacts, x0_, most > 0 ? most : std::numeric_limits<int>::max());
  const int known = problem_.size();
  for (const KeyedContact& contact : contacts) {
    targets_.meet(
        targets_.bodies_of(contact.key.vertices[0], contact.key.vertices[contact.key.first_side]));
    append_row(contact, at_corner);
  }
  solution_.lambda.conservativeResize(3 * problem_.size());
  solution_.lambda.tail(3 * (problem_.size() - known)).setZero();
}

void Stepper::append_row(const KeyedContact& contact, AtCorner at_corner)
{
  using Answer = CornerRows::Answer;
  const Answer answer = corner_rows_
                            ? corner_rows_->append(contact, {row_builder_, problem_, records_})
                            : Answer::no_corner;
  if (answer == Answer::added) return;
  if (answer == Answer::known && at_corner == AtCorner::groups_only) return;
  row_builder_.append(contact, problem_, records_);
}

// The last resort. Only places come from here: velocities stay those of the solver, unless they are
// worth nothing or have not helped for some steps; then they are those of the zones.
void Stepper::move_in_zones(const State& state, double dt, StepReport& report)
{
  const Timer timer;
  if (!trustworthy_) {
    solution_.v = problem_.v_star;
    solution_.lambda.setZero();
  }
  const ContactSolution solved = solution_;
  ++cuts_in_a_row_;
  const bool inelastic = !trustworthy_ || cuts_in_a_row_ > most_cuts_in_a_row;
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
    solution_.v = zones.velocity(x0_, x1_);
    move(state, dt);
    if (inelastic) free = end_;
    too_near = limits();
    note_limits();
  }
  if (!too_near.empty()) slow_down(state, dt);
  carry_velocities(*world_, free, end_);
  solution_ = solved;
  places_apart_ = true;
  ++report.cut_steps;
  report.seconds.narrow_phase += timer.seconds();
}

// What even zones do not keep apart moves at half its velocity, and at half of that.
void Stepper::slow_down(const State& state, double dt)
{
  MotionCut cut(*world_, surfaces_, solution_.v);
  for (;;) {
    move(state, dt);
    const std::vector<Limit> too_near = limits();
    if (too_near.empty()) return;
    if (!cut.slow_down(too_near, x0_, x1_, dt)) {
      const bool scripted = std::any_of(too_near.begin(), too_near.end(), [&](const Limit& limit) {
        return is_scripted(*world_, surfaces_, limit, x0_, x1_);
      });
      throw StepError(conflict(*world_, surfaces_, state, too_near, scripted),
                      std::make_shared<const ContactProblem>(problem_));
    }
    solution_.v = cut.velocity();
  }
}

// Whether rows that push do so to part bodies, or because bodies turn, faster than solvers err.
bool Stepper::parts_bodies() const
{
  const double least = 2.0 * options_.contact.solver.tolerance;
  for (int c = 0; c < problem_.size(); ++c) {
    const double asked = problem_.contacts[c].bias[0] - records_[c].known[0];
    if (solution_.lambda[3 * c] > 0.0 && asked < -least) return true;
  }
  return false;
}

void Stepper::note_touching()
{
  for (int c = 0; c < problem_.size(); ++c)
    if (solution_.lambda[3 * c] > 0.0)
      touching_.push_back(body_pair(records_[c].body_a, records_[c].body_b));
}

// Restoring a distance moves bodies, but is no velocity of theirs: where it did, the velocities of the
// end come from the problem without it.
void Stepper::settle_velocities(const State& state, double dt, StepReport& report)
{
  places_apart_ = parts_bodies();
  if (!places_apart_) return;
  const State moved = end_;
  for (int c = 0; c < problem_.size(); ++c) {
    double& bias = problem_.contacts[c].bias[0];
    bias = std::max(bias, records_[c].known[0]);
  }
  note_touching();
  const ContactSolution before = solution_;
  if (!solve_contact(report)) solution_ = before;
  State settled;
  advance(*world_, state, solution_.v, dt, settled);
  end_ = moved;
  carry_velocities(*world_, settled, end_);
}

void Stepper::commit(State& state, double dt, StepReport& report)
{
  note_touching();
  const StepEnds ends{&state, &end_, dt, touching_};
  const RowImpulses impulses{records_, &solution_.lambda};
  conservation_.keep_momentum(
      ends, impulses,
      places_apart_ ? Conservation::Momenta::together : Conservation::Momenta::apart);
  // Explicit steps keep another energy, near this one, which goes up and down around it.
  if (options_.integrator == IntegratorKind::implicit_euler) conservation_.limit_energy(ends);
  balance_.add({.start = &state,
                .end = &end_,
                .dt = dt,
                .problem = &problem_,
                .solution = &solution_,
                .b = &b_,
                .records = records_,
                .x0 = x0_,
                .x1 = x1_},
               report);
  report.contacts = problem_.size();
  report.groups = problem_.groups.size();
  impulse_memory_.store(records_, solution_.lambda, dt);
  anchors_.store(records_, problem_, solution_.lambda, options_.contact.solver.law, x1_);
  response_ = (solution_.v - problem_.v_star) / dt;
  if (options_.contact.measure_clearance) report.clearance = measure_clearance();
  dt_ = dt;
  std::swap(state, end_);
}

double Stepper::measure_clearance() const
{
  const double reach = options_.contact.activation * options_.contact.delta;
  double least = reach;
  for (const Contact& contact : finder_.close_at_end(reach))
    least = std::min(least, contact.distance);
  return least;
}

StepperMemory Stepper::memory() const
{
  return {.impulses = impulse_memory_.save(),
          .response = {response_.begin(), response_.end()},
          .targets = targets_.save(),
          .anchors = anchors_.save(),
          .cuts_in_a_row = cuts_in_a_row_};
}

void Stepper::restore(const StepperMemory& memory)
{
  if (static_cast<Eigen::Index>(memory.response.size()) != response_.size())
    throw Error(fmt::format("checkpoint: found {} velocities of the last step, expected {}",
                            memory.response.size(), response_.size()));
  impulse_memory_.restore(memory.impulses);
  targets_.restore(memory.targets);
  anchors_.restore(memory.anchors);
  cuts_in_a_row_ = memory.cuts_in_a_row;
  std::copy(memory.response.begin(), memory.response.end(), response_.begin());
}

void advance(const World& world, const State& start, const VectorXd& v, double dt, State& end)
{
  end.step = start.step + 1;
  end.t = start.t + dt;
  end.q.resize(start.q.size());
  end.v.resize(start.v.size());
  const StepInput input{.dt = dt, .gravity = world.gravity(), .wind = world.wind()};
  tbb::parallel_for(0, world.body_count(), [&](int i) {
    const Body& body = world.body(i);
    const BodyPlace& place = world.place(i);
    body.advance(input, world.q(start, i), world.v(start, i),
                 v.segment(3 * place.node, body.v_size()), end.q.segment(place.q, body.q_size()),
                 end.v.segment(3 * place.node, body.v_size()));
  });
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
