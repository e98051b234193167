// Balls in a bucket.
#include <cmath>

#include <fmt/format.h>

#include <tact/core/random.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_shapes.hpp>
#include <tact/samples/region_scenes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

constexpr double apart = 2.2;  // from ball to ball at the start, over the radius of a ball

// Inner sizes, chosen so that balls fill a bucket about as high as it is wide. The wall leans out.
struct BucketSize {
  double bottom, top, height, wall;  // m

  explicit BucketSize(const Bucket& options)
      : bottom(options.radius * std::max(3.4, 1.2 * std::cbrt(options.balls))),
        top(1.2 * bottom),
        height(2.0 * bottom),
        wall(0.4 * options.radius)
  {
  }
};

TriMesh bucket_surface(const BucketSize& size)
{
  const std::array<Vector2d, 6> profile = {Vector2d(0.0, -size.wall),
                                           {size.bottom + size.wall, -size.wall},
                                           {size.top + size.wall, size.height},
                                           {size.top, size.height},
                                           {size.bottom, 0.0},
                                           {0.0, 0.0}};
  return make_lathe(profile, 48);
}

// Places of balls in layers, from the bottom up.
std::vector<Vector3d> ball_places(const Bucket& options, const BucketSize& size)
{
  const double step = apart * options.radius;
  const double reach = size.bottom - 1.1 * options.radius;
  const int half = static_cast<int>(reach / step);
  std::vector<Vector3d> places;
  for (int layer = 0;; ++layer)
    for (int i = -half; i <= half; ++i)
      for (int k = -half; k <= half; ++k) {
        if (static_cast<int>(places.size()) == options.balls) return places;
        if (std::hypot(i, k) * step <= reach)
          places.emplace_back(i * step, (layer + 0.6) * step, k * step);
      }
}

}  // namespace

SceneDescription bucket(const Bucket& options)
{
  const BucketSize size(options);
  SceneDescription scene;
  scene.run = {.dt = 0.001, .time = 3.0, .integrator = "explicit"};
  scene.run.contact.tolerance = 1e-5;  // m/s; gravity adds 1e-2 a step
  scene.run.record.every = 10;
  scene.run.record.forces = {0};
  scene.run.camera = {.from = size.height * Vector3d(0.9, 2.6, 1.2),
                      .to = size.height * Vector3d(0.0, 0.35, 0.0)};
  scene.bodies.push_back(moving_obstacle("bucket", bucket_surface(size), {}));
  Random random(options.seed);
  const TetMesh mesh = make_tet_ball(options.radius, options.layers);
  for (const Vector3d& place : ball_places(options, size)) {
    SoftOptions ball;
    ball.mesh = mesh;
    ball.young = options.young;
    ball.density = options.density;
    ball.stiffness_damping = options.damping;
    const Vector3d at = place + random.in_cube(0.04 * options.radius);
    for (Vector3d& p : ball.mesh.positions) p += at;
    scene.bodies.push_back({fmt::format("ball-{}", scene.bodies.size() - 1), std::move(ball), {}});
  }
  return scene;
}

}  // namespace tact
