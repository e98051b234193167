#include <bench/growth.hpp>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <bench/cpu_timer.hpp>
#include <tact/bodies/obstacle.hpp>
#include <tact/bodies/rigid_body.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>
#include <tact/files/text_file.hpp>
#include <tact/geometry/mass_properties.hpp>
#include <tact/geometry/shapes.hpp>
#include <tact/samples/masonry_arch.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

namespace tact {
namespace {

struct GrowingWorld {
  World world;
  StepOptions options;
  double dt = 0.0;  // s
};

// Of all attitudes, as equally as four numbers in a cube give.
Eigen::Quaterniond any_attitude(Random& random)
{
  Eigen::Quaterniond q(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                       random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
  return q.normalized();
}

GrowingWorld of_scene(const char* name, const std::vector<std::string>& patches)
{
  Scene scene = build_scene(read_scene(name, patches));
  StepOptions options = step_options(scene.run);
  return {std::move(scene.world), options, scene.run.dt};
}

StepOptions options_of_worlds()
{
  StepOptions options;
  options.contact.solver.tolerance = 1e-3;  // m/s, as of scenes
  return options;
}

// A half circle of dry stones, a chain of contacts from one abutment to the other.
GrowingWorld arch_of(int stones)
{
  StepOptions options = options_of_worlds();
  options.contact.delta = MasonryArch().joint;
  return {masonry_arch({.thickness = 0.2, .stones = stones}), options, 0.005};
}

// Boxes of all attitudes, six on top of each other, that fall by some millimetres and stay in a
// heap that is as high whatever their number: its sides are walls.
GrowingWorld heap_of(int boxes)
{
  constexpr int layers = 6;
  constexpr double size = 0.1, spacing = 0.19;  // m; a box turned anyhow needs sqrt(3) of its size
  const int side = std::max(1, static_cast<int>(std::lround(std::sqrt(boxes / double{layers}))));
  Random random(5);
  WorldBuilder builder;
  builder.law.mu = 0.5;
  for (int k = 0; k < boxes; ++k) {
    RigidOptions box;
    box.surface = make_box({size, size, size});
    box.mass = mass_properties(box.surface, 500.0);
    const int layer = k / (side * side), in_layer = k % (side * side);
    const int row = in_layer / side;
    box.position = Vector3d(in_layer % side + 0.5, layer + 0.5, row + 0.5) * spacing;
    box.orientation = any_attitude(random);
    builder.add(make_rigid_body(fmt::format("box{}", k), std::move(box)));
  }
  const int layers_high = boxes / (side * side) + 2;
  const double wide = side * spacing, high = spacing * layers_high;
  auto add_wall = [&builder, walls = 0](const Vector3d& extent, const Vector3d& centre) mutable {
    ObstacleOptions wall;
    wall.surface = make_box(extent);
    for (Vector3d& x : wall.surface.positions) x += centre;
    builder.add(make_obstacle(fmt::format("wall{}", walls++), std::move(wall)));
  };
  constexpr double thick = 0.2;
  add_wall({wide + 2 * thick, thick, wide + 2 * thick}, {wide / 2, -thick / 2, wide / 2});
  for (const double x : {-thick / 2, wide + thick / 2}) {
    add_wall({thick, high, wide}, {x, high / 2, wide / 2});
    add_wall({wide, high, thick}, {wide / 2, high / 2, x});
  }
  return {builder.build(), options_of_worlds(), 0.005};
}

GrowingWorld world_of(const GrowthFamily& family, int size)
{
  const std::string_view name = family.name;
  if (name == "falling-cloth")  // by vertices, all of them
    return of_scene("falling-cloth", {fmt::format("/vertices={}", std::lround(std::sqrt(size)))});
  if (name == "letters") return of_scene("letters", {fmt::format("/count={}", size)});
  if (name == "arch") return arch_of(size);
  if (name == "boxes") return heap_of(size);
  throw Error(fmt::format("bench growth: no family is called \"{}\"", name));
}

// B, of malloc.
double allocated()
{
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

}  // namespace

const std::vector<GrowthFamily>& growth_families()
{
  static const std::vector<GrowthFamily> families = {
      {"falling-cloth", "vertices", 1.2, {2500, 5041, 10000, 19881, 40000}, {400, 900}, 200, 200},
      {"letters", "letters", 1.15, {41, 82, 164}, {4, 8}, 34, 10},
      {"arch", "stones", 1.15, {51, 101, 201, 401}, {11, 21}, 40, 5},
      {"boxes", "boxes", 1.1, {100, 300, 1000, 3000}, {12, 24}, 160, 60},
  };
  return families;
}

GrowthRow measure_growth(const GrowthFamily& family, int size, int steps)
{
  GrowthRow row;
  row.family = family.name;
  row.size = size;
  row.steps = steps;
  const double before = allocated();
  const GrowingWorld growing = world_of(family, size);
  Stepper stepper(growing.world, growing.options);
  State state = growing.world.start();
  const CpuTimer timer;
  for (int k = 0; k < steps; ++k) {
    const StepReport& report = stepper.step(state, growing.dt).report;
    row.phases += report.seconds;
    row.contacts_max = std::max(row.contacts_max, report.contacts);
    row.unconverged += report.unconverged;
    row.cut_steps += report.cut_steps;
    row.residual_max = std::max(row.residual_max, report.residual);
  }
  row.seconds = timer.seconds();
  row.simulated = state.t;
  row.megabytes = (allocated() - before) / 1e6;
  return row;
}

int run_growth_bench(const BenchOptions& options)
{
  std::vector<GrowthRow> rows;
  for (const GrowthFamily& family : growth_families()) {
    for (const int size : options.quick ? family.quick_sizes : family.sizes) {
      if (!options.quiet) fmt::print(stderr, "bench growth: {} {}\n", size, family.unit);
      tbb::task_arena(1).execute([&] {
        rows.push_back(
            measure_growth(family, size, options.quick ? family.quick_steps : family.steps));
      });
    }
  }
  if (!options.json_file.empty()) write_text(options.json_file, growth_json(rows));
  if (!options.plot_file.empty()) write_text(options.plot_file, growth_plot(rows));
  fmt::print("{}", growth_table(rows));
  return exit_code(growth_claims(rows), options.quick);
}

}  // namespace tact
