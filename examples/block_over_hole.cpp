// block_over_hole FILE.svg STEP
// A block that slides over a hole should keep its height at every speed. How far it leaves it, from
// 0.8 to 1.35 m/s by STEP (m/s), by each way to treat sharp corners, for steps of 5, 10 and 20 ms
// and for a hole with a straight and with a slanted far side. [Egan03] fig. 1
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <fmt/core.h>

#include <tact/core/error.hpp>
#include <tact/files/svg_chart.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

namespace {

constexpr std::array<const char*, 4> methods = {"none", "sum", "max", "selection"};
constexpr std::array<double, 3> steps = {0.005, 0.01, 0.02};  // s
constexpr double slowest = 0.8, fastest = 1.35;               // m/s
constexpr double least = 1e-4;                                // mm: what is less is drawn there

// m: the most that the block's centre is above or below its height at the start.
double off_its_height(const char* method, double dt, double slant, double speed)
{
  const tact::Scene scene = tact::build_scene(tact::read_scene(
      "block-over-hole",
      {fmt::format("/nonconvex={}", method), fmt::format("/dt={:g}", dt),
       fmt::format("/slant={:g}", slant), fmt::format("/speed={:g}", speed), "/time=0.8"}));
  const int height = scene.world.place(scene.world.find("block")).q + 1;
  tact::State state = scene.state;
  tact::Stepper stepper(scene.world, tact::step_options(scene.run));
  const double start = state.q[height];
  double most = 0.0;
  for (std::int64_t k = 0; k < scene.run.steps(); ++k) {
    (void)stepper.step(state, scene.run.dt);
    most = std::max(most, std::abs(state.q[height] - start));
  }
  return most;
}

tact::Chart chart_of(double dt, double slant, double by)
{
  tact::Chart chart{.title = fmt::format("steps of {:g} ms, {} far side", 1e3 * dt,
                                         slant == 0.0 ? "straight" : "slanted"),
                    .x_label = "speed, m/s",
                    .y_label = "off its height, mm",
                    .y_axis = tact::Axis::logarithmic,
                    .series = {}};
  const int count = static_cast<int>(std::lround((fastest - slowest) / by));
  fmt::print("{}: most off, mm, and speeds with more than 0.05 mm, of {}:", chart.title, count + 1);
  for (const char* method : methods) {
    tact::Series series{.label = method, .points = {}};
    double worst = 0.0;
    int off = 0;
    for (int i = 0; i <= count; ++i) {
      const double speed = slowest + i * by;
      const double mm = 1e3 * off_its_height(method, dt, slant, speed);
      worst = std::max(worst, mm);
      off += mm > 0.05 ? 1 : 0;
      series.points.emplace_back(speed, std::max(mm, least));
    }
    fmt::print(" {} {:.4f} {}", method, worst, off);
    chart.series.push_back(std::move(series));
  }
  fmt::print("\n");
  return chart;
}

}  // namespace

int main(int argc, char** argv)
{
  const double by = argc == 3 ? std::atof(argv[2]) : 0.0;
  if (!(by > 0.0)) {
    fmt::print(stderr, "usage: block_over_hole FILE.svg STEP\n");
    return 2;
  }
  try {
    std::vector<tact::Chart> charts;
    for (const double slant : {0.0, 1.0})
      for (const double dt : steps) charts.push_back(chart_of(dt, slant, by));
    tact::write_text(argv[1], tact::to_svg(charts, 3));
    return 0;
  } catch (const tact::Error& error) {
    fmt::print(stderr, "block_over_hole: {}\n", error.what());
    return 2;
  }
}
