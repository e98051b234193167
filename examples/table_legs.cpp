// The legs of a soft table on a slope near the angle of friction: they slide in turns.
//
//   table_legs FILE.svg SCENE ANGLE SECONDS
//
// SCENE is table-incline or a file that is made of it; ANGLE is in degrees: a mu of 0.3 holds what
// is rigid up to 16.699.
#include <array>
#include <cstdlib>
#include <numbers>

#include <fmt/core.h>
#include <Eigen/Geometry>

#include <tact/core/error.hpp>
#include <tact/files/svg_chart.hpp>
#include <tact/files/text_file.hpp>
#include <tact/scene/scene_file.hpp>
#include <tact/setup/scene_builder.hpp>
#include <tact/setup/step_options.hpp>

namespace {

using tact::Vector3d;
using PerLeg = std::array<double, 4>;
constexpr std::array<const char*, 4> leg_names = {"upper left", "upper right", "lower left",
                                                  "lower right"};

class Legs {
 public:
  Legs(const tact::World& world, const tact::State& start, double angle)
      : world_(world),
        table_(world.find("table")),
        to_slope_(Eigen::AngleAxisd(-angle * std::numbers::pi / 180.0, Vector3d::UnitZ()))
  {
    const std::vector<Vector3d> x = places(start);
    Vector3d middle = Vector3d::Zero();
    double low = x[0].y();
    for (const Vector3d& p : x) {
      middle += p / static_cast<double>(x.size());
      low = std::min(low, p.y());
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i].y() > low + 1e-6) continue;
      const int lower = x[i].x() < middle.x() ? 2 : 0;
      feet_[lower + (x[i].z() > middle.z() ? 1 : 0)].push_back(static_cast<int>(i));
    }
    start_ = down(start);
  }

  // m, down the slope since the start: the middle of each foot.
  PerLeg slid(const tact::State& state) const
  {
    PerLeg now = down(state);
    for (int k = 0; k < 4; ++k) now[k] -= start_[k];
    return now;
  }

 private:
  std::vector<Vector3d> places(const tact::State& state) const  // x up the slope, y out of it
  {
    std::vector<Vector3d> x(world_.body(table_).vertex_count());
    world_.body(table_).place_surface(state.t, world_.q(state, table_), x);
    for (Vector3d& p : x) p = to_slope_ * p;
    return x;
  }

  PerLeg down(const tact::State& state) const
  {
    const std::vector<Vector3d> x = places(state);
    PerLeg sums{};
    for (int k = 0; k < 4; ++k)
      for (const int i : feet_[k]) sums[k] -= x[i].x() / static_cast<double>(feet_[k].size());
    return sums;
  }

  const tact::World& world_;
  int table_;
  Eigen::Quaterniond to_slope_;
  std::array<std::vector<int>, 4> feet_;
  PerLeg start_{};
};

void simulate(const char* file, const std::string& name, const std::string& angle,
              const std::string& seconds)
{
  const tact::Scene scene =
      tact::build_scene(tact::read_scene(name, {"/angle=" + angle, "/time=" + seconds}));
  tact::State state = scene.state;
  tact::Stepper stepper = tact::make_stepper(scene);
  const Legs legs(scene.world, state, std::atof(angle.c_str()));
  tact::Chart chart{.title = "the legs of a table at " + angle + " degrees",
                    .x_label = "time, s",
                    .y_label = "way of the legs, mm",
                    .series = {}};
  for (const char* leg : leg_names) chart.series.push_back({.label = leg, .points = {}});

  constexpr double standing = 1e-3;  // m/s: a foot that is slower stands
  std::array<int, 16> steps{};       // with these legs sliding, one bit each
  int in_the_air = 0, moving = 0;    // steps in which nothing touches; until it rests for good
  PerLeg last = legs.slid(state);
  for (int k = 0; k < scene.run.steps(); ++k) {
    (void)stepper.step(state, scene.run.dt);
    bool touches = false;
    for (Eigen::Index c = 0; c < stepper.last().solution.lambda.size(); c += 3)
      touches = touches || stepper.last().solution.lambda[c] > 0.0;
    if (!touches) ++in_the_air;
    const PerLeg now = legs.slid(state);
    unsigned sliding = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (k % 10 == 0) chart.series[i].points.emplace_back(state.t, 1e3 * now[i]);
      if (now[i] - last[i] > standing * scene.run.dt) sliding |= 1u << i;
    }
    ++steps[sliding];
    if (sliding != 0) moving = k + 1;
    last = now;
  }
  fmt::print("{} degrees, {} s: the legs slid by", angle, seconds);
  for (const double way : last) fmt::print(" {:.2f}", 1e3 * way);
  fmt::print(" mm\nsteps with only the upper legs sliding {}, only the lower {}, all {}, none {}\n",
             steps[1] + steps[2] + steps[3], steps[4] + steps[8] + steps[12], steps[15], steps[0]);
  fmt::print("steps in the air {}, until it rests for good {}\n", in_the_air, moving);
  tact::write_text(file, tact::to_svg({chart}, 1));
}

}  // namespace

int main(int argc, char** argv)
{
  if (argc != 5) {
    fmt::print(stderr, "usage: table_legs FILE.svg SCENE ANGLE SECONDS\n");
    return 2;
  }
  try {
    simulate(argv[1], argv[2], argv[3], argv[4]);
    return 0;
  } catch (const tact::Error& error) {
    fmt::print(stderr, "table_legs: {}\n", error.what());
    return 2;
  }
}
