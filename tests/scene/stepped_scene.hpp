// Scenes stepped as `tact run` steps them, and what of a motion can be judged from states alone.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tact/geometry/surface_intersection.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>
#include <tact/sim/step_error.hpp>
#include <tact/sim/stepper.hpp>

namespace tact::test {

struct SteppedScene {
  Scene scene;
  StepOptions options;
  Stepper stepper;
  int halvings = 0, cut_steps = 0, unconverged = 0;
  std::string aborted;  // why a step could not be computed

  explicit SteppedScene(SceneDescription description)
      : scene(build_scene(std::move(description))),
        options(step_options(scene.run)),
        stepper(scene.world, options)
  {
  }
  explicit SteppedScene(const std::string& file, const std::vector<std::string>& patches = {})
      : SteppedScene(read_scene(file, patches))
  {
  }
  SteppedScene(const SteppedScene&) = delete;
  SteppedScene& operator=(const SteppedScene&) = delete;

  // Steps to the scene's end, or for `seconds`, or until a step cannot be computed; `watch` sees
  // each.
  template <class Watch>
  void run(const Watch& watch, double seconds = 0.0)
  {
    const std::int64_t steps =
        seconds > 0.0 ? std::llround(seconds / scene.run.dt) : scene.run.steps();
    for (std::int64_t k = 0; k < steps && aborted.empty(); ++k) {
      try {
        const StepReport report = stepper.step(scene.state, scene.run.dt).report;
        halvings += report.halvings;
        cut_steps += report.cut_steps;
        unconverged += report.unconverged;
      } catch (const StepError& error) {
        aborted = error.what();
        return;
      }
      watch();
    }
  }
  void run(double seconds = 0.0)
  {
    run([] {}, seconds);
  }

  int body(std::string_view name) const { return scene.world.find(name); }
  Vector3d place(int i) const
  {
    return scene.world.body(i).centre_of_mass(scene.world.q(scene.state, i));
  }
  // Of rigid bodies.
  Vector3d velocity(int i) const { return scene.world.v(scene.state, i).head<3>(); }
  Vector3d spin(int i) const { return scene.world.v(scene.state, i).segment<3>(3); }

  double energy() const
  {
    return kinetic_energy(scene.world, scene.state) + potential_energy(scene.world, scene.state);
  }
  Momentum momentum() const { return tact::momentum(scene.world, scene.state); }

  // Pairs of triangles, by the exact test, but those of two obstacles.
  int intersections() const
  {
    std::vector<Vector3d> vertices;
    place_surfaces(scene.world, scene.state, vertices);
    std::vector<TriMesh> surfaces;
    const World& world = scene.world;
    for (int i = 0; i < world.body_count(); ++i) {
      const auto first = vertices.begin() + world.place(i).vertex;
      const auto triangles = world.body(i).triangles();
      surfaces.push_back({.positions = {first, first + world.body(i).vertex_count()},
                          .triangles = {triangles.begin(), triangles.end()}});
    }
    const IntersectionReport found = intersecting_pairs(surfaces);
    return static_cast<int>(
        std::count_if(found.pairs.begin(), found.pairs.end(), [&](const IntersectingPair& pair) {
          return world.body(pair.a.surface).node_count() > 0 ||
                 world.body(pair.b.surface).node_count() > 0;
        }));
  }
};

}  // namespace tact::test
