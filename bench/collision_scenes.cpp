#include <bench/collision_scenes.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>

namespace tact {
namespace {

constexpr double frame_angle = 0.3;  // of the swing, rad

void add_body(DetectionScene& scene, const TriMesh& mesh, const Vector3d& centre, Random& random)
{
  scene.surfaces.add(mesh);
  const Vector3d shift = random.in_cube(2e-3);  // m
  const Vector3d turn = random.in_cube(0.01);   // rad
  for (const Vector3d& x : mesh.positions) {
    scene.rest.push_back(centre + x);
    scene.swing.push_back(shift + turn.cross(x));
  }
}

// Where the point at arc length s of a folded screen lies: straight layers joined by half circles.
Vector2d on_screen(double s, double layer, double gap)
{
  const double radius = 0.5 * gap;
  const double period = layer + std::numbers::pi * radius;
  const double number = std::floor(s / period);
  const bool back = static_cast<long>(number) % 2 != 0;
  const double along = s - number * period;
  const double angle = std::max(0.0, along - layer) / radius;
  const double x = std::min(along, layer) + radius * std::sin(angle);
  return {back ? layer - x : x, number * gap + radius * (1.0 - std::cos(angle))};
}

}  // namespace

std::vector<Vector3d> DetectionScene::positions(int frame) const
{
  const double share = std::sin(frame_angle * frame);
  std::vector<Vector3d> x(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) x[i] = rest[i] + share * swing[i];
  return x;
}

DetectionScene tight_pile(int triangles)
{
  constexpr double cell = 0.1, gap = 1.5e-3;  // m
  constexpr int side = 4;                     // bodies
  DetectionScene scene{.name = "pile", .surfaces = {}, .tolerance = 2e-3, .rest = {}, .swing = {}};
  Random random(1);
  const TriMesh box = make_box(Vector3d::Constant(cell - gap), 3);
  const TriMesh sphere = make_icosphere(0.5 * (cell - gap), 1);
  int length = 0;
  for (int i = 0; scene.surfaces.triangle_count() < triangles; ++i) {
    const int x = i / (side * side), y = i % side, z = i / side % side;
    const bool is_sphere = x % 2 == 1 && z % 2 == 1;
    add_body(scene, is_sphere ? sphere : box, cell * Vector3d(x, y, z), random);
    length = x + 1;
  }
  const TriMesh floor = make_box({cell * (length + 2), cell, cell * (side + 2)});
  scene.surfaces.add(floor, {.fixed = true});
  for (const Vector3d& x : floor.positions) {
    scene.rest.push_back(x + 0.5 * cell * Vector3d(length - 1, -2.0, side - 1));
    scene.swing.push_back(Vector3d::Zero());
  }
  return scene;
}

DetectionScene folded_screen(int triangles)
{
  constexpr double edge = 0.01, layer = 0.2, gap = 4e-3;  // m
  DetectionScene scene{.name = "cloth", .surfaces = {}, .tolerance = 2e-3, .rest = {}, .swing = {}};
  Random random(2);
  const int n = 1 + static_cast<int>(std::round(std::sqrt(0.5 * triangles)));
  const double width = edge * (n - 1);
  const TriMesh cloth = make_cloth(width, width, n, n);
  scene.surfaces.add(cloth, {.self = true});
  for (const Vector3d& x : cloth.positions) {
    const double s = x[0] + 0.5 * width;
    const Vector2d p = on_screen(s, layer, gap);
    scene.rest.emplace_back(p[0], p[1], x[2]);
    const double wave = std::sin(7.0 * s) * std::cos(11.0 * x[2]);
    scene.swing.push_back(Vector3d(0.0, 3e-3 * wave, 0.0) + random.in_cube(3e-4));
  }
  return scene;
}

}  // namespace tact
