// Laws of friction and impact in explicit steps, for bodies whose contacts form one region and for
// such whose contacts form many.                                             [Lazarevych10] Sec. 5
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include <laws/law_worlds.hpp>
#include <tact/bodies/soft_solid.hpp>
#include <tact/contact/contact_regions.hpp>

using namespace tact;
using namespace tact::test;

namespace {

constexpr double friction_coefficients[] = {0.1, 0.3, 0.6, 1.0};

StepOptions explicit_steps(double tolerance = 1e-6)
{
  StepOptions options = solved_to(tolerance);
  options.integrator = IntegratorKind::semi_implicit_euler;
  return options;
}

StepOptions by_regions()
{
  StepOptions options = explicit_steps();
  options.contact.method = "pcg-pgs";
  return options;
}

enum class Matter { rigid, soft };

// A flat block, 0.2 m wide, on a slope that falls along x. The lower vertices of a soft one touch
// the ground one by one: each is a region by itself. A rigid one is one region.
World flat_block(Matter matter, double angle, double mu, const Vector3d& velocity)
{
  const Vector3d size(0.2, 0.05, 0.2), centre(beside, 0.025 + delta, 0.0);
  WorldBuilder builder;
  builder.gravity = tilted_gravity(angle);
  builder.law.mu = mu;
  if (matter == Matter::rigid) {
    RigidOptions block = rigid_block(size, centre);
    block.velocity = velocity;
    builder.add(make_rigid_body("block", std::move(block)));
  } else {
    SoftOptions block;
    block.mesh = make_tet_box(size, {2, 1, 2});
    for (Vector3d& x : block.mesh.positions) x += centre;
    block.young = 2e5;
    block.stiffness_damping = 2e-3;  // s: comes to rest without being held by the air
    block.velocity = velocity;
    builder.add(make_soft_body("block", std::move(block)));
  }
  builder.add(flat_ground());
  return builder.build();
}

double speed_along_slope(const World& world, const State& state)
{
  return momentum(world, state).linear.x() / world.body(0).mass();
}

Vector3d centre_of(const World& world, const State& state)
{
  return world.body(0).centre_of_mass(world.q(state, 0));
}

// Held just below the critical angle, and sliding as it should just above it.
void check_critical_angle(Matter matter, double mu, const StepOptions& options)
{
  const double off = 1e-3, dt = 1e-3;  // rad, s
  const double critical = std::atan(mu);
  {
    const World world = flat_block(matter, critical - off, mu, Vector3d::Zero());
    State state = world.start();
    Stepper stepper(world, options);
    // What it gets when gravity sets in, some mm/s, is lost at g (mu cos - sin), 1e-2 m/s^2.
    run(state, stepper, 1.5, dt, [](const StepReport&) {});
    const double before = centre_of(world, state).x();
    run(state, stepper, 0.5, dt, [](const StepReport&) {});
    CHECK(std::abs(centre_of(world, state).x() - before) < 1e-5);  // m in 0.5 s
  }
  const double angle = critical + off;
  const World world = flat_block(matter, angle, mu, Vector3d::Zero());
  State state = world.start();
  Stepper stepper(world, options);
  run(state, stepper, 0.5, dt, [](const StepReport&) {});
  const double before = speed_along_slope(world, state);
  run(state, stepper, 0.5, dt, [](const StepReport&) {});
  const double acceleration = g * (std::sin(angle) - mu * std::cos(angle));
  CHECK(relative_error(speed_along_slope(world, state) - before, 0.5 * acceleration) < 0.05);
}

}  // namespace

TEST_CASE("explicit: the critical angle is atan(mu) to 1e-3 for one region")
{
  for (const double mu : friction_coefficients) {
    CAPTURE(mu);
    check_critical_angle(Matter::rigid, mu, explicit_steps());
    check_critical_angle(Matter::rigid, mu, by_regions());
  }
}

TEST_CASE("explicit: the critical angle is atan(mu) to 1e-3 for many regions and for them as one" *
          doctest::test_suite("slow"))
{
  for (const double mu : friction_coefficients) {
    CAPTURE(mu);
    check_critical_angle(Matter::soft, mu, by_regions());
  }
}

TEST_CASE("explicit: the contacts of a soft block are regions of their own; a rigid one has one")
{
  for (const Matter matter : {Matter::rigid, Matter::soft}) {
    const World world = flat_block(matter, 0.1, 0.3, Vector3d::Zero());
    State state = world.start();
    Stepper stepper(world, explicit_steps());
    stepper.step(state, 1e-3);
    ContactRegions regions;
    regions.update(elements_by_components(stepper.last().problem));
    const int vertices = matter == Matter::rigid ? 1 : 9;  // 3 x 3 under the soft block
    CHECK(static_cast<int>(regions.regions().size()) == vertices);
    CHECK(stepper.last().problem.size() >= vertices);
  }
}

