#include <tact/samples/lloyd_scenes.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

using std::numbers::pi;

constexpr double lloyd_start_gap = 0.005;  // m, between what will touch
constexpr double lloyd_ball_radius = 1.0;  // m
const Vector3d block_size(1.0, 0.6, 0.8);

SceneDescription small_scene(const Vector3d& from, const Vector3d& to)
{
  SceneDescription scene;
  scene.run = {.dt = 0.005, .time = 2.0};
  scene.run.contact.delta = lloyd_start_gap;
  scene.run.camera = {.from = from, .to = to};
  scene.friction.mu = 0.25;
  return scene;
}

RigidOptions weighing_one(RigidOptions body)
{
  body.mass.inertia /= body.mass.mass;
  body.mass.mass = 1.0;
  return body;
}

// Of a length, level.
Vector3d random_push(Random& random, double length)
{
  const double angle = random.uniform(0.0, 2.0 * pi);
  return length * Vector3d(std::cos(angle), 0.0, std::sin(angle));
}

// A ring of rectangular section around y.
TriMesh make_tube(double inner, double outer, double low, double high, int segments)
{
  TriMesh mesh = make_torus(2.0, 1.0, segments, 4);  // its triangles; the shape is another one
  const Vector2d section[] = {{outer, low}, {outer, high}, {inner, high}, {inner, low}};
  for (int i = 0; i < segments; ++i)
    for (int j = 0; j < 4; ++j) {
      const double angle = 2.0 * pi * i / segments;
      mesh.positions[4 * i + j] = {section[j].x() * std::sin(angle), section[j].y(),
                                   section[j].x() * std::cos(angle)};
    }
  return mesh;
}

// An obstacle with a flat side through `point` that faces along `normal`.
BodyDescription slab(std::string name, const Vector3d& point, const Vector3d& normal, double size)
{
  constexpr double thickness = 0.1;
  const auto turn = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitY(), normal);
  return moving_obstacle(
      std::move(name), make_box({size, thickness, size}),
      {{.t = 0.0, .position = point - 0.5 * thickness * normal, .orientation = turn}});
}

// ---- One body in ten situations -----------------------------------------------------------------

// Adds what the body, centred on the origin, stands in or leans on. Numbers as of single_body_name.
class Surroundings {
 public:
  explicit Surroundings(SceneDescription& scene) : scene_(&scene) {}

  // A flat side `distance` from the origin, facing it.
  void add_plane(const Vector3d& outward, double distance)
  {
    constexpr double size = 3.0;
    scene_->bodies.push_back(slab(name(), (distance + lloyd_start_gap) * outward, -outward, size));
  }

  void add_planes_below_ball(int count, double y)
  {
    for (const Vector3d& d : ring(count, y)) add_plane(d, lloyd_ball_radius);
  }

  void add_points_below_ball(int count, double y)
  {
    constexpr double radius = 0.05;
    for (const Vector3d& d : ring(count, y))
      scene_->bodies.push_back(moving_obstacle(
          name(), make_icosphere(radius, 2),
          {{.t = 0.0, .position = (lloyd_ball_radius + radius + lloyd_start_gap) * d}}));
  }

  // The rim of a hole with so many edges, each of which touches the ball.
  void add_rim_below_ball(int edges, double y)
  {
    const double inner = (std::sqrt(1.0 - y * y) * lloyd_ball_radius) / std::cos(pi / edges);
    scene_->bodies.push_back(moving_obstacle(
        name(), make_tube(inner, inner + 0.4, -0.3, 0.0, edges),
        {{.t = 0.0, .position = {0.0, y * lloyd_ball_radius - 2.0 * lloyd_start_gap, 0.0}}}));
  }

 private:
  std::string name() const { return fmt::format("surface-{}", scene_->bodies.size()); }

  static std::vector<Vector3d> ring(int count, double y)
  {
    std::vector<Vector3d> directions;
    const double level = std::sqrt(1.0 - y * y);
    for (int i = 0; i < count; ++i) {
      const double angle = 2.0 * pi * i / count;
      directions.emplace_back(level * std::cos(angle), y, level * std::sin(angle));
    }
    return directions;
  }

  SceneDescription* scene_;
};

// The lower edge on the floor, the upper one against a wall.
RigidOptions leaning_plate(Surroundings& around)
{
  const Vector3d size(2.0, 0.1, 1.0);
  const double lean = std::atan2(0.8, 0.6);
  RigidOptions plate = rigid_box(size, 1.0);
  plate.orientation = Eigen::AngleAxisd(lean, Vector3d::UnitZ());
  const Vector2d reach(size.x() * std::cos(lean) + size.y() * std::sin(lean),
                       size.x() * std::sin(lean) + size.y() * std::cos(lean));
  around.add_plane(-Vector3d::UnitY(), 0.5 * reach.y());
  around.add_plane(Vector3d::UnitX(), 0.5 * reach.x());
  return plate;
}

