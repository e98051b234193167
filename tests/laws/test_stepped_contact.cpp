// Laws of contact on whole simulations, stepped with the contact solver run to a tight tolerance.
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/rigid_body.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/sim/stepper.hpp>

using namespace tact;

namespace {

constexpr double g = 9.81;
constexpr double delta = 1e-3;                    // m
constexpr double resting_height = 0.025 + delta;  // of the flat block's centre, m

StepOptions tight()
{
  StepOptions options;
  options.contact.delta = delta;
  options.contact.solver.tolerance = 1e-10;
  return options;
}

std::unique_ptr<Body> block(const std::string& name, const Vector3d& position, double size = 0.1,
                            double density = 1000.0, const Vector3d& velocity = Vector3d::Zero())
{
  RigidOptions options;
  options.surface = make_box(Vector3d::Constant(size));
  options.mass = mass_properties(options.surface, density);
  options.position = position;
  options.velocity = velocity;
  return make_rigid_body(name, std::move(options));
}

std::unique_ptr<Body> ground(double half_width = 20.0)
{
  ObstacleOptions options;
  options.surface = make_box({2.0 * half_width, 1.0, 2.0 * half_width});
  for (Vector3d& x : options.surface.positions) x.y() -= 0.5;  // its top is y = 0
  return make_obstacle("ground", std::move(options));
}

// A block at rest on a plane, seen in the axes of the plane: gravity is what tilts. The block is
// flat, so that it slides before it tips.
World block_on_slope(double angle, double mu, const Vector3d& velocity = Vector3d::Zero())
{
  RigidOptions flat;
  flat.surface = make_box({0.2, 0.05, 0.2});
  flat.mass = mass_properties(flat.surface, 1000.0);
  flat.position = {0.0, resting_height, 0.0};
  flat.velocity = velocity;
  WorldBuilder builder;
  builder.gravity = {g * std::sin(angle), -g * std::cos(angle), 0.0};
  builder.law.mu = mu;
  builder.add(make_rigid_body("block", std::move(flat)));
  builder.add(ground());
  return builder.build();
}

State after(const World& world, double seconds, double dt, const StepOptions& options)
{
  State state = world.start();
  Stepper stepper(world, options);
  const int steps = static_cast<int>(std::lround(seconds / dt));
  for (int k = 0; k < steps; ++k) stepper.step(state, dt);
  return state;
}

}  // namespace

TEST_CASE("Coulomb: a block slides down a slope exactly when tan(angle) > mu")
{
  const double dt = 0.005;
  for (const double mu : {0.1, 0.5, 1.0}) {
    const double critical = std::atan(mu);
    for (const double off : {-1e-1, -1e-3, -1e-6, 1e-6, 1e-3, 1e-1}) {  // rad
      CAPTURE(mu);
      CAPTURE(off);
      const double angle = critical + off;
      const World world = block_on_slope(angle, mu);
      const State state = after(world, 1.0, dt, tight());
      // Constant force: backward Euler has no time error in v. 1e-7: 200 solves to 1e-10 m/s each,
      // whose errors near the critical angle all point down the slope.
      const double expected = off < 0.0 ? 0.0 : g * (std::sin(angle) - mu * std::cos(angle)) * 1.0;
      CHECK(std::abs(state.v[0] - expected) < 1e-7);
      CHECK(std::abs(state.v[1]) < 1e-8);
      CHECK(std::abs(world.q(state, 0)[1] - resting_height) < 1e-8);
    }
  }
}

TEST_CASE("a block thrown on a plane comes to rest after v^2 / (2 mu g) and stays")
{
  const double speed = 2.0, mu = 0.3;
  double last_error = 0.0;
  for (const double dt : {0.004, 0.002, 0.001}) {
    CAPTURE(dt);
    const World world = block_on_slope(0.0, mu, {speed, 0.0, 0.0});
    const State state = after(world, 1.0, dt, tight());
    const double error = world.q(state, 0)[0] - speed * speed / (2.0 * mu * g);
    CHECK(std::abs(error) < speed * dt);
    CHECK(state.v.norm() < 1e-9);
    if (last_error != 0.0) CHECK(error / last_error == doctest::Approx(0.5).epsilon(0.1));
    last_error = error;
  }
}

TEST_CASE("friction acts against the slip in every direction alike")
{
  const double speed = 1.0, mu = 0.3;
  double shortest = 1e9, longest = 0.0;
  for (int k = 0; k <= 12; ++k) {
    const double phi = k * 7.5 * std::numbers::pi / 180.0;
    const World world =
        block_on_slope(0.0, mu, {speed * std::cos(phi), 0.0, speed * std::sin(phi)});
    const State state = after(world, 0.5, 0.002, tight());
    const Vector3d way = world.q(state, 0).head<3>() - Vector3d(0.0, resting_height, 0.0);
    CHECK(std::atan2(way.z(), way.x()) == doctest::Approx(phi).epsilon(1e-3).scale(1.0));
    shortest = std::min(shortest, way.norm());
    longest = std::max(longest, way.norm());
  }
  CHECK(longest - shortest < 1e-3 * longest);
}

