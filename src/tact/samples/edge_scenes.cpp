#include <tact/samples/edge_scenes.hpp>

#include <numbers>

#include <tact/geometry/shapes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

// A box with its top in the plane y = 0, from x = low to x = high, whose lower edge at x = low is
// `run` further out than the upper one.
BodyDescription slanted_table(std::string name, double low, double high, double depth, double run)
{
  TriMesh mesh = make_box({high - low, depth, 4.0 * depth});
  for (Vector3d& p : mesh.positions) {
    if (p.x() < 0.0 && p.y() < 0.0) p.x() -= run;
    p += Vector3d(0.5 * (low + high), -0.5 * depth, 0.0);
  }
  return moving_obstacle(std::move(name), std::move(mesh), {});
}

// A cube of unit mass, its centre at (1, 1).
BodyDescription point_mass(std::string name, double size, double z, const Vector3d& velocity)
{
  RigidOptions cube = rigid_box({size, size, size}, 1.0 / (size * size * size));
  cube.position = {1.0, 1.0, z};
  cube.velocity = velocity;
  return {std::move(name), std::move(cube), {}};
}

}  // namespace

SceneDescription point_corner(const PointCorner& options)
{
  const double s = 40.0, corner = -(0.5 * options.size + options.gap);
  SceneDescription scene;
  scene.run = {.dt = 2.0, .time = 2.0, .nonconvex = "max"};
  scene.run.contact.delta = options.gap;
  scene.run.contact.tolerance = 1e-9;
  scene.run.camera = {.from = {4.0, 6.0, 12.0}, .to = {-1.0, 0.0, 0.0}};
  scene.gravity.setZero();
  scene.friction.mu = 0.0;
  scene.bodies.push_back(
      obstacle_box("corner", {s, s, s}, {corner - 0.5 * s, corner - 0.5 * s, 0.0}));
  scene.bodies.push_back(point_mass("a", options.size, -1.0, {-2.0, 0.0, 0.0}));
  scene.bodies.push_back(point_mass("b", options.size, 1.0, {-2.0, -1.0, 0.0}));
  scene.run.record.forces = {1, 2};
  return scene;
}

SceneDescription block_over_hole(const BlockOverHole& options)
{
  const double s = options.size, hole = 0.5 * s, depth = 0.5 * s, long_way = 12.0 * s;
  SceneDescription scene;
  scene.run = {.dt = 0.02, .time = 2.0, .nonconvex = "max"};
  scene.run.contact.delta = options.gap;
  scene.run.camera = {.from = s * Vector3d(0.2, 1.0, 3.4), .to = s * Vector3d(0.4, 0.1, 0.0)};
  scene.friction.mu = 0.05;
  scene.bodies.push_back(slanted_table("near-side", -long_way, -0.5 * hole, depth, 0.0));
  scene.bodies.push_back(
      slanted_table("far-side", 0.5 * hole, long_way, depth, options.slant * depth));
  RigidOptions block = rigid_box({s, 0.5 * s, s}, 500.0);
  // At the speed of 1 m/s a step ends with the front 4 mm before the edge, where one plane for the
  // whole edge would be at its worst.
  block.position = {-1.48 * s, 0.25 * s + options.gap, 0.0};
  block.orientation = Eigen::AngleAxisd(options.turn * std::numbers::pi / 180.0, Vector3d::UnitY());
  block.velocity.x() = options.speed;
  scene.bodies.push_back({"block", std::move(block), {}});
  scene.run.record.forces = {2};
  return scene;
}

SceneDescription cloth_over_edge(const ClothOverEdge& options)
{
  const double s = options.size, gap = 0.1 * s / (options.vertices - 1);
  SceneDescription scene;
  scene.run = {.dt = 0.005, .time = 2.0, .nonconvex = "selection"};
  scene.run.contact.delta = gap;
  scene.run.record.every = 2;
  scene.run.camera = {.from = s * Vector3d(3.2, 2.4, 2.6), .to = s * Vector3d(0.4, 0.6, 0.0)};
  scene.friction.mu = 0.1;
  scene.bodies.push_back(ground_body(10.0 * s));
  scene.bodies.push_back(
      obstacle_box("block", {1.4 * s, s, 1.4 * s}, {-0.7 * s, 0.5 * s, 0.0}));  // its edge at x = 0
  ClothOptions cloth = square_cloth(s, options.vertices, options.mass);
  for (Vector3d& p : cloth.surface.positions)
    p += Vector3d((options.overhang - 0.5) * s, s + gap, 0.0);
  scene.bodies.push_back({"cloth", std::move(cloth), {}});
  scene.run.record.forces = {1};
  return scene;
}

}  // namespace tact
