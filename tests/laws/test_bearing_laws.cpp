// Real pins in real holes, without friction: what turns in a clearance turns freely, whatever the
// contact distance is, and teeth that mesh keep the ratio of their gears.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <laws/law_worlds.hpp>

using namespace tact;
using namespace tact::test;

namespace {

using std::numbers::pi;

Contour circle(double radius, int sides, const Vector2d& centre = Vector2d::Zero())
{
  Contour corners;
  for (int k = 0; k < sides; ++k) {
    const double angle = 2.0 * pi * (k + 0.5) / sides;
    corners.push_back(centre + radius * Vector2d(std::cos(angle), std::sin(angle)));
  }
  return corners;
}

Contour rectangle(const Vector2d& low, const Vector2d& high)
{
  return {low, {high.x(), low.y()}, high, {low.x(), high.y()}};
}

// A cylinder along z.
TriMesh pin_along_z(double radius, double length, int sides)
{
  return make_extrusion(std::array{circle(radius, sides)}, length);
}

// ---- Pendulum -----------------------------------------------------------------------------------

constexpr int pin_sides = 64;
constexpr double pin_radius = 0.02, clearance = 0.01 * pin_radius, bar_depth = 0.05;  // m

// A bar with a hole near its upper end, on a fixed pin along z. In x and y, the hole at the origin.
struct PinPendulum {
  World world;
  double arm = 0.0;      // m, from the hole to the centre of mass
  double inertia = 0.0;  // kg m^2 about the hole
  double mass = 0.0;     // kg

