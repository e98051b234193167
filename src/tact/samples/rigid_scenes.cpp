#include <tact/samples/rigid_scenes.hpp>

#include <numbers>

#include <fmt/format.h>

#include <tact/geometry/shapes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {

SceneDescription block_on_slope(const BlockOnSlope& options)
{
  const double angle = options.angle * std::numbers::pi / 180.0;
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(angle, Vector3d::UnitZ()));
  const Vector3d slab(60.0, 1.0, 10.0);  // in blocks: long enough to slide for seconds
  SceneDescription scene;
  scene.run = {.dt = 0.005, .time = 2.0};
  scene.run.contact.delta = options.gap;
  scene.run.record.forces = {1};
  const double s = options.size;
  scene.bodies.push_back(
      moving_obstacle("slope", make_box(s * slab),
                      {{.t = 0.0,
                        .position = tilt * Vector3d(0.0, -0.5 * s * slab.y(), 0.0),
                        .orientation = tilt}}));
  RigidOptions block = rigid_box(Vector3d::Constant(s), 1000.0);
  block.position = tilt * Vector3d(0.4 * s * slab.x(), 0.5 * s + options.gap, 0.0);
  block.orientation = tilt;
  scene.bodies.push_back({"block", std::move(block), {}});
  return scene;
}

SceneDescription mass_ratio(const MassRatio& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.005, .time = 3.0};
  scene.run.contact.delta = options.gap;
  scene.friction.mu = 0.5;
  scene.bodies.push_back(ground_body(20.0 * options.size));
  for (int i = 0; i < options.boxes; ++i) {
    const bool top = i + 1 == options.boxes;
    RigidOptions box =
        rigid_box(Vector3d::Constant(options.size), options.density * (top ? options.ratio : 1.0));
    box.position.y() = (i + 0.5) * options.size + (i + 1) * options.gap;
    scene.bodies.push_back({fmt::format("box-{}", i), std::move(box), {}});
    scene.run.record.forces.push_back(i + 1);
  }
  return scene;
}

SceneDescription spinning_bodies(const SpinningBodies& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.002, .time = 5.0};
  scene.gravity.setZero();
  const double s = options.size;
  const auto add = [&](std::string name, RigidOptions body, double x, const Vector3d& spin) {
    body.position.x() = x;
    body.angular_velocity = spin;
    scene.bodies.push_back({std::move(name), std::move(body), {}});
  };
  // A little spin about another axis is what makes the box flip. Moments: y < x < z for the box.
  const double w = options.spin;
  add("box", rigid_box({s, 2.0 * s, 0.5 * s}, 1000.0), -3.0 * s, {w, 1e-3 * w, 0.0});
  add("top", rigid_cylinder(s, 0.3 * s, 1000.0), 0.0, {0.3 * w, w, 0.0});
  add("capsule", rigid_capsule(0.3 * s, s, 1000.0), 3.0 * s, {0.5 * w, w, 0.2 * w});
  return scene;
}

SceneDescription chain(const Chain& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.005, .time = 3.0};
  const double gap = 0.2 * options.radius;  // between links, with the pin in its middle
  const double straight = options.length - 2.0 * options.radius - gap;
  const Eigen::Quaterniond lying =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitY(), Vector3d::UnitX());
  const Vector3d end(0.0, 0.5 * options.length, 0.0);  // in the axes of a link
  for (int i = 0; i < options.links; ++i) {
    RigidOptions link = rigid_capsule(options.radius, straight, options.density);
    link.position.x() = (i + 0.5) * options.length;
    link.orientation = lying;
    scene.bodies.push_back({fmt::format("link-{}", i), std::move(link), {}});
    Pin pin{{.body = i, .point = {.local = -end}}, {.body = i - 1, .point = {.local = end}}};
    if (i == 0) pin.b = {.body = -1, .point = {}, .place = Vector3d::Zero()};
    scene.pins.push_back({pin, {}});
  }
  return scene;
}

}  // namespace tact
