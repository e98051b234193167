#include <bench/region_problems.hpp>

#include <cmath>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_shapes.hpp>
#include <tact/samples/region_scenes.hpp>
#include <tact/sim/stepper.hpp>

namespace tact {
namespace {

constexpr double contact_distance = 1e-3;  // m
constexpr double young_modulus = 1e6;      // Pa: slightly deformable

SoftOptions soft_body(TetMesh mesh, double density)
{
  SoftOptions options;
  options.mesh = std::move(mesh);
  options.young = young_modulus;
  options.density = density;
  options.stiffness_damping = 1e-4;
  return options;
}

void place(TetMesh& mesh, const Eigen::Quaterniond& turn, const Vector3d& position)
{
  for (Vector3d& x : mesh.positions) x = turn * x + position;
}

Vector3d middle(const TetMesh& mesh)
{
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& x : mesh.positions) sum += x;
  return sum / static_cast<double>(mesh.positions.size());
}

Eigen::Quaterniond random_turn(Random& random)
{
  const Vector3d axis = random.in_cube(1.0).normalized();
  return Eigen::Quaterniond(Eigen::AngleAxisd(random.uniform(0.0, 3.0), axis));
}

void add_wall(WorldBuilder& builder, const std::string& name, const Vector3d& size,
              const Vector3d& position)
{
  ObstacleOptions wall;
  wall.surface = make_box(size);
  for (Vector3d& x : wall.surface.positions) x += position;
  builder.add(make_obstacle(name, std::move(wall)));
}

}  // namespace

World balls_in_bucket(int balls)
{
  constexpr double radius = 0.05, thick = 0.1;                     // m
  constexpr double pitch = 2.0 * radius + 1.2 * contact_distance;  // rows from the first step on
  const int side = std::max(2, static_cast<int>(std::cbrt(balls)));
  const int layers = (balls + side * side - 1) / (side * side);
  const double wide = side * pitch + contact_distance, high = layers * pitch + radius;
  Random random(1);
  WorldBuilder builder;
  builder.law.mu = 0.3;
  for (int k = 0; k < balls; ++k) {
    const int column = k % side, row = k / side % side, layer = k / (side * side);
    const Vector3d place_in_grid(column, layer, row);
    const Vector3d position =
        pitch * (place_in_grid + Vector3d::Constant(0.5)) - Vector3d(0.5 * wide, 0.0, 0.5 * wide);
    TetMesh ball = make_tet_ball(radius, 2);
    place(ball, random_turn(random), position + Vector3d::Constant(0.5 * contact_distance));
    SoftOptions options = soft_body(std::move(ball), 500.0);
    // Balls of flat faces are up to 4 mm apart: neighbours close in at 0.25 m/s, and not straight.
    options.velocity = -2.5 * position + random.in_cube(0.05);
    builder.add(make_soft_body(fmt::format("ball-{}", k), std::move(options)));
  }
  const double out = 0.5 * (wide + thick);
  add_wall(builder, "floor", {wide + 2.0 * thick, thick, wide + 2.0 * thick},
           {0.0, -0.5 * thick, 0.0});
  for (const double s : {-1.0, 1.0}) {
    const std::string name = s < 0.0 ? "low" : "high";
    add_wall(builder, name + "-x", {thick, high, wide}, {s * out, 0.5 * high, 0.0});
    add_wall(builder, name + "-z", {wide, high, thick}, {0.0, 0.5 * high, s * out});
  }
  return builder.build();
}

// The bodies of the scene `bowling`, its skittles moved together until their bellies almost touch:
// a ball then moves many at once, and up to 45 contacts come about on a lane, as in the paper.
World bowling_lanes(int lanes)
{
  constexpr double lane_pitch = 0.8;  // m
  constexpr double closer = 0.53;     // distances of skittles over those of the scene
  Bowling options;
  options.young = young_modulus;
  options.damping = 1e-4;
  Random random(2);
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law.mu = 0.3;
  for (int lane = 0; lane < lanes; ++lane) {
    for (const BodyDescription& body : bowling(options).bodies) {
      auto soft = std::get<SoftOptions>(body.options);
      Vector3d shift(0.0, 0.0, lane_pitch * lane);
      if (soft.velocity.isZero()) {
        const Vector3d place = middle(soft.mesh);
        shift += (closer - 1.0) * Vector3d(place.x(), 0.0, place.z());
      } else if (lane > 0) {
        shift.z() += random.uniform(-0.01, 0.01);  // no two lanes are the same
      }
      for (Vector3d& x : soft.mesh.positions) x += shift;
      builder.add(make_soft_body(fmt::format("{}-{}", body.name, lane), std::move(soft)));
    }
  }
  return builder.build();
}

std::vector<ContactProblem> record_problems(const World& world, const RecordedSteps& steps)
{
  StepOptions options;
  options.integrator = IntegratorKind::semi_implicit_euler;
  options.contact.delta = contact_distance;
  options.contact.solver.tolerance = 1e-4;
  Stepper stepper(world, options);
  State state = world.start();
  std::vector<ContactProblem> problems;
  for (int k = 1; k <= steps.last; ++k) {
    (void)stepper.step(state, steps.dt);
    if (k >= steps.first && stepper.last().problem.size() > 0)
      problems.push_back(stepper.last().problem);
  }
  return problems;
}

}  // namespace tact
