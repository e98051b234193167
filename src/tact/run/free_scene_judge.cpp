#include <tact/run/free_scene_judge.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <tact/geometry/surface_intersection.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/sim/matter_sum.hpp>
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

// Summed about a body, so that far from the origin nothing is lost to rounding.
MatterSum all_matter(const World& world, const State& state)
{
  MatterSum sum(world.body(0).centre_of_mass(world.q(state, 0)));
  for (int i = 0; i < world.body_count(); ++i)
    sum.add_body(world.body(i), world.q(state, i), world.v(state, i), world.body(i).node_masses());
  return sum;
}

MomentumScale scale_of(const World& world, const State& state)
{
  const Vector3d centre = all_matter(world, state).centre();
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

class FreeSceneJudge {
 public:
  explicit FreeSceneJudge(const SceneDescription& description)
      : scene_(build_scene(description)),
        options_(step_options(scene_.run)),
        stepper_(scene_.world, options_)
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
    start_.emplace(all_matter(world, state));
    scale_ = scale_of(world, state);
    double mass = 0.0;
    for (int i = 0; i < world.body_count(); ++i) mass += world.body(i).mass();
    energy_scale_ = std::max(energy_of(world, state), 0.5 * mass * rest_speed * rest_speed);
    for (int k = 1; k <= static_cast<int>(scene_.run.steps()); ++k) {
      const double before = energy_of(world, state);
      try {
        (void)stepper_.step(state, scene_.run.dt);
      } catch (const StepError& error) {
        report_.aborted = error.what();
        break;
      }
      ++report_.steps;
      judge_momentum(k);
      judge_energy(before, k);
      judge_surfaces(k);
      count(stepper_.last());
    }
    return report_;
  }

 private:
  void judge_momentum(int k)
  {
    const MomentumScale now = scale_of(scene_.world, scene_.state);
    scale_.linear = std::max(scale_.linear, now.linear);
    scale_.angular = std::max(scale_.angular, now.angular);
    const MatterSum end = all_matter(scene_.world, scene_.state);
    report_.momentum.raise((end.linear() - start_->linear()).norm() / scale_.linear, k);
    // About the centre of mass: what the linear momentum lost is not lost again.
    const Vector3d lost = end.angular(end.centre()) - start_->angular(start_->centre());
    report_.angular_momentum.raise(lost.norm() / scale_.angular, k);
  }

  void judge_energy(double before, int k)
  {
    const double now = energy_of(scene_.world, scene_.state);
    report_.energy.raise((now - before) / energy_scale_, k);
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

  void count(const StepResult& step)
  {
    const VectorXd& impulses = step.solution.lambda;
    report_.touching_steps += impulses.size() > 0 && impulses.cwiseAbs().maxCoeff() > 0.0;
    report_.halvings += step.report.halvings;
    report_.cut_steps += step.report.cut_steps;
    report_.unconverged += step.report.unconverged;
  }

  Scene scene_;
  StepOptions options_;
  Stepper stepper_;
  std::vector<TriMesh> surfaces_;
  std::vector<Vector3d> vertices_;
  std::optional<MatterSum> start_;
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
