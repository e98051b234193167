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

// Bodies of 108 or 80 triangles, 101 on the average: `side` by `side` of them, as long as it takes.
DetectionScene pile(const std::string& name, int triangles, int side)
{
  constexpr double cell = 0.1, gap = 1.5e-3;  // m
  DetectionScene scene{.name = name, .surfaces = {}, .tolerance = 2e-3, .rest = {}, .swing = {}};
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

constexpr double cloth_edge = 0.01, screen_layer = 0.2, screen_gap = 4e-3;  // m
constexpr double wave_across =
    2.0 * std::numbers::pi / 0.15;  // rad/m: whole even in 5,000 triangles
constexpr double screen_period = screen_layer + 0.5 * std::numbers::pi * screen_gap;

// Where the point at arc length s of a folded screen lies: straight layers joined by half circles.
Vector2d on_screen(double s)
{
  constexpr double radius = 0.5 * screen_gap;
  const double number = std::floor(s / screen_period);
  const bool back = static_cast<long>(number) % 2 != 0;
  const double along = s - number * screen_period;
  const double angle = std::max(0.0, along - screen_layer) / radius;
  const double x = std::min(along, screen_layer) + radius * std::sin(angle);
  return {back ? screen_layer - x : x, number * screen_gap + radius * (1.0 - std::cos(angle))};
}

// A cloth of so many edges along the folded direction and across.
DetectionScene folded_screen(const std::string& name, int along, int across)
{
  DetectionScene scene{.name = name, .surfaces = {}, .tolerance = 2e-3, .rest = {}, .swing = {}};
  Random random(2);
  const TriMesh cloth = make_cloth(cloth_edge * along, cloth_edge * across, along + 1, across + 1);
  scene.surfaces.add(cloth, {.self = true});
  for (const Vector3d& x : cloth.positions) {
    const double s = x[0] + 0.5 * cloth_edge * along;
    const Vector2d p = on_screen(s);
    scene.rest.emplace_back(p[0], p[1], x[2]);
    const double wave = std::sin(7.0 * s) * std::cos(wave_across * x[2]);
    scene.swing.push_back(Vector3d(0.0, 3e-3 * wave, 0.0) + random.in_cube(3e-4));
  }
  return scene;
}

}  // namespace

std::vector<Vector3d> DetectionScene::positions(int frame) const
{
  const double share = std::sin(frame_angle * frame);
  std::vector<Vector3d> x(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) x[i] = rest[i] + share * swing[i];
  return x;
}

DetectionScene long_pile(int triangles)
{
  return pile("long pile", triangles, 4);
}

DetectionScene cube_pile(int triangles)
{
  return pile("cube pile", triangles, static_cast<int>(std::round(std::cbrt(triangles / 101.0))));
}

DetectionScene flying_spheres(int subdivisions, bool over_ground)
{
  constexpr double radius = 0.05, spacing = 0.102;  // m
  DetectionScene scene{.name = over_ground ? "over ground" : "spheres",
                       .surfaces = {},
                       .tolerance = 2e-3,
                       .rest = {},
                       .swing = {}};
  const auto add = [&](const TriMesh& mesh, const Vector3d& centre, const SurfaceOptions& options) {
    scene.surfaces.add(mesh, options);
    for (const Vector3d& x : mesh.positions) scene.rest.push_back(centre + x);
  };
  const TriMesh sphere = make_icosphere(radius, subdivisions);
  for (int i = 0; i < 27; ++i) {
    const Eigen::Vector3i cell(i % 3, i / 3 % 3, i / 9);
    add(sphere, spacing * cell.cast<double>(), {});
  }
  const TriMesh ground = make_cloth(8.0, 8.0, 51, 51);
  if (over_ground) add(ground, Vector3d(0.0, -0.5 * spacing - 1e-3, 0.0), {.fixed = true});
  scene.swing.resize(scene.rest.size(), Vector3d::Zero());
  return scene;
}

DetectionScene wide_cloth(int triangles)
{
  const int along = static_cast<int>(std::round(8.0 * screen_period / cloth_edge));
  return folded_screen("wide cloth", along, std::max(1, (triangles / 2 + along / 2) / along));
}

DetectionScene square_cloth(int triangles)
{
  const auto side = static_cast<int>(std::round(std::sqrt(0.5 * triangles)));
  return folded_screen("square cloth", side, side);
}

}  // namespace tact
