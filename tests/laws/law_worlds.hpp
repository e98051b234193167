// Worlds in which laws of contact have closed forms, and how they are stepped and measured.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/rigid_body.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/sim/stepper.hpp>

namespace tact::test {

constexpr double g = 9.81;      // m/s^2
constexpr double delta = 1e-3;  // m: the distance that contacts are held at
constexpr double beside = 3.0;  // m along x: away from the diagonals of the ground's top

// Contact at `delta`, solved to the given tolerance (m/s); friction is Coulomb's disc.
inline StepOptions solved_to(double tolerance, double contact_distance = delta)
{
  StepOptions options;
  options.contact.delta = contact_distance;
  options.contact.solver.tolerance = tolerance;
  return options;
}

// As the simulator is used when nothing is said, but for the distance.
inline StepOptions by_default()
{
  StepOptions options;
  options.contact.delta = delta;
  return options;
}

// A slab 40 m wide whose top is y = 0.
inline std::unique_ptr<Body> flat_ground(const std::string& name = "ground")
{
  ObstacleOptions options;
  options.surface = make_box({40.0, 1.0, 40.0});
  for (Vector3d& x : options.surface.positions) x.y() -= 0.5;
  return make_obstacle(name, std::move(options));
}

inline RigidOptions rigid_block(const Vector3d& size, const Vector3d& position,
                                double density = 1000.0)
{
  RigidOptions options;
  options.surface = make_box(size);
  options.mass = mass_properties(options.surface, density);
  options.position = position;
  return options;
}

// Gravity on a slope that falls along x, seen in the axes of the slope.
inline Vector3d tilted_gravity(double angle)
{
  return {g * std::sin(angle), -g * std::cos(angle), 0.0};
}

// Of a value that is expected not to be 0.
inline double relative_error(double value, double expected)
{
  return std::abs(value - expected) / std::abs(expected);
}

inline double radians(double degrees)
{
  return degrees * std::acos(-1.0) / 180.0;
}

// Steps `state` over `seconds`, and hands the report of each step to `watch`.
template <class Watch>
void run(State& state, Stepper& stepper, double seconds, double dt, const Watch& watch)
{
  const auto steps = std::lround(seconds / dt);
  for (long k = 0; k < steps; ++k) {
    watch(stepper.step(state, dt).report);
  }
}

inline State state_after(const World& world, double seconds, double dt, const StepOptions& options)
{
  State state = world.start();
  Stepper stepper(world, options);
  run(state, stepper, seconds, dt, [](const StepReport&) {});
  return state;
}

// The force of the last step on `body` from `other`, or from all where that is -1, N.
inline Vector3d contact_force(const Stepper& stepper, double dt, int body, int other = -1)
{
  Vector3d sum = Vector3d::Zero();
  for (std::size_t c = 0; c < stepper.last().contacts.size(); ++c) {
    const ContactRecord& record = stepper.last().contacts[c];
    const bool is_a = record.body_a == body, is_b = record.body_b == body;
    if (is_a == is_b || (other >= 0 && (is_a ? record.body_b : record.body_a) != other)) continue;
    const Vector3d impulse =
        record.frame * stepper.last().solution.lambda.segment<3>(3 * static_cast<Eigen::Index>(c));
    sum += (is_a ? 1.0 : -1.0) / dt * impulse;
  }
  return sum;
}

inline Vector3d linear_velocity(const World& world, const State& state, int body)
{
  return world.v(state, body).head<3>();
}

inline Vector3d angular_velocity(const World& world, const State& state, int body)
{
  return world.v(state, body).segment<3>(3);
}

// The body's y axis.
inline Vector3d upright(const World& world, const State& state, int body)
{
  const Attachment top{.body = body, .point = {.local = Vector3d::UnitY()}};
  const Attachment origin{.body = body, .point = {.local = Vector3d::Zero()}};
  return position(world, state, top) - position(world, state, origin);
}

inline Vector3d place_of(const World& world, const State& state, int body)
{
  return world.q(state, body).head<3>();
}

const Vector3d cube = Vector3d::Constant(0.1);  // m

// Cubes in a row along x, `gap` apart, the first thrown at the others. Returns velocities along x.
inline std::vector<double> row_after_hit(const std::vector<double>& densities, double gap,
                                         double speed, double restitution,
                                         const StepOptions& options)
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law = {.mu = 0.0, .restitution = restitution};
  for (std::size_t i = 0; i < densities.size(); ++i) {
    const double x = static_cast<double>(i) * (cube.x() + gap);
    RigidOptions body = rigid_block(cube, {x, 0.0, 0.0}, densities[i]);
    if (i == 0) body.velocity.x() = speed;
    builder.add(make_rigid_body("cube" + std::to_string(i), std::move(body)));
  }
  const World world = builder.build();
  const State state = state_after(world, 0.2, 0.002, options);
  std::vector<double> velocities;
  for (int i = 0; i < world.body_count(); ++i)
    velocities.push_back(linear_velocity(world, state, i).x());
  return velocities;
}

// An octahedron that meets the ground with one vertex, under its centre.
inline World ball_above_ground(double height, double restitution)
{
  RigidOptions ball;
  const double r = 0.05;
  for (const double s : {-r, r})
    for (int k = 0; k < 3; ++k) ball.surface.positions.push_back(s * Vector3d::Unit(k));
  ball.surface.triangles = {{3, 4, 5}, {0, 5, 4}, {0, 4, 2}, {3, 2, 4},
                            {3, 5, 1}, {0, 1, 5}, {0, 2, 1}, {3, 1, 2}};
  ball.mass = mass_properties(ball.surface, 1000.0);
  ball.position = {beside, height + r + delta, 0.0};
  WorldBuilder builder;
  builder.law = {.mu = 0.3, .restitution = restitution};
  builder.add(make_rigid_body("ball", std::move(ball)));
  builder.add(flat_ground());
  return builder.build();
}

}  // namespace tact::test
