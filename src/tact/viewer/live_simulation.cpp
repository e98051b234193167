#include <tact/viewer/live_simulation.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/timer.hpp>
#include <tact/files/contact_io.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/run/run_report.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/sim/step_error.hpp>
#include <tact/solvers/solvers.hpp>

namespace tact {
namespace {

// A pull is a critically damped spring that would swing the whole body at this rate: it follows the
// hand within a fifth of a second, and under gravity hangs 0.1 m below it.
constexpr double pull_rate = 10.0;  // rad/s

Spring spring_of(const Pull& pull, double mass)
{
  Spring spring;
  spring.a = {.body = pull.body, .point = {.vertex = pull.vertex}};
  spring.b.place = pull.to;
  spring.stiffness = pull_rate * pull_rate * mass;
  spring.damping = 2.0 * pull_rate * mass;
  return spring;
}

}  // namespace

void validate(const LiveSettings& settings)
{
  if (!(settings.dt > 0.0 && settings.dt <= 1.0))
    throw Error(fmt::format("dt: found {:g} s, expected more than 0 and at most 1", settings.dt));
  if (settings.mu && !(*settings.mu >= 0.0 && *settings.mu <= 100.0))
    throw Error(fmt::format("friction: found {:g}, expected 0 to 100", *settings.mu));
  const std::vector<std::string> known = contact_method_names();
  if (std::ranges::find(known, settings.solver) == known.end())
    throw Error(
        fmt::format("solver: found \"{}\", expected {}", settings.solver, fmt::join(known, ", ")));
}

LiveSimulation::LiveSimulation(Scene scene, std::string version)
    : scene_(std::move(scene)), header_(header_of(scene_, std::move(version)))
{
  settings_.dt = scene_.run.dt;
  settings_.solver = scene_.run.contact.solver;
  make_stepper();
  reset();
}

void LiveSimulation::make_stepper()
{
  RunOptions run = scene_.run;
  run.contact.solver = settings_.solver;
  StepOptions options = step_options(run);
  options.contact.mu = settings_.mu;
  options.contact.solver.keep_history = true;
  auto stepper = std::make_unique<Stepper>(scene_.world, options);
  if (stepper_) stepper->restore(stepper_->memory());
  stepper_ = std::move(stepper);
  outdated_ = false;
  pull(pull_);
  recorder_ = std::make_unique<FrameRecorder>(scene_.world, header_);
}

void LiveSimulation::change(const LiveSettings& settings)
{
  if (settings == settings_) return;
  validate(settings);
  outdated_ |= settings.solver != settings_.solver || settings.mu != settings_.mu;
  settings_ = settings;
}

void LiveSimulation::pull(const std::optional<Pull>& pull)
{
  std::optional<Spring> spring;
  if (pull && pull->body >= 0 && pull->body < scene_.world.body_count())
    spring = spring_of(*pull, scene_.world.body(pull->body).mass());
  else if (pull)
    throw Error(fmt::format("pull: found body {}, expected 0 to {}", pull->body,
                            scene_.world.body_count() - 1));
  stepper_->pull(spring);
  pull_ = pull;
}

bool LiveSimulation::step()
{
  const Timer timer;
  failure_.clear();
  failed_problem_.reset();
  if (outdated_) make_stepper();
  try {
    report_ = stepper_->step(state_, settings_.dt).report;
  } catch (const StepError& error) {
    failure_ = error.what();
    failed_problem_ = error.problem();
    return false;
  }
  step_seconds_ = timer.seconds();
  frame_ = recorder_->frame(state_, stepper_->last());
  frame_.account = account_of(report_, state_.step, state_.t);
  return true;
}

void LiveSimulation::reset()
{
  state_ = scene_.world.start();
  stepper_.reset();  // with what it remembers of contacts
  pull_.reset();
  make_stepper();
  frame_ = frame_of(scene_.world, state_);
  report_ = {};
  step_seconds_ = 0.0;
  failure_.clear();
  failed_problem_.reset();
}

const ContactProblem* LiveSimulation::problem() const
{
  if (!failure_.empty()) return failed_problem_.get();
  return stepper_->last().problem.size() > 0 ? &stepper_->last().problem : nullptr;
}

std::filesystem::path LiveSimulation::save_problem(const std::filesystem::path& folder) const
{
  if (!problem()) throw Error("nothing is in contact: there is no contact problem to save");
  make_folder(folder);
  const bool failed = !failure_.empty();
  const std::filesystem::path file =
      folder /
      fmt::format("{}step_{:06}.json", failed ? "failed_" : "", state_.step + (failed ? 1 : 0));
  write_contact_problem(
      file, *problem(), failed ? nullptr : &stepper_->last().warm_start,
      scene_.run.contact.friction == "pyramid" ? FrictionLaw::pyramid : FrictionLaw::disc);
  return file;
}

}  // namespace tact
