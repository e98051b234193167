#include <tact/run/run.hpp>

#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/memory_limit.hpp>
#include <tact/core/printable.hpp>
#include <tact/core/stop.hpp>
#include <tact/core/timer.hpp>
#include <tact/files/contact_io.hpp>
#include <tact/files/coupling_pattern_svg.hpp>
#include <tact/files/text_file.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/recording/recording_writer.hpp>
#include <tact/run/frame_of_state.hpp>
#include <tact/run/step_log.hpp>
#include <tact/run/step_memory.hpp>
#include <tact/sim/step_error.hpp>

namespace tact {
namespace {

namespace fs = std::filesystem;

fs::path problem_file(const fs::path& folder, std::int64_t step)
{
  return folder / "problems" / fmt::format("step_{:06}.json", step);
}

// Those of a former run in the folder.
void remove_problems(const fs::path& folder)
{
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "problems", ignored))
    if (entry.path().filename().string().starts_with("step_")) fs::remove(entry.path(), ignored);
}

// Meshes whose own triangles the steps do not keep apart.
std::vector<int> bodies_that_pass_through_themselves(const World& world)
{
  std::vector<int> bodies;
  for (int i = 0; i < world.body_count(); ++i) {
    const Body& body = world.body(i);
    const bool bends = body.node_count() > 0 && body.kind() != BodyKind::rigid;
    if (bends && !body.self_collision()) bodies.push_back(i);
  }
  return bodies;
}

class Run {
 public:
  Run(const World& world, const RunSettings& settings, const RunHooks& hooks)
      : world_(world),
        settings_(settings),
        hooks_(hooks),
        stepper_(world, settings.step),
        unwatched_(bodies_that_pass_through_themselves(world)),
        forces_(settings.forces),
        state_(world.start()),
        log_(settings.folder / "steps.csv"),
        writer_(open()),
        recorder_(world, writer_.header())
  {
    report_.scene = settings.scene;
    report_.version = settings.version;
    report_.seed = settings.seed;
    report_.threads = settings.threads;
    report_.tolerance = settings.step.contact.solver.tolerance;
    report_.solver = settings.step.contact.method;
  }

  RunReport simulate()
  {
    try {
      while (state_.step < settings_.steps && !stopped()) {
        if (!step()) break;
        if (since_checkpoint_.seconds() >= settings_.checkpoint_seconds) save();
      }
    } catch (const OutOfMemory& error) {  // in what comes after a step: its frame may be lost
      run_short(error);
      return abandoned();
    }
    finish();
    return report_;
  }

 private:
  RecordingWriter open()
  {
    if (settings_.resume && has_checkpoint(settings_.folder)) return go_on();
    RecordingHeader header = header_of(world_);
    header.scene = settings_.scene;
    header.version = settings_.version;
    header.seed = settings_.seed;
    header.dt = settings_.dt;
    header.scene_json = settings_.scene_json;
    header.contact_distance = stepper_.contact_distance();
    header.tolerance = settings_.step.contact.solver.tolerance;
    if (settings_.step.contact.solver.law == FrictionLaw::pyramid) header.friction = "pyramid";
    RecordingWriter writer = RecordingWriter::create(settings_.folder, header);
    remove_checkpoints(settings_.folder);
    remove_problems(settings_.folder);
    log_.start();
    std::error_code ignored;
    fs::remove(settings_.folder / "pattern.svg", ignored);
    writer.append(frame_of(world_, state_));
    return writer;
  }

  RecordingWriter go_on()
  {
    const Checkpoint checkpoint = read_checkpoint(settings_.folder);
    if (checkpoint.scene_json != settings_.identity)
      throw Error(fmt::format(
          "{}: its checkpoint is of another scene or of other settings; run "
          "with --overwrite instead of --resume to start anew, or with -o DIR elsewhere",
          settings_.folder.string()));
    state_ = {checkpoint.step, checkpoint.t, checkpoint.q, checkpoint.v};
    report_.totals = totals_from(array(checkpoint, "totals"));
    stepper_.restore(step_memory(checkpoint));
    forces_.restore(array(checkpoint, "forces").doubles);
    log_.go_on_after(checkpoint.step);
    return RecordingWriter::resume(settings_.folder, checkpoint.frames);
  }