  // K(k): complete elliptic integral of the first kind, by the arithmetic-geometric mean.
  double period(double amplitude) const
  {
    double a = 1.0, b = std::cos(0.5 * amplitude);
    for (int i = 0; i < 8; ++i) {
      const double mean = 0.5 * (a + b);
      b = std::sqrt(a * b);
      a = mean;
    }
    return 2.0 * pi / a * std::sqrt(inertia / (mass * g * arm));
  }
};

PinPendulum pendulum_on_pin(double amplitude)
{
  RigidOptions bar;
  bar.surface = make_extrusion(std::array{rectangle({-0.05, -0.55}, {0.05, 0.05}),
                                          circle(pin_radius + clearance, pin_sides)},
                               bar_depth);
  bar.mass = mass_properties(bar.surface, 1000.0);
  const Eigen::AngleAxisd turn(amplitude, Vector3d::UnitZ());
  bar.orientation = turn;
  // It hangs on the top of the pin from the start.
  bar.position = {0.0, -0.5 * clearance, 0.0};
  PinPendulum result{.world = [&] {
    WorldBuilder builder;
    builder.law.mu = 0.0;
    RigidOptions copy = bar;
    builder.add(make_rigid_body("bar", std::move(copy)));
    ObstacleOptions pin;
    pin.surface = pin_along_z(pin_radius, 0.2, pin_sides);
    builder.add(make_obstacle("pin", std::move(pin)));
    return builder.build();
  }()};
  result.mass = bar.mass.mass;
  result.arm = bar.mass.centre.norm();
  result.inertia = bar.mass.inertia(2, 2) + result.mass * result.arm * result.arm;
  return result;
}

struct Swings {
  double period = 0.0;    // s, the mean of ten
  double kept = 0.0;      // energy above the lowest place after ten swings, over that at the start
  double gain = 0.0;      // the most in a step, of the same
  double sideways = 0.0;  // rad/s: turning about another axis
  int cut_steps = 0;
};

Swings ten_swings(double contact_distance, double dt)
{
  const double amplitude = radians(40.0);
  const PinPendulum pendulum = pendulum_on_pin(amplitude);
  const World& world = pendulum.world;
  State state = world.start();
  StepOptions options = by_default();
  options.contact.delta = contact_distance;
  Stepper stepper(world, options);
  const auto energy = [&] { return kinetic_energy(world, state) + potential_energy(world, state); };
  // At rest below the pin.
  const double least = -pendulum.mass * g * (pendulum.arm + clearance);
  const double start = energy() - least;
  Swings swings;
  double before = energy(), angle = amplitude, first = 0.0, last = 0.0;
  int crossings = 0;
  const double most = 12.0 * pendulum.period(amplitude);
  while (state.t < most && crossings < 21) {
    swings.cut_steps += stepper.step(state, dt).report.cut_steps;
    swings.gain = std::max(swings.gain, (energy() - before) / start);
    before = energy();
    swings.sideways = std::max(swings.sideways, angular_velocity(world, state, 0).head<2>().norm());
    const Vector3d up = upright(world, state, 0);
    const double now = std::atan2(-up.x(), up.y());
    if (now * angle < 0.0) {  // through the lowest place, every half swing
      last = state.t - dt * now / (now - angle);
      if (crossings++ == 0) first = last;
    }
    angle = now;
  }
  swings.period = crossings == 21 ? (last - first) / 10.0 : 0.0;
  swings.kept = (energy() - least) / start;
  return swings;
}

// ---- Wheel --------------------------------------------------------------------------------------

// A disc on an axle that lies in the holes of two plates. Axis z.
World wheel_in_fork(double axle_radius, double room, double spin, const Vector3d& gravity)
{
  const double wheel_radius = 0.2;
  // Made as a lathe about y, then turned: half of the axle, the disc, the other half.
  const std::array profile{Vector2d(0.0, -0.1),          Vector2d(axle_radius, -0.1),
                           Vector2d(axle_radius, -0.02), Vector2d(wheel_radius, -0.02),
                           Vector2d(wheel_radius, 0.02), Vector2d(axle_radius, 0.02),
                           Vector2d(axle_radius, 0.1),   Vector2d(0.0, 0.1)};
  RigidOptions wheel;
  wheel.surface = make_lathe(profile, pin_sides);
  for (Vector3d& p : wheel.surface.positions) p = Vector3d(p.x(), -p.z(), p.y());
  wheel.mass = mass_properties(wheel.surface, 1000.0);
  wheel.angular_velocity = spin * Vector3d::UnitZ();
  WorldBuilder builder;
  builder.gravity = gravity;
  builder.law.mu = 0.0;
  builder.add(make_rigid_body("wheel", std::move(wheel)));
  for (const double z : {-0.06, 0.06}) {
    ObstacleOptions plate;
    plate.surface = make_extrusion(
        std::array{rectangle({-0.04, -0.04}, {0.04, 0.3}), circle(axle_radius + room, pin_sides)},
        0.02);
    for (Vector3d& p : plate.surface.positions) p.z() += z;
    builder.add(make_obstacle(z < 0.0 ? "left" : "right", std::move(plate)));
  }
  return builder.build();
}

// ---- Gears --------------------------------------------------------------------------------------

// An involute gear about z with a tooth at angle 0 or, where `gap_first`, a gap.
TriMesh gear(int teeth, double module, double backlash, bool gap_first, double depth)
{
  const double pressure = radians(20.0);
  const double pitch = 0.5 * module * teeth, base = pitch * std::cos(pressure);
  const double tip = pitch + module, root = pitch - 1.25 * module;
  const auto involute = [](double x) { return std::sqrt(x * x - 1.0) - std::acos(1.0 / x); };
  // Half the angle of a tooth at a radius.
  const auto half = [&](double r) {
    const double at_pitch = pi / (2.0 * teeth) - 0.5 * backlash / pitch;
    return at_pitch + involute(pitch / base) - involute(std::max(r, base) / base);
  };
  Contour outline;
  const auto add = [&](double r, double angle) {
    outline.emplace_back(r * std::cos(angle), r * std::sin(angle));
  };
  constexpr int points = 6;  // on a flank
  for (int k = 0; k < teeth; ++k) {
    const double middle = 2.0 * pi * (k + (gap_first ? 0.5 : 0.0)) / teeth;
    add(root, middle - half(base));
    for (int i = 0; i < points; ++i) {
      const double r = base + (tip - base) * i / (points - 1);
      add(r, middle - half(r));
    }
    for (int i = points - 1; i >= 0; --i) {
      const double r = base + (tip - base) * i / (points - 1);
      add(r, middle + half(r));
    }
    add(root, middle + half(base));
  }
  return make_extrusion(std::array{outline}, depth);
}

int add_gear(WorldBuilder& builder, const std::string& name, TriMesh surface, double x, double spin)
{
  RigidOptions options;
  options.mass = mass_properties(surface, 1000.0);
  options.surface = std::move(surface);
  options.position.x() = x;
  options.angular_velocity = spin * Vector3d::UnitZ();
  const int body = builder.add(make_rigid_body(name, std::move(options)));
  for (const double z : {-0.01, 0.01})
    builder.add(Pin{{.body = body, .point = {.local = {0.0, 0.0, z}}}, {.place = {x, 0.0, z}}});
  return body;
}

}  // namespace

