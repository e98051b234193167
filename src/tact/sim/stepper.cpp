#include <tact/sim/stepper.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <tact/contact/free_motion.hpp>
#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/core/stop.hpp>
#include <tact/core/timer.hpp>
#include <tact/sim/contact_distance.hpp>
#include <tact/sim/step_error.hpp>
#include <tact/solvers/solvers.hpp>
#include <tact/solvers/unions/union_contact_solver.hpp>

namespace tact {
namespace {

constexpr int max_bends = 3;  // solves without new rows, because rows follow the turn
constexpr int most_halvings_for_energy = 6;
constexpr double worth_halving = 1e-10;  // growth of energy, relative
constexpr double expected_to = 1.0;      // of the tolerance: how well motions are expected
constexpr double hopeless = 5.0;         // m/s: a solve that ends above this is not worth checking

StepOptions completed(StepOptions options, const World& world)
{
  const bool certified = options.contact.solver.tolerance < options.contact.reduced_from;
  if (certified) options.contact.rows_per_pair = 0;
  // Nodes of explicit steps are free of each other: a row holds only its own.
  if (options.integrator == IntegratorKind::semi_implicit_euler)
    options.contact.rows_per_pair = options.contact.rows_per_patch = 0;
  if (options.contact.delta <= 0.0) options.contact.delta = choose_contact_distance(world);
  return options;
}

std::unique_ptr<Integrator> integrator_for(const World& world, const StepOptions& options)
{
  if (options.integrator == IntegratorKind::semi_implicit_euler)
    return make_explicit_integrator(world, options.explicit_steps);
  return make_implicit_integrator(world, options.dynamics);
}

std::unique_ptr<ContactSolver> solver_for(const ContactStepOptions& options)
{
  std::unique_ptr<ContactSolver> solver = make_contact_solver(options.method, options.solver);
  if (!options.nonconvex) return solver;
  return std::make_unique<UnionSolver>(std::move(solver),
                                       UnionContactOptions{.tolerance = options.solver.tolerance,
                                                           .law = options.solver.law,
                                                           .method = *options.nonconvex,
                                                           .max_trials = options.max_side_trials,
                                                           .from_warm_start = true});
}

// What takes problems about an expected motion; so far one integrator makes them.
bool expects_motion(const StepOptions& options)
{
  const ContactStepOptions& contact = options.contact;
  return options.integrator == IntegratorKind::implicit_euler && contact.method == "auto" &&
         !contact.nonconvex && !contact.free_motion_first;
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

}  // namespace

Stepper::Stepper(const World& world, const StepOptions& options)
    : world_(&world),
      options_(completed(options, world)),
      surfaces_(surfaces_of(world)),
      integrator_(integrator_for(world, options_)),
      solver_(solver_for(options_.contact)),
      finder_(surfaces_.set, {.reach = options_.contact.activation * options_.contact.delta}),
      arcs_(surfaces_.set),
      row_builder_(world, surfaces_),
      joints_(world),
      row_choice_(world, surfaces_),
      targets_(world, surfaces_, options_.contact.delta),
      squeezed_(world),
      conservation_(world),
      balance_(world),
      response_(VectorXd::Zero(world.v_size()))
{
  step_.problem.rigid = rigid_nodes(world);
  if (expects_motion(options_) && joints_.empty()) pushes_.setZero(world.v_size());
  if (options_.contact.nonconvex) corner_rows_.emplace(world, surfaces_);
}

const StepResult& Stepper::step(State& state, double dt)
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
  step_.report = std::move(report);
  return step_;
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

// Steps over dt, in halves where it must: to keep things apart, or where the step is too long for
// the linearised forces of meshes, which shows in energy from nowhere.
void Stepper::cover(State& state, double dt, int halvings, StepReport& report)
{
  end_if_stopped();
  with_memory_for("the motion without contact", [&] { find_free_motion(state, dt, report); });
  const bool safe =
      with_memory_for("the rows of contacts", [&] { return refine_manifold(state, dt, report); });
  if (!safe) end_squeezing(report);
  const auto in_halves = [&] {
    ++report.halvings;
    cover(state, 0.5 * dt, halvings + 1, report);
    cover(state, 0.5 * dt, halvings + 1, report);
  };
  const bool may_halve = halvings < options_.contact.max_halvings;
  if (may_halve && (!safe || forces_gain(state, dt))) return in_halves();
  if (safe) {
    settle_velocities(state, dt, report);
  } else {
    move_in_zones(state, dt, report);
  }
  if (safe) end_squeezing(report);
  const double growth = keep_invariants(state, dt);
  if (!joints_.empty()) limit_mechanisms(state, dt);
  if (growth > worth_halving && halvings < most_halvings_for_energy) return in_halves();
  report.cut_steps += safe ? 0 : 1;
  cuts_in_a_row_ = safe ? 0 : cuts_in_a_row_ + 1;
  commit(state, dt, report);
}

// A, b and v*, or what is expected instead of it.                         [Otaduy09] eq. (2), (3)
void Stepper::find_free_motion(const State& state, double dt, StepReport& report)
{
  const Timer timer;
  if (!joints_.empty()) integrator_->carry(joints_.loads(state));
  const DynamicsReport solved =
      pushes_.size() == 0
          ? integrator_->find_free_motion(state, dt, step_.problem, step_.right_side)
          : integrator_->find_expected_motion(state, dt, dt * pushes_,
                                              expected_to * options_.contact.solver.tolerance,
                                              step_.problem, step_.right_side);
  if (!solved.solved) throw StepError(unsolvable(*world_, state, solved));
  report.pcg_iterations += solved.pcg_iterations;
  report.seconds.dynamics += timer.seconds();
}

// True: step_.solution and end_ hold a motion that is free of contact on its whole way. Sec. 4
bool Stepper::refine_manifold(const State& state, double dt, StepReport& report)
{
  begin_contact(state, dt, report);
  int bends = 0;
  for (int pass = 1; pass <= options_.contact.max_passes;) {
    end_if_stopped();
    report.passes = std::max(report.passes, pass);
    if (!with_memory_for("the contact solve", [&] { return solve_held(state, dt, report); }))
      return false;
    const Timer timer;
    const std::vector<Limit> too_near =
        with_memory_for("the search for crossings", [&] { return limits(); });
    const bool spared = pass > 1 || !add_spare_rows();
    keep_solved_rows();
    const bool added = !too_near.empty() && add_rows(too_near);
    const bool may_bend = bends < max_bends;
    const bool bent = bend(dt) && may_bend;
    const bool came = (added || (may_bend && !let_go_.empty())) && foresee_at_ends();
    report.seconds.narrow_phase += timer.seconds();
    if (too_near.empty() && spared && !bent && !came) {
      restore_solved_rows();
      return true;
    }
    if (bent || came) ++bends;
    if (added || !spared) ++pass;
    if (!added && spared && !bent && !came)
      return false;  // only what moves by a script is too near
  }
  return false;
}

// Candidates along the expected motion, rows for what is near already, and the warm start.
void Stepper::begin_contact(const State& state, double dt, StepReport& report)
{
  const Timer broad;
  step_.solution.v = step_.problem.v_star + dt * response_;
  place_surfaces(*world_, state, x0_);
  move(state, dt);
  begin_joints(state, dt);
  with_memory_for("the broad phase", [&] { finder_.expect(x0_, x1_); });
  report.seconds.broad_phase += broad.seconds();

  const Timer narrow;
  const ContactStepOptions& contact = options_.contact;
  step_.problem.contacts.clear();
  step_.problem.blocks.clear();
  step_.problem.groups.clear();
  step_.contacts.clear();
  touching_.clear();
  too_near_.clear();
  let_go_.clear();
  if (corner_rows_) corner_rows_->begin(x0_, x1_, contact.delta);
  row_builder_.begin(
      {.start = &state, .x0 = x0_, .x1 = x1_, .v_star = &step_.problem.v_star, .dt = dt},
      {.delta = contact.delta,
       .targets = &targets_,
       .push_out = contact.push_out,
       .push_out_soft = std::min(contact.push_out, contact.push_out_soft),
       .bounce_from = contact.bounce_from,
       .last = &impulse_memory_,
       .mu = contact.mu});
  add_near_rows(dt);
  foresee();
  hold_where_stuck(dt);
  step_.solution.lambda.setZero(0);
  bend(dt);
  foresee_at_ends();
  step_.solution.lambda.resize(3 * step_.problem.size());
  for (int c = 0; c < step_.problem.size(); ++c) {
    end_if_stopped();
    step_.solution.lambda.segment<3>(3 * c) = impulse_memory_.recall(
        step_.contacts[c], step_.problem.contacts[c].mu, dt, contact.solver.law);
  }
  squeezed_.begin(dt);
  squeezed_.update(step_.problem, step_.contacts, step_.solution);
  begin_solver();
  report.seconds.narrow_phase += narrow.seconds();
}

// Residuals are means over nodes. A squeezed one has two layers beside it, so that the mean of its
// own may be larger by sqrt(3) than that of all.
void Stepper::begin_solver()
{
  if (!squeezed_.empty() && !squeezed_solver_) {
    ContactStepOptions closer = options_.contact;
    closer.solver.tolerance /= std::sqrt(3.0);
    squeezed_solver_ = solver_for(closer);
  }
  const std::span<const BlockCholesky* const> known = integrator_->factors();
  std::vector<const BlockCholesky*> factors(known.begin(), known.end());
  if (!factors.empty()) factors.resize(step_.problem.A.size(), nullptr);
  for (std::size_t k = 0; k < world_->components().size() && k < factors.size(); ++k)
    if (world_->mechanism(static_cast<int>(k)) >= 0) factors[k] = nullptr;  // A follows turns
  turned_ = false;
  solver().begin(step_.problem, factors);
}

ContactSolver& Stepper::solver()
{
  return squeezed_.empty() ? *solver_ : *squeezed_solver_;
}

// v* after all: of what nothing touches, which moves freely, or of all. Only then is `rest` empty.
void Stepper::end_expectations(Which which, const State& state, StepReport& report)
{
  ContactProblem& problem = step_.problem;
  if (problem.rest.size() == 0) return;
  const Timer timer;
  std::vector<char> touched(problem.nodes(), 0);
  if (which == Which::untouched)
    for (const RowBlock& block : problem.blocks) touched[block.node] = 1;
  bool left = false;
  for (int k = 0; k < static_cast<int>(world_->components().size()); ++k) {
    const Component& part = world_->components()[k];
    const Eigen::Index first = 3 * part.first_node, length = 3 * part.node_count();
    if (problem.rest.segment(first, length).isZero(0.0)) continue;
    const auto node = touched.begin() + part.first_node;
    const bool stays = std::find(node, node + part.node_count(), 1) != node + part.node_count();
    left = left || stays;
    if (stays) continue;
    DynamicsReport solved{.component = k};
    solved.solved =
        tact::find_free_motion(problem, k, options_.dynamics.pcg, solved.pcg_iterations);
    if (!solved.solved) throw StepError(unsolvable(*world_, state, solved));
    report.pcg_iterations += solved.pcg_iterations;
    if (which == Which::untouched)
      step_.solution.v.segment(first, length) = problem.v_star.segment(first, length);
  }
  if (!left) problem.rest.resize(0);
  report.seconds.dynamics += timer.seconds();
}

// What an expected motion does not lead to within the tolerance is solved about v*.
ContactReport Stepper::solve_rows(const State& state, StepReport& report)
{
  ContactReport solved = solver().solve(step_.problem, step_.solution);
  if (solved.ok() || step_.problem.rest.size() == 0) return solved;
  end_expectations(Which::all, state, report);
  begin_solver();
  step_.solution = step_.warm_start;
  return solver().solve(step_.problem, step_.solution);
}

// False: the answer is useless.
bool Stepper::solve_contact(const State& state, StepReport& report)
{
  end_expectations(Which::untouched, state, report);
  if (step_.problem.size() == 0 && !joints_.limited()) {  // joints are held by who called
    step_.solution.v = step_.problem.v_star;
    step_.residuals = {};
    report.residual = 0.0;
    return trustworthy_ = true;
  }
  const Timer timer;
  if (squeezed_.update(step_.problem, step_.contacts, step_.solution) || turned_) begin_solver();
  squeezed_.ease(step_.contacts, step_.problem);
  step_.warm_start = step_.solution;
  const ContactReport solved = solve_rows(state, report);
  report.seconds.solve += timer.seconds();
  ++report.solves;
  report.inexact += solved.inexact;
  report.union_solves += solved.trials > 0;
  report.form_solves += solved.by_form;
  report.audit += solved.audit;
  report.history = solved.history;
  note_refusal(solved, report);
  const double worst = solved.residuals.worst();
  if (!solved.ok()) {
    ++report.unconverged;
    report.missed_residual = std::max(report.missed_residual, worst);
  }
  step_.residuals = solved.residuals;
  report.residual = worst;
  report.cone_violation = solved.residuals.cone_violation;
  trustworthy_ = step_.solution.v.allFinite() && worst < hopeless &&
                 (solved.ok() || !gains_energy(step_.problem, step_.solution.v));
  if (trustworthy_) squeezed_.settle(step_.solution, step_.problem);
  return trustworthy_;
}

// Islands that the chosen method does not take: how many, and between whom the first of them is.
void Stepper::note_refusal(const ContactReport& solved, StepReport& report) const
{
  report.refused += solved.refused;
  if (solved.refused == 0 || !report.refusal.empty()) return;
  if (solved.refused_contact < 0) {
    report.refusal = "joints: " + solved.refusal;
    return;
  }
  const ContactRecord& contact = step_.contacts[solved.refused_contact];
  report.refusal = fmt::format("\"{}\" and \"{}\": {}", world_->body(contact.body_a).name(),
                               world_->body(contact.body_b).name(), solved.refusal);
}

void Stepper::move(const State& state, double dt)
{
  advance(*world_, state, step_.solution.v, dt, end_);
  if (!end_.q.allFinite() || !end_.v.allFinite())
    throw StepError(fmt::format("step {} at t = {:g} s: the state is not finite any more",
                                state.step + 1, state.t));
  place_surfaces(*world_, end_, x1_);
}

StepperMemory Stepper::memory() const
{
  return {.impulses = impulse_memory_.save(),
          .response = {response_.begin(), response_.end()},
          .pushes = {pushes_.begin(), pushes_.end()},
          .targets = targets_.save(),
          .anchors = anchors_.save(),
          .joints = joints_.memory(),
          .cuts_in_a_row = cuts_in_a_row_};
}

void Stepper::restore(const StepperMemory& memory)
{
  if (static_cast<Eigen::Index>(memory.response.size()) != response_.size())
    throw Error(fmt::format("checkpoint: found {} velocities of the last step, expected {}",
                            memory.response.size(), response_.size()));
  // Another solver may have expected no motions, or not wanted to.
  const bool pushed = pushes_.size() > 0 && !memory.pushes.empty();
  if (pushed && static_cast<Eigen::Index>(memory.pushes.size()) != pushes_.size())
    throw Error(fmt::format("checkpoint: found {} forces of the last step, expected {}",
                            memory.pushes.size(), pushes_.size()));
  if (pushed) std::copy(memory.pushes.begin(), memory.pushes.end(), pushes_.begin());
  impulse_memory_.restore(memory.impulses);
  targets_.restore(memory.targets);
  anchors_.restore(memory.anchors);
  joints_.restore(memory.joints);
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

}  // namespace tact
