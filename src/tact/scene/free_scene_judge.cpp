#include <tact/scene/free_scene_judge.hpp>

#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <tact/geometry/surface_intersection.hpp>
#include <tact/scene/scene_builder.hpp>
#include <tact/scene/step_options.hpp>
#include <tact/sim/step_error.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

double energy_of(const World& world, const State& state)
{
  return kinetic_energy(world, state) + potential_energy(world, state);
}

// Below it nothing is taken for motion: where all is at rest, shares are of what this would be.
constexpr double rest_speed = 1e-3;  // m/s

struct MomentumScale {
  double linear = 0.0;   // sum |m v|
  double angular = 0.0;  // sum (|r x m v| + |I w|)
};

Vector3d common_centre(const World& world, const State& state)
{
  double mass = 0.0;
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < world.body_count(); ++i) {
    mass += world.body(i).mass();
    sum += world.body(i).mass() * world.body(i).centre_of_mass(world.q(state, i));
  }
  return sum / mass;
}

MomentumScale scale_of(const World& world, const State& state)
{
  const Vector3d centre = common_centre(world, state);
  MomentumScale scale;
  for (int i = 0; i < world.body_count(); ++i) {
    const Momentum own = world.body(i).momentum(world.q(state, i), world.v(state, i));
    const Vector3d place = world.body(i).centre_of_mass(world.q(state, i));
    const Vector3d orbital = (place - centre).cross(own.linear);
    const Vector3d spin = own.angular - place.cross(own.linear);
    const double at_rest = rest_speed * world.body(i).mass();
    scale.linear += std::max(own.linear.norm(), at_rest);
    scale.angular += std::max(orbital.norm() + spin.norm(), at_rest * (place - centre).norm());
  }
  return scale;
}

// Each body in a world of its own: what it does without the others.
class AloneBodies {
 public:
  AloneBodies(const SceneDescription& scene, const StepOptions& options)
  {
    for (const BodyDescription& body : scene.bodies) {
      SceneDescription alone = scene;
      alone.bodies = {body};
      if (auto* cloth = std::get_if<ClothOptions>(&alone.bodies[0].options))
        cloth->self_collision = false;
      if (auto* soft = std::get_if<SoftOptions>(&alone.bodies[0].options))
        soft->self_collision = false;
      scenes_.push_back(std::make_unique<Scene>(build_scene(std::move(alone))));
      steppers_.push_back(std::make_unique<Stepper>(scenes_.back()->world, options));
    }
  }

  // J: the energy of all after a step of their own from here.
  double energy_after(const World& world, const State& state, double dt)
  {
    double sum = 0.0;
    for (int i = 0; i < world.body_count(); ++i) {
      const World& alone = scenes_[i]->world;
      State own{.step = state.step, .t = state.t, .q = world.q(state, i), .v = world.v(state, i)};
      steppers_[i]->step(own, dt);
      sum += energy_of(alone, own);
    }
    return sum;
  }

 private:
  std::vector<std::unique_ptr<Scene>> scenes_;
  std::vector<std::unique_ptr<Stepper>> steppers_;
};

bool all_rigid(const World& world)
{
  for (int i = 0; i < world.body_count(); ++i)
    if (world.body(i).kind() != BodyKind::rigid) return false;
  return true;
}

// The moment of all contact impulses of the last step about the origin, N m s: none, if each acts at
// one point. Nodes of deformable bodies are mass points, in the order of q.
Vector3d moment_of_impulses(const World& world, const Stepper& stepper)
{
  const VectorXd impulse = generalised_impulse(stepper.problem(), stepper.impulses());
  const State& start = stepper.start();
  Vector3d moment = Vector3d::Zero();
  for (int i = 0; i < world.body_count(); ++i) {
    const auto q = world.q(start, i);
    const int first = 3 * world.place(i).node;
    if (world.body(i).kind() == BodyKind::rigid) {
      const Vector3d place = world.body(i).centre_of_mass(q);
      moment += place.cross(impulse.segment<3>(first)) + impulse.segment<3>(first + 3);
      continue;
    }
    for (int k = 0; k < world.body(i).v_size(); k += 3)
      moment += Vector3d(q.segment<3>(k)).cross(impulse.segment<3>(first + k));
  }
  return moment;
}

class FreeSceneJudge {
 public:
  explicit FreeSceneJudge(const SceneDescription& description)
      : scene_(build_scene(description)),
        options_(step_options(scene_.run)),
        stepper_(scene_.world, options_),
        alone_(description, options_),
        rigid_(all_rigid(scene_.world))
  {
    for (int i = 0; i < scene_.world.body_count(); ++i)
      surfaces_.push_back({.positions = {},
                           .triangles = {scene_.world.body(i).triangles().begin(),
                                         scene_.world.body(i).triangles().end()}});
  }

