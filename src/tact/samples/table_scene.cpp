// A soft table on a slope.
#include <cmath>
#include <numbers>

#include <tact/geometry/shapes.hpp>
#include <tact/samples/region_scenes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

constexpr double contact_distance = 5e-4;  // m

// A box of tetrahedra without those that are neither in the top nor in a leg.
TetMesh table_mesh(const TableIncline& options)
{
  const double cell = options.leg / options.cells;
  const auto count = [&](double extent) {
    return std::max(2 * options.cells, static_cast<int>(std::lround(extent / cell)));
  };
  const std::array<int, 3> cells = {count(options.length), count(options.height),
                                    count(0.75 * options.length)};
  const Vector3d size = cell * Vector3d(cells[0], cells[1], cells[2]);
  const TetMesh box = make_tet_box(size, cells);
  const auto outer = [&](double x, double extent) {
    return std::abs(x) > 0.5 * extent - options.leg;
  };
  TetMesh table;
  std::vector<int> number(box.positions.size(), -1);
  for (const Tetrahedron& t : box.tetrahedra) {
    Vector3d centre = Vector3d::Zero();
    for (const int v : t) centre += 0.25 * box.positions[v];
    const bool top = centre.y() > 0.5 * size.y() - options.leg;
    if (!top && !(outer(centre.x(), size.x()) && outer(centre.z(), size.z()))) continue;
    Tetrahedron kept;
    for (int k = 0; k < 4; ++k) {
      int& v = number[t[k]];
      if (v < 0) {
        v = table.vertex_count();
        table.positions.push_back(box.positions[t[k]] + Vector3d(0.0, 0.5 * size.y(), 0.0));
      }
      kept[k] = v;
    }
    table.tetrahedra.push_back(kept);
  }
  return table;
}

}  // namespace

SceneDescription table_incline(const TableIncline& options)
{
  const double angle = options.angle * std::numbers::pi / 180.0;
  const Eigen::Quaterniond tilt(Eigen::AngleAxisd(angle, Vector3d::UnitZ()));
  const Vector3d slab = options.length * Vector3d(10.0, 0.3, 3.0);
  const Vector3d start(0.3 * slab.x(), contact_distance + options.drop, 0.0);
  SceneDescription scene;
  scene.run = {.dt = 0.001, .time = 1.0, .integrator = "explicit"};
  scene.run.contact.tolerance = 1e-5;  // m/s; gravity adds 1e-2 a step
  scene.run.record.every = 10;
  scene.run.contact.delta = contact_distance;
  scene.run.camera = {.from = tilt * (start + options.length * Vector3d(-1.2, 1.3, 2.6)),
                      .to = tilt * (start + Vector3d(-0.1, 0.4 * options.height, 0.0))};
  scene.bodies.push_back(moving_obstacle(
      "slope", make_box(slab),
      {{.t = 0.0, .position = tilt * Vector3d(0.0, -0.5 * slab.y(), 0.0), .orientation = tilt}}));
  SoftOptions table;
  table.mesh = table_mesh(options);
  for (Vector3d& p : table.mesh.positions) p = tilt * (p + start);
  table.young = options.young;
  table.density = 500.0;
  table.stiffness_damping = options.damping;
  scene.bodies.push_back({"table", std::move(table), {}});
  scene.run.record.forces = {1};
  return scene;
}

}  // namespace tact