  bool stopped() const { return hooks_.stop && hooks_.stop->load(std::memory_order_relaxed); }

  // False: the step could not be computed, or was stopped, and the state is the one before it.
  bool step()
  {
    const Timer timer;
    std::optional<StepperMemory> before;  // halves of a step that is given up change it
    const auto go_back = [&] {
      if (before) stepper_.restore(*before);
      return false;
    };
    try {
      before = with_memory_for("what a step goes back to", [&] { return stepper_.memory(); });
      const StopScope scope(hooks_.stop);
      with_memory_for("the step", [&] { (void)stepper_.step(state_, settings_.dt); });
    } catch (const Stopped&) {
      return go_back();
    } catch (const OutOfMemory& error) {
      run_short(error);
      return go_back();
    } catch (const StepError& error) {
      report_.failure = error.what();
      if (error.problem())
        write_contact_problem(settings_.folder / "failed-problem.json", *error.problem(), nullptr,
                              settings_.step.contact.solver.law);
      return false;
    }
    const Timer output;
    const StepReport& step = stepper_.last().report;
    report_.totals.add(step, account_of(step, state_.step, state_.t), settings_.dt);
    if (report_.refusal.empty()) report_.refusal = step.refusal;
    record(stepper_.last());
    log_.add({.step = state_.step,
              .t = state_.t,
              .contacts = step.contacts,
              .passes = step.passes,
              .halvings = step.halvings,
              .residual = step.residual,
              .unconverged = step.unconverged,
              .cut = step.cut_steps,
              .kinetic = step.kinetic_energy,
              .potential = step.potential_energy,
              .momentum_loss = step.momentum_loss,
              .energy_gain = step.energy_gain,
              .phases = step.seconds,
              .output = output.seconds()});
    report_.totals.output_seconds += output.seconds();
    report_.totals.wall_seconds += timer.seconds();
    if (hooks_.after_step) hooks_.after_step({state_.step, state_.t, step});
    return true;
  }

  void run_short(const OutOfMemory& error)
  {
    report_.out_of_memory = true;
    report_.failure =
        fmt::format("step {} at t = {:g} s: {}", state_.step + 1, state_.t, told(error));
  }

  // The last checkpoint and the frames that were committed before it are what stays.
  RunReport abandoned()
  {
    const BeyondMemoryLimit safety;
    report_.judged = false;
    report_.state_hash = state_hash(state_);
    write_text(settings_.folder / "report.json", report_json(report_));
    return report_;
  }

  void record(const StepResult& step)
  {
    const BeyondMemoryLimit safety;
    const bool recorded = state_.step % settings_.every == 0;
    if (recorded || !forces_.idle()) {
      Frame frame = recorder_.frame(state_, step);
      if (!forces_.idle()) forces_.add(writer_.header(), frame);
      if (recorded) {
        report_.totals.add(frame.certificate);
        report_.totals.add(self_penetration(writer_.header(), frame, unwatched_));
        frame.account = std::exchange(report_.totals.unrecorded, {});
        writer_.append(std::move(frame));
      }
    }
    if (step.problem.size() == 0 || !settings_.problems.wants(state_.step, step.report)) return;
    make_folder(settings_.folder / "problems");
    write_contact_problem(problem_file(settings_.folder, state_.step), step.problem,
                          &step.warm_start, settings_.step.contact.solver.law);
  }

  // First the frames, then what refers to them.
  void save()
  {
    if (saved_ == state_.step) return;
    const BeyondMemoryLimit safety;
    const Timer output;
    writer_.commit();
    log_.commit();
    Checkpoint checkpoint{.step = state_.step,
                          .t = state_.t,
                          .frames = writer_.committed_count(),
                          .q = state_.q,
                          .v = state_.v,
                          .extra = {to_array(report_.totals), {"forces", forces_.save(), {}}},
                          .scene_json = settings_.identity};
    append(stepper_.memory(), checkpoint.extra);
    write_checkpoint(settings_.folder, checkpoint);
    report_.totals.output_seconds += output.seconds();
    report_.totals.wall_seconds += output.seconds();
    since_checkpoint_ = Timer();
    saved_ = state_.step;
  }

