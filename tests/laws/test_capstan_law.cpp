// Friction of cloth on a bollard (Euler and Eytelwein). The law is Coulomb's disc.
#include <algorithm>
#include <numbers>
#include <vector>

#include <doctest/doctest.h>

#include <laws/law_worlds.hpp>
#include <tact/bodies/cloth.hpp>

using namespace tact;
using namespace tact::test;

namespace {

constexpr double bollard_radius = 0.1;                      // m
constexpr double contact_distance = 3e-4;                   // m
constexpr double held_back = 10.0;                          // N, on the end that follows
constexpr double drawing_speed = 0.1;                       // m/s, of the driver at the other end
constexpr int segments_on_arc = 40, segments_straight = 8;  // the latter at each end

// The line of a strip around a bollard along z, and on straight on both sides. Places on it are
// counted in segments from the middle of the arc, which is on top.
struct WrappedLine {
  double wrap = 0.0;  // rad
  double radius = bollard_radius + 1.2 * contact_distance;
  double segment = radius * wrap / segments_on_arc;  // m
  double end = 0.5 * segments_on_arc + segments_straight;

  Vector3d at(double s) const
  {
    const double half = 0.5 * segments_on_arc, on_arc = std::clamp(s, -half, half);
    const double angle = on_arc * segment / radius, beyond = (s - on_arc) * segment;
    return {radius * std::sin(angle) + beyond * std::cos(angle),
            radius * std::cos(angle) - beyond * std::sin(angle), 0.0};
  }
  // Away from the bollard at the end that follows (-1) or is drawn (+1).
  Vector3d outwards(double side) const
  {
    return (at(side * end) - at(side * (end - 1.0))).normalized();
  }
};

struct Strip {
  ClothOptions cloth;
  std::vector<int> follows, drawn;  // vertices at the two ends
};

Strip strip_along(const WrappedLine& line)
{
  const int along = segments_on_arc + 2 * segments_straight + 1;
  Strip strip;
  ClothOptions& cloth = strip.cloth;
  cloth.surface = make_cloth((along - 1) * line.segment, 0.02, along, 2);
  cloth.springs =
      grid_springs(cloth.surface, along, 2, {.stretch = 20000.0, .shear = 2000.0, .bend = 0.1});
  cloth.self_collision = false;
  for (int i = 0; i < cloth.surface.vertex_count(); ++i) {
    Vector3d& x = cloth.surface.positions[i];
    const double s = x.x() / line.segment;
    if (s < -line.end + 0.5) strip.follows.push_back(i);
    if (s > line.end - 0.5) strip.drawn.push_back(i);
    x = line.at(s) + Vector3d(0.0, 0.0, x.z());
  }
  return strip;
}

std::unique_ptr<Body> bollard()
{
  ObstacleOptions options;
  options.surface = make_cylinder(bollard_radius, 0.1, 72);
  for (Vector3d& x : options.surface.positions) x = {x.x(), x.z(), -x.y()};
  return make_obstacle("bollard", std::move(options));
}

struct CapstanWorld {
  World world;
  std::vector<Spring> driver_springs;
};

// One end hangs on a force, the other on springs to a driver that moves away. No gravity: the
// tensions are all there is.
CapstanWorld capstan(double wrap, double mu)
{
  const WrappedLine line{.wrap = wrap};
  Strip strip = strip_along(line);
  const std::vector<Vector3d> x = strip.cloth.surface.positions;
  WorldBuilder builder;
  builder.gravity.setZero();
  builder.law.mu = mu;
  const int cloth = builder.add(make_cloth_body("strip", std::move(strip.cloth)));
  builder.add(bollard());

  const Vector3d centre = line.at(-line.end) + 0.03 * line.outwards(-1.0);
  RigidOptions weight = rigid_block(Vector3d::Constant(0.02), centre, 1e4);
  weight.force = held_back * line.outwards(-1.0);
  const int follower = builder.add(make_rigid_body("weight", std::move(weight)));
  for (const int i : strip.follows)
    builder.add(Spring{.a = {.body = cloth, .point = {.vertex = i, .local = {}}},
                       .b = {.body = follower, .point = {}},
                       .stiffness = 20000.0,
                       .damping = 20.0,
                       .rest_length = (x[i] - centre).norm()});

  ObstacleOptions driver;
  driver.surface = make_box(Vector3d::Constant(0.02));
  const Vector3d from = line.at(line.end) + 0.05 * line.outwards(1.0);
  driver.motion = {{.t = 0.0, .position = from},
                   {.t = 1.0, .position = from + drawing_speed * line.outwards(1.0)}};
  const int puller = builder.add(make_obstacle("driver", std::move(driver)));
  std::vector<Spring> springs;
  for (const int i : strip.drawn) {
    const Vector3d beside_driver = x[i] - line.at(line.end);
    springs.push_back({.a = {.body = cloth, .point = {.vertex = i, .local = {}}},
                       .b = {.body = puller, .point = {.vertex = -1, .local = beside_driver}},
                       .stiffness = 2000.0,
                       .damping = 2.0,
                       .rest_length = 0.05});
    builder.add(springs.back());
  }
  return {builder.build(), std::move(springs)};
}

double tension(const World& world, const State& state, const std::vector<Spring>& springs)
{
  double sum = 0.0;
  for (const Spring& spring : springs) {
    const double length =
        (position(world, state, spring.a) - position(world, state, spring.b)).norm();
    sum += spring.stiffness * (length - spring.rest_length);
  }
  return sum;
}

}  // namespace

TEST_SUITE("slow")
{
  TEST_CASE("capstan: a strip drawn around a bollard takes exp(mu wrap) of its tension to 3 %")
  {
    for (const double wrap : {0.5 * std::numbers::pi, std::numbers::pi}) {  // 1.6020 and 2.5663
      CAPTURE(wrap);
      const double mu = 0.3;
      const CapstanWorld strip = capstan(wrap, mu);
      State state = strip.world.start();
      Stepper stepper(strip.world, solved_to(3e-4, contact_distance));
      const double dt = 0.002;
      run(state, stepper, 0.3, dt, [](const StepReport&) {});  // it slips after 0.06 s
      double sum = 0.0;
      int samples = 0;
      run(state, stepper, 0.1, dt, [&](const StepReport&) {
        sum += tension(strip.world, state, strip.driver_springs);
        ++samples;
      });
      CHECK(relative_error(sum / samples / held_back, std::exp(mu * wrap)) < 0.03);
    }
  }
}