namespace {

void check_centred_wheel(double share, double dt, double tolerance = 1e-3)
{
  CAPTURE(share);
  CAPTURE(dt);
  CAPTURE(tolerance);
  const double axle = 0.02, room = 0.01 * axle, spin = 10.0;
  const World world = wheel_in_fork(axle, room, spin, Vector3d::Zero());
  StepOptions options = by_default();
  options.contact.delta = share * room;
  options.contact.solver.tolerance = tolerance;
  const State end = state_after(world, 1.0, dt, options);
  CHECK((angular_velocity(world, end, 0) - spin * Vector3d::UnitZ()).norm() < 1e-6 * spin);
  CHECK(linear_velocity(world, end, 0).norm() < 1e-6);
  CHECK(place_of(world, end, 0).norm() < room);
}

}  // namespace

TEST_CASE(
    "a wheel that is centred in its fork turns on without loss, whatever the contact distance")
{
  for (const double share : {0.1, 0.5, 1.0, 3.0, 10.0}) check_centred_wheel(share, 0.002);
  // By a facet a step, and by two.
  for (const double share : {0.1, 0.5, 1.0, 3.0, 10.0}) check_centred_wheel(share, 0.01);
  for (const double share : {0.1, 1.0, 3.0}) check_centred_wheel(share, 0.02);
}

TEST_CASE("a wheel in a clearance that solves may err by in a few steps turns on without loss, too")
{
  // As if the axle had 5 and 1 mm and the tolerance its default of 1 mm/s.
  for (const double tolerance : {4e-3, 2e-2})
    for (const double share : {0.5, 2.0, 10.0}) check_centred_wheel(share, 0.01, tolerance);
}

TEST_CASE("a wheel that rests in its fork loses no more than what the corners of its axle take")
{
  const double axle = 0.02, room = 0.01 * axle, spin = 5.0, seconds = 1.0;
  for (const double share : {0.1, 1.0, 10.0}) {
    CAPTURE(share);
    const World world = wheel_in_fork(axle, room, spin, {0.0, -g, 0.0});
    StepOptions options = by_default();
    options.contact.delta = share * room;
    const State end = state_after(world, seconds, 0.002, options);
    // A corner of the axle, and so one of the hole, is met at 2 w r pi / n, which takes
    // 1/2 m (2 w r pi / n)^2 of 1/2 I w^2, I about m R^2 / 2: of w half that share. n of each come
    // in a turn; three times as much is allowed.
    const double corner = 4.0 * std::pow(axle / 0.2 * pi / pin_sides, 2);
    const double corners = 2.0 * pin_sides * spin * seconds / (2.0 * pi);
    CHECK(angular_velocity(world, end, 0).z() / spin > 1.0 - 3.0 * corners * corner);
    CHECK(angular_velocity(world, end, 0).z() / spin < 1.0 + 1e-9);
    CHECK(angular_velocity(world, end, 0).head<2>().norm() < 1e-2 * spin);
    CHECK(place_of(world, end, 0).norm() < 2.0 * room);
  }
}

