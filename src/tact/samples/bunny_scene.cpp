// A cloth knocks down a bunny.
#include <cmath>
#include <numbers>

#include <tact/geometry/shapes.hpp>
#include <tact/samples/bunny_mesh.hpp>
#include <tact/samples/coupling_scenes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

constexpr double bar_radius = 0.01;  // m
constexpr double below_bar = 0.004;  // m, from the bar to the edge of the cloth that it holds

// The middle of the edge that is held: behind the bunny, so that the cloth hits it as it hangs
// down.
Vector3d held_edge(const KnockedBunny& options)
{
  return {0.0, options.size + 0.15 * options.height, -0.4 * options.height};
}

BodyDescription bar(const KnockedBunny& options)
{
  TriMesh mesh = make_cylinder(bar_radius, 1.1 * options.size, 24);
  for (Vector3d& p : mesh.positions) p = {p.y(), below_bar + bar_radius - p.x(), p.z()};  // along x
  return moving_obstacle("bar", std::move(mesh), {{.t = 0.0, .position = held_edge(options)}});
}

// Its far edge from the one that is held: raised by the angle from hanging down.
ClothOptions raised_sheet(const KnockedBunny& options)
{
  const double angle = options.angle * std::numbers::pi / 180.0;
  const Vector3d down(0.0, -std::cos(angle), -std::sin(angle));
  ClothOptions cloth = square_cloth(options.size, options.vertices, options.mass,
                                    {.stretch = 500.0, .shear = 250.0, .bend = 1.0});
  for (Vector3d& p : cloth.surface.positions)
    p = held_edge(options) + Vector3d(p.x(), 0.0, 0.0) + (p.z() + 0.5 * options.size) * down;
  return cloth;
}

RigidOptions standing_bunny(const KnockedBunny& options, TriMesh surface)
{
  constexpr double gap = 5e-4;  // m, to the ground
  for (Vector3d& p : surface.positions) p *= options.height;
  RigidOptions body;
  body.mass = mass_properties(surface, options.density);
  body.surface = std::move(surface);
  body.position.y() = gap;
  return body;
}

}  // namespace

SceneDescription knocked_bunny(const KnockedBunny& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.005, .time = 3.0};
  scene.run.contact.delta = 0.1 * options.size / (options.vertices - 1);
  scene.run.record.every = 2;
  scene.run.camera = {.from = options.height * Vector3d(4.8, 2.7, 2.6),
                      .to = options.height * Vector3d(0.0, 1.2, -0.2)};
  scene.friction.mu = 0.5;
  BunnyMesh bunny = make_bunny(options.model);
  scene.bodies.push_back(ground_body(20.0 * options.height));
  scene.bodies.push_back({bunny.name, standing_bunny(options, std::move(bunny.surface)), {}});
  scene.bodies.push_back(bar(options));
  ClothOptions cloth = raised_sheet(options);
  for (int v = 0; v < options.vertices; ++v) {  // the first row of the grid
    const Vector3d in_bar = cloth.surface.positions[v] - held_edge(options);
    const Pin pin{{.body = 3, .point = {.vertex = v}}, {.body = 2, .point = {.local = in_bar}}};
    scene.pins.push_back({pin, {}});
  }
  scene.bodies.push_back({"cloth", std::move(cloth), {}});
  scene.run.record.forces = {1};
  return scene;
}

}  // namespace tact