  // Bodies that are alike are called name-0, name-1...: an island is named after them all.
  void draw_pattern() const
  {
    constexpr int islands_at_most = 6;
    std::vector<std::string> names;
    for (const ContactRecord& contact : stepper_.last().contacts) {
      const bool a_moves = world_.body(contact.body_a).v_size() > 0;
      const std::string name = world_.body(a_moves ? contact.body_a : contact.body_b).name();
      const std::size_t stem = name.find_last_not_of("-0123456789");
      names.push_back(stem == std::string::npos ? name : name.substr(0, stem + 1));
    }
    write_text(
        settings_.folder / "pattern.svg",
        coupling_pattern_svg(island_patterns(stepper_.last().problem, names, islands_at_most)));
  }

  void finish()
  {
    const BeyondMemoryLimit safety;
    save();
    report_.finished = state_.step >= settings_.steps;
    const bool whole = report_.finished || !stopped();  // the last step, not the half of one
    if (settings_.pattern && whole && stepper_.last().problem.size() > 0) draw_pattern();
    const Timer output;
    if (report_.finished) writer_.finish();
    report_.totals.output_seconds += output.seconds();
    report_.totals.wall_seconds += output.seconds();
    // The exact test of a large scene takes seconds, and whoever presses Ctrl-C is not to wait.
    report_.judged = whole;
    if (report_.judged) report_.totals.add(penetration(writer_.header(), frame_of(world_, state_)));
    report_.state_hash = state_hash(state_);
    report_.forces = forces_.summary(writer_.header());
    report_.ends = ends();
    report_.joints = joint_forces();
    write_text(settings_.folder / "report.json", report_json(report_));
  }

  std::vector<JointForce> joint_forces() const
  {
    const StepResult& step = stepper_.last();
    std::vector<JointForce> forces;
    auto joint = world_.joints().begin();
    for (const JointReaction& reaction : step.joints)
      forces.push_back({.joint = (joint++)->name,
                        .on_b = {reaction.force / step.dt, reaction.torque / step.dt},
                        .motor = reaction.motor / step.dt,
                        .friction = reaction.friction / step.dt,
                        .limit = reaction.limit / step.dt});
    return forces;
  }

  std::vector<BodyEnd> ends() const
  {
    std::vector<BodyEnd> ends;
    for (const int i : settings_.forces) {
      const Body& body = world_.body(i);
      if (body.node_count() == 0) continue;
      const Momentum momentum = body.momentum(world_.q(state_, i), world_.v(state_, i));
      ends.push_back({.body = body.name(),
                      .centre = body.centre_of_mass(world_.q(state_, i)),
                      .velocity = momentum.linear / body.mass()});
    }
    return ends;
  }

  const World& world_;
  const RunSettings& settings_;
  const RunHooks& hooks_;
  Stepper stepper_;
  std::vector<int> unwatched_;
  ForceMeter forces_;
  State state_;
  StepLog log_;
  RunReport report_;
  Timer since_checkpoint_;
  std::int64_t saved_ = -1;  // the step of the newest checkpoint
  RecordingWriter writer_;   // opening it may replace the state and more by the checkpoint's
  FrameRecorder recorder_;
};

}  // namespace

bool RecordProblems::wants(std::int64_t number, const StepReport& report) const
{
  if (when == When::step) return number == step;
  if (when == When::every) return number % step == 0;
  return when == When::all || (when == When::unconverged && report.unconverged > 0);
}

RunReport run(const World& world, const RunSettings& settings, const RunHooks& hooks)
{
  Run run = with_memory_for("what the steps keep of the scene",
                            [&] { return Run(world, settings, hooks); });
  return run.simulate();
}

}  // namespace tact