RigidOptions hexagonal_prism()
{
  const double radius = 0.5, height = 0.5;
  RigidOptions prism = rigid_cylinder(radius, height, 1.0);
  prism.surface = make_cylinder(radius, height, 6);
  prism.mass = mass_properties(prism.surface, 1.0);
  return prism;
}

RigidOptions body_in_situation(int situation, Surroundings& around)
{
  const auto ball = [] { return rigid_sphere(lloyd_ball_radius, 1.0); };
  const auto block_against = [&](std::initializer_list<Vector3d> sides) {
    for (const Vector3d& side : sides)
      around.add_plane(side, 0.5 * side.cwiseAbs().dot(block_size));
    return rigid_box(block_size, 1.0);
  };
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  switch (situation) {
    case 0: around.add_plane(-y, lloyd_ball_radius); return ball();
    case 1: around.add_planes_below_ball(2, -0.6); return ball();
    case 2: around.add_points_below_ball(3, -0.7); return ball();
    case 3: return block_against({-y});
    case 4: return leaning_plate(around);
    case 5: around.add_plane(-y, 0.25); return hexagonal_prism();
    case 6: return block_against({-y, -x});
    case 7: around.add_rim_below_ball(10, -0.5); return ball();
    case 8: return block_against({-y, -x, -z});
    case 9: return block_against({-y, -x, -z, z});
    default: throw Error(fmt::format("/situation: found {}, expected 0 to 9", situation));
  }
}

}  // namespace

SceneDescription peg_in_hole_scene(const PegInHole& options)
{
  constexpr double radius = 0.5, length = 2.0, rim = 0.5;
  constexpr int hole_segments = 64;
  SceneDescription scene = small_scene({3.0, 2.6, 4.0}, Vector3d::Zero());
  const double inner = (radius + options.clearance) / std::cos(pi / hole_segments);
  scene.run.contact.delta = std::min(lloyd_start_gap, 0.2 * options.clearance);
  scene.bodies.push_back(
      moving_obstacle("hole", make_tube(inner, inner + 0.3, -rim, rim, hole_segments), {}));
  scene.bodies.push_back(
      slab("floor", {0.0, -0.5 * length - options.drop, 0.0}, Vector3d::UnitY(), 4.0));
  RigidOptions peg = rigid_cylinder(radius, length, 1.0);
  peg.surface = make_cylinder(radius, length, options.segments);
  Random random(options.seed);
  peg.force = random_push(random, options.push);
  peg.angular_velocity = random.in_cube(1.0);
  scene.bodies.push_back({"peg", weighing_one(std::move(peg)), {}});
  scene.run.record.forces = {2};
  return scene;
}

SceneDescription single_body_scene(const SingleBody& options)
{
  SceneDescription scene = small_scene({2.8, 2.6, 4.2}, {0.0, -0.2, 0.0});
  Surroundings around(scene);
  RigidOptions body = weighing_one(body_in_situation(options.situation, around));
  Random random(options.seed);
  body.force = random_push(random, options.push);
  scene.run.record.forces = {static_cast<int>(scene.bodies.size())};
  scene.bodies.push_back({"body", std::move(body), {}});
  return scene;
}

SceneDescription block_stack_scene(const BlockStack& options)
{
  const Vector3d size(1.0, 0.5, 1.0);
  const double top = options.blocks * size.y();
  SceneDescription scene =
      small_scene(Vector3d(2.0, 1.2, 2.6) + Vector3d(0.5, 0.6, 0.8) * top, {0.0, 0.45 * top, 0.0});
  scene.bodies.push_back(ground_body(20.0));
  Random random(options.seed);
  double angle = 0.0;
  for (int k = 0; k < options.blocks; ++k) {
    if (k >= options.blocks - options.turned)
      angle += random.uniform(0.6, 0.95);  // rad: near 45 degrees, so that all corners overhang
    RigidOptions block = weighing_one(rigid_box(size, 1.0));
    block.orientation = Eigen::AngleAxisd(angle, Vector3d::UnitY());
    block.position = {random.uniform(-0.04, 0.04), (k + 0.5) * size.y() + (k + 1) * lloyd_start_gap,
                      random.uniform(-0.04, 0.04)};
    if (k + 1 == options.blocks) block.force = random_push(random, options.push);
    scene.bodies.push_back({fmt::format("block-{}", k), std::move(block), {}});
    scene.run.record.forces.push_back(k + 1);
  }
  return scene;
}

}  // namespace tact
