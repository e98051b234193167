#include <tact/samples/soft_scenes.hpp>

#include <cmath>

#include <fmt/format.h>

#include <tact/geometry/shapes.hpp>
#include <tact/geometry/tet_shapes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

SoftOptions soft_solid(TetMesh mesh, double young)
{
  SoftOptions options;
  options.mesh = std::move(mesh);
  options.young = young;
  options.density = 500.0;
  options.stiffness_damping = 0.005;
  return options;
}

// The four solids of a layer: two rigid, two soft.
BodyOptions solid(const Unified& options, int kind)
{
  const double s = options.size;
  switch (kind) {
    case 0: return rigid_box(Vector3d::Constant(s), 500.0);
    case 1: {
      const int n = options.cells;
      return soft_solid(make_tet_box(Vector3d::Constant(s), {n, n, n}), options.young);
    }
    case 2: return rigid_sphere(0.5 * s, 500.0);
    default: return soft_solid(make_tet_ball(0.5 * s, (options.cells + 1) / 2), options.young);
  }
}

const char* solid_name(int kind)
{
  constexpr const char* names[] = {"box", "soft-box", "ball", "soft-ball"};
  return names[kind];
}

}  // namespace

SceneDescription soft_beam(const SoftBeam& options)
{
  const Vector3d size(options.length, options.height, options.width);
  const double cell = options.height / options.cells;
  const auto count = [&](double extent) {
    return std::max(1, static_cast<int>(std::lround(extent / cell)));
  };
  SoftOptions beam;
  beam.mesh = make_tet_box(size, {count(size.x()), options.cells, count(size.z())});
  beam.young = options.young;
  beam.poisson = options.poisson;
  beam.density = options.density;
  beam.stiffness_damping = options.damping;

  SceneDescription scene;
  scene.run = {.dt = 0.01, .time = 3.0};
  const std::vector<Vector3d> surface = start_surface(beam).positions;
  for (int v = 0; v < static_cast<int>(surface.size()); ++v) {
    if (surface[v].x() > -0.5 * options.length) continue;
    const Pin pin{{.body = 0, .point = {.vertex = v}},
                  {.body = -1, .point = {}, .place = surface[v]}};
    scene.pins.push_back({pin, {}});
  }
  scene.bodies.push_back({"beam", std::move(beam), {}});
  return scene;
}

SceneDescription unified(const Unified& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.01, .time = 5.0};
  const double s = options.size;
  scene.run.camera = {.from = s * Vector3d(5.5, 7.5, 11.0), .to = s * Vector3d(-0.3, 0.6, 0.7)};
  scene.bodies.push_back(ground_body(40.0 * s));
  const double width = 3.4 * s;  // of a sheet: it lies on the solids below and hides none
  for (int layer = 0; layer < options.layers; ++layer) {
    const double bottom = (0.5 + 2.0 * layer) * s;
    for (int place = 0; place < 4; ++place) {
      const int kind = (place + layer) % 4;  // so that unlike solids fall on each other
      BodyOptions body = solid(options, kind);
      translate(body,
                {(place % 2 ? 0.8 : -0.8) * s, bottom + 0.5 * s, (place < 2 ? 0.8 : -0.8) * s});
      scene.bodies.push_back({fmt::format("{}-{}", solid_name(kind), layer), std::move(body), {}});
    }
    BodyOptions sheet = square_cloth(width, options.vertices, 0.2 * width * width);  // 0.2 kg/m^2
    translate(sheet, {0.0, bottom + 1.4 * s, 0.0});
    scene.bodies.push_back({fmt::format("cloth-{}", layer), std::move(sheet), {}});
  }
  return scene;
}

}  // namespace tact