TEST_CASE("explicit: the way to rest is the same in all directions to 1 % with the cone")
{
  const double speed = 0.6, mu = 0.3;
  for (const Matter matter : {Matter::rigid, Matter::soft}) {
    double shortest = 1e9, longest = 0.0;
    for (int k = 0; k <= 6; ++k) {
      const double phi = radians(15.0 * k);
      CAPTURE(phi);
      const World world =
          flat_block(matter, 0.0, mu, speed * Vector3d(std::cos(phi), 0.0, std::sin(phi)));
      const State start = world.start();
      const State state = state_after(world, 0.4, 1e-3, by_regions());
      const Vector3d way = centre_of(world, state) - centre_of(world, start);
      CHECK(std::abs(std::atan2(way.z(), way.x()) - phi) < radians(0.5));
      const double along = std::hypot(way.x(), way.z());
      shortest = std::min(shortest, along);
      longest = std::max(longest, along);
    }
    CHECK(longest - shortest < 0.01 * longest);
    CHECK(relative_error(longest, speed * speed / (2.0 * mu * g)) < 0.03);
  }
}

TEST_CASE("explicit: bounces with restitution 0 and 0.5 and 1 reach e^2 of the height before")
{
  const double height = 0.5, dt = 1e-3;
  for (const double e : {0.0, 0.5, 1.0}) {
    CAPTURE(e);
    const World world = ball_above_ground(height, e);
    State state = world.start();
    Stepper stepper(world, explicit_steps(1e-10));
    const double rest = state.q[1] - height;
    std::vector<double> apexes;
    double before = state.v[1];
    run(state, stepper, 2.0, dt, [&](const StepReport&) {
      if (before > 0.0 && state.v[1] <= 0.0) apexes.push_back(state.q[1] - rest);
      before = state.v[1];
    });
    if (e == 0.0) {
      // Parted at up to 0.02 m/s where the last step before the hit came nearer than delta.
      for (const double apex : apexes) CHECK(apex < 1e-5);
      CHECK(state.v.norm() < 1e-9);
      continue;
    }
    REQUIRE(apexes.size() >= 2);
    double expected = height;
    for (int n = 0; n < 2; ++n) {
      CAPTURE(n);
      const double impact = std::sqrt(2.0 * g * expected);
      expected *= e * e;
      CHECK(std::abs(apexes[n] - expected) < 0.01 * expected + (n + 1) * impact * dt);
    }
  }
}

TEST_CASE(
    "explicit: Newton's cradle passes its impulse on, or meets all at once where bodies touch")
{
  const std::vector<double> equal(3, 1000.0);
  const auto check = [&](double gap, double e, const std::vector<double>& expected) {
    for (const bool projected : {false, true}) {
      StepOptions options = projected ? by_regions() : explicit_steps();
      options.contact.solver.tolerance = 1e-11;
      const std::vector<double> v = row_after_hit(equal, gap, 1.0, e, options);
      for (int i = 0; i < 3; ++i) {
        CAPTURE(gap);
        CAPTURE(e);
        CAPTURE(i);
        CHECK(std::abs(v[i] - expected[i]) < 1e-8);
      }
    }
  };
  check(0.02, 1.0, {0.0, 0.0, 1.0});                      // pairwise
  check(delta, 1.0, {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0});  // Newton's law, simultaneous
  check(delta, 0.0, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0});
}

TEST_CASE("explicit: momentum is kept to 1e-10 and energy does not grow in a hit of soft bodies")
{
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law.mu = 0.4;
  for (int i = 0; i < 2; ++i) {
    SoftOptions soft;
    soft.mesh = make_tet_box(cube, {3, 3, 3});
    for (Vector3d& x : soft.mesh.positions) x += Vector3d(0.12 * i, 0.013 * i, 0.007 * i);
    soft.young = 1e5;
    soft.velocity = {i == 0 ? 2.0 : 0.0, 0.1, 0.0};
    builder.add(make_soft_body("body" + std::to_string(i), std::move(soft)));
  }
  const World world = builder.build();
  State state = world.start();
  const Momentum before = momentum(world, state);
  const auto energy_now = [&] {
    return kinetic_energy(world, state) + potential_energy(world, state);
  };
  const double start = energy_now();
  Stepper stepper(world, by_regions());
  double exchanged = 0.0;
  run(state, stepper, 0.2, 1e-3, [&](const StepReport&) {
    exchanged += stepper.last().solution.lambda.size() > 0
                     ? stepper.last().solution.lambda.cwiseAbs().sum()
                     : 0.0;
  });
  CHECK(exchanged > 0.5);  // N s: a hit at 2 m/s of 1 kg
  CHECK((momentum(world, state).linear - before.linear).norm() < 1e-10 * before.linear.norm());
  // Semi-implicit Euler keeps an energy that differs by a share of h w; contact takes some.
  CHECK(energy_now() < 1.01 * start);
}
