#include <tact/run/simulation.hpp>

#include <utility>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/run/step_memory.hpp>
#include <tact/setup/step_options.hpp>

namespace tact {

Simulation::Simulation(std::shared_ptr<const Scene> scene, std::string version)
    : scene_(std::move(scene)),
      header_(std::make_shared<RecordingHeader>(header_of(*scene_, std::move(version)))),
      stepper_(make_stepper(*scene_)),
      recorder_(scene_->world, *header_),
      state_(scene_->state),
      stepped_(state_)
{
}

Simulation::Simulation(const Simulation& other)
    : scene_(other.scene_),
      header_(other.header_),
      stepper_(make_stepper(*scene_)),
      recorder_(scene_->world, *header_),
      state_(other.state_),
      stepped_(state_),
      report_(other.report_),
      frame_(other.frame())
{
  stepper_.restore(other.stepper_.memory());
}

const StepReport& Simulation::step(double dt)
{
  const double seconds = dt == 0.0 ? scene_->run.dt : dt;
  if (!(seconds > 0.0 && seconds <= 1.0))
    throw Error(fmt::format("step: found dt = {:g} s, expected more than 0 and at most 1", dt));
  const StepperMemory before = stepper_.memory();
  frame_.reset();
  has_last_ = false;
  stepped_ = state_;
  try {
    report_ = stepper_.step(stepped_, seconds).report;
  } catch (...) {
    stepper_.restore(before);
    throw;
  }
  state_ = stepped_;
  has_last_ = true;
  return report_;
}

void Simulation::set_velocities(int body, const VectorXd& v)
{
  const Body& changed = world().body(body);
  if (v.size() != changed.v_size())
    throw Error(fmt::format("velocities of {}: found {} numbers, expected {}", changed.name(),
                            v.size(), changed.v_size()));
  if (!v.allFinite())
    throw Error(fmt::format("velocities of {}: found a number that is not finite", changed.name()));
  state_.v.segment(3 * world().place(body).node, v.size()) = v;
}

void Simulation::remember(const State& state, const StepperMemory& memory)
{
  stepper_.restore(memory);
  state_ = state;
  report_ = {};
  frame_.reset();
  has_last_ = false;
}

void Simulation::reset()
{
  remember(scene_->state, make_stepper(*scene_).memory());
}

std::shared_ptr<const Frame> Simulation::frame() const
{
  if (!frame_)
    frame_ = std::make_shared<Frame>(has_last_ ? recorder_.frame(stepped_, stepper_.last())
                                               : frame_of(world(), state_));
  return frame_;
}

std::string Simulation::save() const
{
  Checkpoint checkpoint{.step = state_.step,
                        .t = state_.t,
                        .frames = 0,
                        .q = state_.q,
                        .v = state_.v,
                        .extra = {},
                        .scene_json = scene_->resolved_json};
  append(stepper_.memory(), checkpoint.extra);
  return to_bytes(checkpoint);
}

void Simulation::load(std::string_view bytes)
{
  Checkpoint checkpoint;
  try {
    checkpoint = checkpoint_from(bytes);
  } catch (const Error& error) {
    throw Error(fmt::format("load: {}", error.what()));
  }
  if (checkpoint.scene_json != scene_->resolved_json)
    throw Error("load: found a state of another scene");
  if (checkpoint.q.size() != state_.q.size() || checkpoint.v.size() != state_.v.size())
    throw Error("load: found a state of another size");
  remember({checkpoint.step, checkpoint.t, checkpoint.q, checkpoint.v}, step_memory(checkpoint));
}

}  // namespace tact