TEST_CASE("a gear pair keeps the ratio of its teeth")
{
  const int teeth[] = {20, 30};
  const double module = 0.01, backlash = 4e-4, spin = 2.0;
  for (const double dt : {0.005, 0.02}) {
    CAPTURE(dt);
    WorldBuilder builder;
    builder.gravity.setZero();
    builder.law.mu = 0.0;
    const double distance = 0.5 * module * (teeth[0] + teeth[1]);
    // A tooth of the first at angle 0 meets a gap of the second at angle pi: it has an even number.
    add_gear(builder, "driver", gear(teeth[0], module, backlash, false, 0.02), 0.0, spin);
    add_gear(builder, "driven", gear(teeth[1], module, backlash, true, 0.02), distance, 0.0);
    const World world = builder.build();
    const auto inertia = [&](int i) {
      VectorXd v = VectorXd::Zero(6);
      v[5] = 1.0;
      return 2.0 * world.body(i).kinetic_energy(world.q(world.start(), i), v);
    };
    State state = world.start();
    StepOptions options = by_default();
    options.contact.delta = 1e-4;
    Stepper stepper(world, options);
    double angles[2] = {0.0, 0.0}, previous[2] = {0.0, 0.0}, worst = 0.0;
    int cut_steps = 0;
    while (state.t < 4.0) {
      cut_steps += stepper.step(state, dt).report.cut_steps;
      for (int i = 0; i < 2; ++i) {
        const Vector3d up = upright(world, state, i);
        const double now = std::atan2(-up.x(), up.y());
        angles[i] += std::remainder(now - previous[i], 2.0 * pi);
        previous[i] = now;
      }
      // At the pitch circles: how far one gear is ahead of the other, m.
      const double ahead = 0.5 * module * (teeth[0] * angles[0] + teeth[1] * angles[1]);
      worst = std::max(worst, std::abs(ahead));
    }
    CHECK(cut_steps == 0);
    CHECK(worst < 2.0 * backlash);  // each tooth is that much thinner
    // The driven one is taken along without restitution: I1 w = (I1 + I2 (n1/n2)^2) w'.
    const double ratio = static_cast<double>(teeth[0]) / teeth[1];
    const double expected = spin * inertia(0) / (inertia(0) + inertia(1) * ratio * ratio);
    CHECK(angles[0] > 1.0 * 2.0 * pi * 0.25);
    CHECK(angular_velocity(world, state, 0).z() == doctest::Approx(expected).epsilon(0.05));
    CHECK(angular_velocity(world, state, 1).z() ==
          doctest::Approx(-ratio * expected).epsilon(0.05));
  }
}

TEST_SUITE("slow")
{
  TEST_CASE(
      "a pendulum on a real pin: period, energy and plane of ten swings, whatever the contact "
      "distance")
  {
    const double dt = 2e-3, amplitude = radians(40.0);
    const PinPendulum pendulum = pendulum_on_pin(amplitude);
    const double expected = pendulum.period(amplitude);
    // The mean of w^2 over a swing is half of its largest, but for the amplitude.
    const double stiffness = pendulum.mass * g * pendulum.arm / pendulum.inertia;  // 1/s^2
    const double mean_spin_2 = stiffness * (1.0 - std::cos(amplitude));
    const double translation = pendulum.mass * pendulum.arm * pendulum.arm / pendulum.inertia;
    const double stepping_loss = 10.0 * expected * mean_spin_2 * dt * translation;
    // Without friction only the corners of the pin turn it out of its plane: where one rim of the
    // hole passes a corner before the other does, that end is met at w r 2 pi / n, half the depth
    // of the bar away from its centre.
    const double corner =
        std::sqrt(2.0 * mean_spin_2) * pin_radius * 2.0 * pi / pin_sides / (0.5 * bar_depth);
    for (const double share : {0.1, 1.0, 10.0}) {
      CAPTURE(share);
      const Swings swings = ten_swings(share * clearance, dt);
      // A step turns the velocity of the centre of mass by w h and takes (w h)^2 of its energy,
      // m l^2 / I of all, and somewhat more on a pin that is held at the start of a step; corners
      // of the pin take (r 2 pi / n / k)^2 each, k the radius of gyration: 0.15 % in all.
      CHECK(swings.kept > 1.0 - 1.6 * stepping_loss);
      CHECK(swings.gain < 1e-3);  // of second order in w h
      CHECK(swings.period == doctest::Approx(expected).epsilon(5e-3));
      CHECK(swings.cut_steps == 0);
      CHECK(swings.sideways < 2.0 * corner);  // two rims may do so one after the other
    }
  }
}
