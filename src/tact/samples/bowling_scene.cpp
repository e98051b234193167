// Ten skittles without gravity.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tact/geometry/tet_shapes.hpp>
#include <tact/samples/region_scenes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

constexpr int rows = 4;               // of 1, 2, 3 and 4 skittles
constexpr double ball_radius = 0.28;  // over the height of a skittle

// Radius of a skittle at a height, both over its height: a wide belly, a neck and a head.
double skittle_radius(double y)
{
  static const std::array<Vector2d, 8> profile = {
      Vector2d(0.0, 0.075), {0.15, 0.125}, {0.32, 0.155}, {0.5, 0.12},
      {0.68, 0.062},        {0.82, 0.07},  {0.93, 0.062}, {1.0, 0.03}};
  const auto next = std::find_if(profile.begin() + 1, profile.end() - 1,
                                 [&](const Vector2d& point) { return point.x() >= y; });
  const Vector2d &low = *(next - 1), &high = *next;
  return low.y() + (high.y() - low.y()) * smooth_step(y, low.x(), high.x());
}

SoftOptions slightly_soft(TetMesh mesh, const Bowling& options, double density)
{
  SoftOptions body;
  body.mesh = std::move(mesh);
  body.young = options.young;
  body.density = density;
  body.stiffness_damping = options.damping;
  return body;
}

SoftOptions skittle(const Bowling& options)
{
  const double h = options.height;
  TetMesh mesh = make_tet_cylinder(1.0, h, options.rings, 5 * options.rings);
  for (Vector3d& p : mesh.positions) {
    const double radius = h * skittle_radius(p.y() / h + 0.5);
    p = {radius * p.x(), p.y(), radius * p.z()};
  }
  return slightly_soft(std::move(mesh), options, 650.0);
}

// One after the other, each off the middle by its own share.
SoftOptions ball(const Bowling& options, int number)
{
  constexpr std::array offsets = {0.08, -0.45, 0.5, -0.15, 0.3};
  const double h = options.height, radius = ball_radius * h;
  SoftOptions body = slightly_soft(make_tet_ball(radius, options.rings + 1), options, 1200.0);
  const Vector3d place(-1.0 - 1.6 * number, -0.12, offsets[number % offsets.size()]);
  for (Vector3d& p : body.mesh.positions) p += h * place;
  body.velocity.x() = options.speed;
  return body;
}

}  // namespace

SceneDescription bowling(const Bowling& options)
{
  SceneDescription scene;
  const double h = options.height;
  scene.run = {.dt = 0.001, .time = 1.0, .integrator = "explicit"};
  scene.run.contact.tolerance = 1e-6;  // m/s; little acts on what has not been hit yet
  scene.run.record.every = 10;
  scene.run.camera = {.from = h * Vector3d(-2.0, 2.0, 3.8), .to = h * Vector3d(0.7, -0.1, 0.0)};
  scene.gravity.setZero();
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k <= row; ++k) {
      BodyOptions body = skittle(options);
      translate(body, options.spacing * h * Vector3d(0.87 * row, 0.0, k - 0.5 * row));
      scene.bodies.push_back({fmt::format("skittle-{}", scene.bodies.size()), std::move(body), {}});
    }
  for (int i = 0; i < options.balls; ++i)
    scene.bodies.push_back({fmt::format("ball-{}", i), ball(options, i), {}});
  return scene;
}

}  // namespace tact
