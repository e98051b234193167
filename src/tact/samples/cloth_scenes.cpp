#include <tact/samples/cloth_scenes.hpp>

#include <cmath>

#include <tact/geometry/shapes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

// Ripples that break the symmetry of a sheet in the plane z = 0; a and b run from 0 to 1.
double ripple(double a, double b)
{
  return 0.01 * std::sin(7.0 * b + 3.0 * a) + 0.004 * std::sin(23.0 * a + 11.0 * b);
}

}  // namespace

SceneDescription falling_cloth(const FallingCloth& options)
{
  const int n = options.vertices;
  ClothOptions cloth;
  cloth.surface = make_cloth(options.size, options.size, n, n);
  for (Vector3d& p : cloth.surface.positions) {
    const double a = p.x() / options.size + 0.5, b = p.z() / options.size + 0.5;
    p = {p.x(), options.height + b * options.size, options.size * ripple(a, b)};
  }
  cloth.springs = grid_springs(
      cloth.surface, n, n,
      {.stretch = options.stretch, .shear = 0.5 * options.stretch, .bend = options.bend});
  cloth.area_density = options.mass / area(cloth.surface);
  cloth.damping = options.damping;
  cloth.drag = options.drag;

  SceneDescription scene;
  scene.run = {.dt = 0.004, .time = 4.0};
  // Sees the sheet before its fall as well as its folds on the ground.
  const double top = options.height + options.size;
  scene.run.camera = {.from = top * Vector3d(0.65, 0.75, 1.6),
                      .to = top * Vector3d(0.0, 0.45, 0.0)};
  scene.run.contact.delta = 0.1 * options.size / (n - 1);
  scene.bodies.push_back(ground_body(4.0 * options.size));
  scene.bodies.push_back({"cloth", std::move(cloth), {}});
  return scene;
}

SceneDescription hanging_cloth(const HangingCloth& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.005, .time = 3.0};
  ClothOptions cloth = square_cloth(
      options.size, options.vertices, options.mass,
      {.stretch = options.stretch, .shear = 0.5 * options.stretch, .bend = options.bend});
  const Aabb box = bounding_box(cloth.surface.positions);
  for (int v = 0; v < cloth.surface.vertex_count(); ++v) {
    const Vector3d& p = cloth.surface.positions[v];
    const bool corner = p.z() == box.low.z() && (p.x() == box.low.x() || p.x() == box.high.x());
    if (!corner) continue;
    const Pin pin{{.body = 0, .point = {.vertex = v}}, {.body = -1, .point = {}, .place = p}};
    scene.pins.push_back({pin, {}});
  }
  scene.bodies.push_back({"cloth", std::move(cloth), {}});
  return scene;
}

}  // namespace tact
