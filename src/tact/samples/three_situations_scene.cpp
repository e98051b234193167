// What contact does to the matrix B: boxes of two kinds in three arrangements.
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <tact/geometry/tet_shapes.hpp>
#include <tact/samples/coupling_scenes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

struct StackKind {
  std::string_view name;
  bool soft_below, soft_above;
};

constexpr std::array<StackKind, 3> situations = {
    {{"rigid", false, false}, {"deformable", true, true}, {"mixed", true, false}}};

BodyOptions box_of(const ThreeSituations& options, bool soft, const Vector3d& size)
{
  constexpr double density = 500.0;  // kg/m^3
  const int n = options.cells;
  if (!soft) return rigid_box(size, density);
  SoftOptions box;
  box.mesh = make_five_tet_box(size, {n, n, n});
  box.young = options.young;
  box.density = density;
  box.stiffness_damping = 0.01;
  return box;
}

void add_stack(const ThreeSituations& options, const StackKind& situation, double z,
               SceneDescription& scene)
{
  const double s = options.size, gap = 0.02 * s;
  const auto add = [&](bool soft, double length, const Vector3d& place, int number) {
    BodyOptions body = box_of(options, soft, {length, s, s});
    translate(body, place);
    scene.bodies.push_back({fmt::format("{}-{}", situation.name, number), std::move(body), {}});
  };
  add(situation.soft_below, s, {-0.6 * s, 0.5 * s + gap, z}, 0);
  add(situation.soft_below, s, {0.6 * s, 0.5 * s + gap, z}, 1);
  // As long as both: a rigid one then ties all contacts on its lower side together.
  add(situation.soft_above, 2.2 * s, {0.0, 1.5 * s + 2.0 * gap, z}, 2);
}

}  // namespace

SceneDescription three_situations(const ThreeSituations& options)
{
  SceneDescription scene;
  const double s = options.size;
  scene.run = {.dt = 0.005, .time = 1.0};
  scene.run.camera = {.from = s * Vector3d(5.2, 3.2, 4.0), .to = {0.0, 0.7 * s, 0.0}};
  scene.run.contact.tolerance = 1e-4;   // light boxes: 1e-3 m/s would be a tenth of their weight
  scene.run.contact.rows_per_pair = 0;  // all of them, as the paper has them
  scene.run.record.pattern = true;
  scene.friction.mu = 0.5;
  scene.bodies.push_back(ground_body(20.0 * s));
  const bool all = options.situation == "all";
  for (std::size_t i = 0; i < situations.size(); ++i)
    if (all || situations[i].name == options.situation)
      add_stack(options, situations[i], all ? 2.0 * s * (double(i) - 1.0) : 0.0, scene);
  return scene;
}

}  // namespace tact