  FreeSceneReport judge()
  {
    const World& world = scene_.world;
    State& state = scene_.state;
    start_ = momentum(world, state);
    scale_ = scale_of(world, state);
    double mass = 0.0;
    for (int i = 0; i < world.body_count(); ++i) mass += world.body(i).mass();
    energy_scale_ = std::max(energy_of(world, state), 0.5 * mass * rest_speed * rest_speed);
    for (int k = 1; k <= static_cast<int>(scene_.run.steps()); ++k) {
      const double before = energy_of(world, state);
      StepReport step;
      double alone = 0.0;
      try {
        alone = alone_.energy_after(world, state, scene_.run.dt);
        step = stepper_.step(state, scene_.run.dt);
      } catch (const StepError& error) {
        report_.aborted = error.what();
        break;
      }
      ++report_.steps;
      judge_momentum(step, k);
      judge_energy(before, alone, k);
      judge_surfaces(k);
      count(step);
    }
    return report_;
  }

 private:
  void judge_momentum(const StepReport& step, int k)
  {
    const MomentumScale now = scale_of(scene_.world, scene_.state);
    scale_.linear = std::max(scale_.linear, now.linear);
    scale_.angular = std::max(scale_.angular, now.angular);
    const Momentum end = momentum(scene_.world, scene_.state);
    report_.momentum.raise((end.linear - start_.linear).norm() / scale_.linear, k);
    // About the centre of mass: what the linear momentum lost is not lost again.
    const Vector3d lost =
        end.angular - start_.angular -
        common_centre(scene_.world, scene_.state).cross(end.linear - start_.linear);
    const double total = lost.norm() / scale_.angular;
    report_.total_angular_momentum.raise(total, k);
    if (rigid_)
      report_.angular_momentum.raise(total, k);
    else if (step.halvings == 0 && step.cut_steps == 0)
      report_.angular_momentum.raise(
          moment_of_impulses(scene_.world, stepper_).norm() / scale_.angular, k);
  }

  void judge_energy(double before, double alone, int k)
  {
    const double now = energy_of(scene_.world, scene_.state);
    report_.total_energy.raise((now - before) / energy_scale_, k);
    report_.energy.raise((now - std::max(before, alone)) / energy_scale_, k);
  }

  void judge_surfaces(int k)
  {
    const World& world = scene_.world;
    place_surfaces(world, scene_.state, vertices_);
    for (int i = 0; i < world.body_count(); ++i) {
      const auto first = vertices_.begin() + world.place(i).vertex;
      surfaces_[i].positions.assign(first, first + world.body(i).vertex_count());
    }
    const IntersectionReport found = intersecting_pairs(surfaces_);
    report_.intersecting_pairs.raise(static_cast<double>(found.pairs.size()), k);
  }

  void count(const StepReport& step)
  {
    const VectorXd& impulses = stepper_.impulses();
    report_.touching_steps += impulses.size() > 0 && impulses.cwiseAbs().maxCoeff() > 0.0;
    report_.halvings += step.halvings;
    report_.cut_steps += step.cut_steps;
    report_.unconverged += step.unconverged;
  }

  Scene scene_;
  StepOptions options_;
  Stepper stepper_;
  AloneBodies alone_;
  bool rigid_;
  std::vector<TriMesh> surfaces_;
  std::vector<Vector3d> vertices_;
  Momentum start_;
  MomentumScale scale_;
  double energy_scale_ = 0.0;  // J
  FreeSceneReport report_;
};

}  // namespace

void WorstFigure::raise(double other, int at)
{
  if (std::isnan(value) || other <= value) return;  // what is no number is worst of all
  value = other;
  step = at;
}

std::string FreeSceneReport::failure(double tolerance) const
{
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  const auto judge = [&](const char* what, const WorstFigure& figure) {
    if (!(figure.value <= tolerance))
      add(fmt::format("{} {:.2g} in step {}", what, figure.value, figure.step));
  };
  if (!aborted.empty()) add("aborted: " + aborted);
  if (intersecting_pairs.value > 0.0)
    add(fmt::format("{:g} intersecting pairs in step {}", intersecting_pairs.value,
                    intersecting_pairs.step));
  judge("momentum", momentum);
  judge("angular momentum", angular_momentum);
  judge("energy", energy);
  return text;
}

FreeSceneReport judge_free_scene(const SceneDescription& scene)
{
  return FreeSceneJudge(scene).judge();
}

}  // namespace tact