TEST_CASE("the contact k-th from the top of a stack carries k times the weight")
{
  const int n = 10;
  WorldBuilder builder;
  builder.law.mu = 0.5;
  for (int k = 0; k < n; ++k)
    builder.add(block("block" + std::to_string(k), {0.0, 0.05 + delta + k * (0.1 + delta), 0.0}));
  builder.add(ground());
  const World world = builder.build();
  State state = world.start();
  Stepper stepper(world, tight());
  const double dt = 0.005;
  for (int k = 0; k < 100; ++k) stepper.step(state, dt);
  std::vector<double> force(n, 0.0);  // between block k and what is below it
  for (std::size_t c = 0; c < stepper.last().contacts.size(); ++c) {
    const ContactRecord& record = stepper.last().contacts[c];
    const double impulse = stepper.last().solution.lambda[3 * static_cast<Eigen::Index>(c)];
    const bool on_ground = record.body_a == n || record.body_b == n;
    force[on_ground ? 0 : std::max(record.body_a, record.body_b)] += impulse / dt;
  }
  for (int k = 0; k < n; ++k) {
    CAPTURE(k);
    CHECK(force[k] == doctest::Approx((n - k) * 1.0 * g).epsilon(1e-6));
  }
}

TEST_CASE("a stack whose top is 1000 times heavier than what is below stands and sinks nowhere")
{
  WorldBuilder builder;
  builder.law.mu = 0.5;
  builder.add(block("light", {0.0, 0.05 + delta, 0.0}, 0.1, 1.0));
  builder.add(block("heavy", {0.0, 0.15 + 2 * delta, 0.0}, 0.1, 1000.0));
  builder.add(ground());
  const World world = builder.build();
  const State state = after(world, 3.0, 0.005, tight());
  CHECK(world.q(state, 0)[1] == doctest::Approx(0.05 + delta).epsilon(1e-6));
  CHECK(world.q(state, 1)[1] == doctest::Approx(0.15 + 2 * delta).epsilon(1e-6));
  // Rows that come and go at the very distance delta differ by some 1e-9 m, which a step of 5 ms
  // makes up for.
  CHECK(state.v.norm() < 5e-7);
}

TEST_CASE("collisions without gravity keep momentum, and inelastic ones never gain energy")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law.mu = 0.4;
  builder.add(block("a", {-0.2, 0.01, 0.02}, 0.1, 1000.0, {1.5, 0.0, 0.1}));
  builder.add(block("b", {0.0, 0.0, 0.0}, 0.1, 500.0));
  builder.add(block("c", {0.15, 0.03, 0.0}, 0.1, 2000.0, {-0.5, 0.1, 0.0}));
  const World world = builder.build();
  State state = world.start();
  const Momentum before = momentum(world, state);
  double energy = kinetic_energy(world, state);
  Stepper stepper(world, tight());
  int touching = 0;
  for (int k = 0; k < 400; ++k) {
    touching += stepper.step(state, 0.002).report.contacts > 0;
    const double now = kinetic_energy(world, state);
    CHECK(now <= energy * (1.0 + 1e-9));
    energy = now;
  }
  const Momentum end = momentum(world, state);
  CHECK(touching > 10);
  CHECK((end.linear - before.linear).norm() < 1e-10 * before.linear.norm());
  // Impulses act at two points that are delta apart: along the line between them without friction,
  // across it with. Hence the angular momentum is kept up to mu delta times the impulses.
  CHECK((end.angular - before.angular).norm() < 2.0 * delta * before.linear.norm());
}

TEST_CASE("two equal blocks that meet head-on exchange (1 + e) / 2 of their velocity")
{
  for (const double e : {0.0, 0.5, 1.0}) {
    CAPTURE(e);
    WorldBuilder builder;
    builder.gravity.setZero();
    builder.law = {.mu = 0.0, .restitution = e};
    builder.add(block("a", {-0.16, 0.0, 0.0}, 0.1, 1000.0, {1.0, 0.0, 0.0}));
    builder.add(block("b", {0.0, 0.0, 0.0}));
    const World world = builder.build();
    const State state = after(world, 0.2, 0.002, tight());
    CHECK(state.v[0] == doctest::Approx(0.5 * (1.0 - e)).epsilon(1e-8).scale(1.0));
    CHECK(state.v[6] == doctest::Approx(0.5 * (1.0 + e)).epsilon(1e-8).scale(1.0));
  }
}
