#include <tact/sim/stepper.hpp>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <tact/contact/nonconvex/union_contact_solver.hpp>
#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/sim/contact_distance.hpp>
#include <tact/sim/motion_cut.hpp>
#include <tact/sim/step_error.hpp>

namespace tact {
namespace {

constexpr double hopeless = 5.0;  // m/s: a solve that ends above this is not worth checking

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

std::string conflict(const World& world, const WorldSurfaces& surfaces, const State& state,
                     std::span<const Limit> limits)
{
  const Limit& first = limits.front();
  const int on_a = first.kind == CcdKind::vertex_face ? 0 : 1;
  const std::string& a = world.body(surfaces.body_of[first.vertices[on_a]]).name();
  const std::string& b = world.body(surfaces.body_of[first.vertices[3]]).name();
  return fmt::format(
      "step {} at t = {:g} s: \"{}\" and \"{}\" cannot be kept apart: what moves by a script "
      "leaves "
      "no room between them ({} pairs of features)",
      state.step + 1, state.t, a, b, limits.size());
}

// Leaves what has rows already.
void drop_known(std::span<const ContactRecord> records, std::vector<NewContact>& contacts)
{
  std::unordered_set<ContactKey, ContactKeyHash> known;
  for (const ContactRecord& record : records) known.insert(record.contact.key);
  std::erase_if(contacts, [&](const NewContact& c) { return known.contains(c.contact.key); });
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
  double residual = 0.0;  // the worst of all substeps
  for (int k = 0; k < report.substeps; ++k) {
    next.step = state.step;
    cover(next, dt / report.substeps, 0, report);
    residual = std::max(residual, report.residual);
  }
  report.residual = residual;
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
  integrator_->pull(spring);
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
    cut_motion(state, dt, report);
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
  for (int pass = 1; pass <= options_.contact.max_passes; ++pass) {
    report.passes = std::max(report.passes, pass);
    if (!solve_contact(report)) return false;
    move(state, dt);
    const Timer timer;
    const std::vector<Limit> limits =
        finder_.limits(x1_, options_.contact.separation * options_.contact.delta);
    const bool held = pass > 1 || !add_spare_rows();
    const bool accepted = limits.empty() && held;
    const bool refined = accepted || add_rows(limits) || !held;
    report.seconds.narrow_phase += timer.seconds();
    if (accepted) return true;
    if (!refined) return false;  // only what moves by a script is too near
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
  if (corner_rows_) corner_rows_->begin(x0_, x1_, contact.delta);
  row_builder_.begin(
      {.start = &state, .x0 = x0_, .x1_scripted = x1_, .v_star = &problem_.v_star, .dt = dt},
      {.delta = contact.delta,
       .push_out = contact.push_out,
       .bounce_from = contact.bounce_from,
       .mu = contact.mu});
  add_near_rows();
  foresee();
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
void Stepper::add_near_rows()
{
  const ContactStepOptions& contact = options_.contact;
  near_.clear();
  spare_.clear();
  must_.clear();
  for (const Contact& close : finder_.close(contact.activation * contact.delta)) {
    const KeyedContact candidate = keyed(close);
    const bool pushed = impulse_memory_.knows(candidate.key);
    if (close.kind == CcdKind::edge_edge && !pushed &&
        !is_nearest_on_surfaces(close, surfaces_, x0_))
      continue;
    near_.push_back(candidate);
    must_.push_back(pushed || candidate.distance < (1.0 - contact.spare_dip) * contact.delta);
  }
  if (contact.rows_per_pair > 0)
    row_choice_.reduce(near_, must_, x0_, contact.rows_per_pair, spare_);
  for (const KeyedContact& candidate : near_) append_row(candidate, AtCorner::groups_only);
}

// Rows for spare contacts that the motion brings clearly nearer than contacts are held at. False: none.
bool Stepper::add_spare_rows()
{
  const double delta = options_.contact.delta;
  std::vector<NewContact> dipped;
  std::erase_if(spare_, [&](const KeyedContact& contact) {
    Vector3d apart = Vector3d::Zero();
    for (int k = 0; k < 4 && contact.key.vertices[k] >= 0; ++k)
      apart += contact.weights[k] * x1_[contact.key.vertices[k]];
    const double least = std::min(contact.distance, delta) - options_.contact.spare_dip * delta;
    if (contact.normal.dot(apart) >= least) return false;
    dipped.push_back({contact, 0.0});
    return true;
  });
  append_rows(dipped);
  return !dipped.empty();
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
  if (!solved) ++report.unconverged;
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
  std::vector<NewContact> expected = contacts_at(finder_.limits(x1_, separation));
  drop_known(records_, expected);
  row_choice_.drop_held(records_, expected);
  std::erase_if(expected, [&](const NewContact& c) { return !approaches_along(c.contact, x0_); });
  append_rows(std::move(expected));
}

// Rows for pairs that came too near, their normal taken where they did. A pair that has rows already
// gets one more. False: there was nothing to add, since no node of theirs is free.
bool Stepper::add_rows(std::span<const Limit> limits)
{
  const int known = problem_.size();
  append_rows(contacts_at(limits), AtCorner::plane_too);
  return problem_.size() > known;
}

std::vector<NewContact> Stepper::contacts_at(std::span<const Limit> limits) const
{
  std::vector<NewContact> contacts;
  for (const Limit& limit : limits)
    contacts.push_back({keyed(contact_at_limit(finder_.vertices(), limit)), limit.safe.time});
  return contacts;
}

void Stepper::append_rows(std::vector<NewContact> contacts, AtCorner at_corner)
{
  const int most = options_.contact.rows_per_patch;
  row_choice_.thin_out(contacts, x0_, most > 0 ? most : std::numeric_limits<int>::max());
  const int known = problem_.size();
  for (const NewContact& contact : contacts) append_row(contact.contact, at_corner);
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

// The fail-safe: slows down what would touch, and only that.
void Stepper::cut_motion(const State& state, double dt, StepReport& report)
{
  const Timer timer;
  if (!trustworthy_) {
    solution_.v = problem_.v_star;
    solution_.lambda.setZero();
  }
  MotionCut cut(*world_, surfaces_, solution_.v);
  for (;;) {
    move(state, dt);
    const std::vector<Limit> limits =
        finder_.limits(x1_, options_.contact.separation * options_.contact.delta);
    if (limits.empty()) break;
    if (!cut.slow_down(limits, x0_, x1_, dt))
      throw StepError(conflict(*world_, surfaces_, state, limits),
                      std::make_shared<const ContactProblem>(problem_));
    solution_.v = cut.velocity();
  }
  ++report.cut_steps;
  report.seconds.narrow_phase += timer.seconds();
}

void Stepper::commit(State& state, double dt, StepReport& report)
{
  const VectorXd impulse = generalised_impulse(problem_, solution_.lambda);
  report.momentum_error =
      std::max(report.momentum_error, momentum_error(problem_.A, solution_.v, b_ + impulse));
  report.contacts = problem_.size();
  report.groups = problem_.groups.size();
  impulse_memory_.store(records_, solution_.lambda, dt);
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
  return {.impulses = impulse_memory_.save(), .response = {response_.begin(), response_.end()}};
}

void Stepper::restore(const StepperMemory& memory)
{
  if (static_cast<Eigen::Index>(memory.response.size()) != response_.size())
    throw Error(fmt::format("checkpoint: found {} velocities of the last step, expected {}",
                            memory.response.size(), response_.size()));
  impulse_memory_.restore(memory.impulses);
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

}  // namespace tact
