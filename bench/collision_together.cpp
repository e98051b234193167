// The part of `tact bench collision` about what moves together: it should cost what it costs at
// rest.
#include <array>
#include <cmath>

#include <fmt/core.h>
#include <tbb/task_arena.h>
#include <Eigen/Geometry>

#include <bench/collision.hpp>
#include <bench/collision_scenes.hpp>
#include <bench/cpu_timer.hpp>
#include <bench/statistics.hpp>
#include <tact/collision/broad_phase.hpp>
#include <tact/sim/contact_finder.hpp>

namespace tact {
namespace {

constexpr double step = 5e-3;  // s
constexpr double askew = 0.5;  // rad: what lies along the axes has lucky boxes, also at rest

struct CommonMotion {
  double speed = 0.0;  // m/s
  double spin = 0.0;   // rad/s, about the middle of the scene
};

constexpr std::array motions = {CommonMotion{0.0, 0.0},  CommonMotion{5.0, 0.0},
                                CommonMotion{50.0, 0.0}, CommonMotion{0.0, 10.0},
                                CommonMotion{0.0, 50.0}, CommonMotion{50.0, 50.0}};

Vector3d middle_of(const std::vector<Vector3d>& points)
{
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& x : points) sum += x;
  return sum / static_cast<double>(points.size());
}

// Where all are in a frame: what is fixed stays, the rest swings and moves in common; over a ground
// without turning. `pose` is the frame of the common motion alone.
std::vector<Vector3d> positions(const DetectionScene& scene, const CommonMotion& motion, int frame,
                                int pose)
{
  const double time = step * pose;
  const Vector3d way = motion.speed * time * Vector3d(0.8, 0.0, 0.6);
  const Matrix3d turn = Eigen::AngleAxisd(askew + motion.spin * time, Vector3d(2.0, 3.0, 6.0) / 7.0)
                            .toRotationMatrix();
  const bool over_ground = scene.surfaces.surfaces().back().options.fixed;
  const Vector3d middle = middle_of(scene.rest);
  std::vector<Vector3d> x = scene.positions(frame);
  for (const Surface& surface : scene.surfaces.surfaces()) {
    if (surface.options.fixed) continue;
    for (int i = surface.vertices.first; i < surface.vertices.last; ++i)
      x[i] = way + (over_ground ? x[i] : Vector3d(middle + turn * (x[i] - middle)));
  }
  return x;
}

// One look after the other, each at a later time.
struct Looks {
  BroadPhase trees;
  std::vector<double> ms = {}, pairs = {};

  void look(const std::vector<Vector3d>& x0, const std::vector<Vector3d>& x1, double tolerance)
  {
    const std::vector<MovingVertex> vertices = moving_vertices(x0, x1);
    const CpuTimer timer;
    const FeaturePairs& found = trees.find_pairs(vertices, tolerance);
    ms.push_back(1e3 * timer.seconds());
    pairs.push_back(static_cast<double>(found.size()));
  }
};

TogetherRow measure_motion(const DetectionScene& scene, const CommonMotion& motion, int frames)
{
  TogetherRow row{.scene = scene.name,
                  .speed = motion.speed,
                  .spin = motion.spin,
                  .triangles = scene.surfaces.triangle_count()};
  Looks moving{BroadPhase(scene.surfaces)}, standing{BroadPhase(scene.surfaces)};
  ContactFinder finder(scene.surfaces, {.reach = scene.tolerance});
  double steps = 0.0;
  for (int frame = 0; frame <= frames; ++frame) {
    const std::vector<Vector3d> x0 = positions(scene, motion, frame, frame);
    const std::vector<Vector3d> x1 = positions(scene, motion, frame + 1, frame + 1);
    moving.look(x0, x1, scene.tolerance);
    standing.look(x0, positions(scene, motion, frame + 1, frame), scene.tolerance);
    const CpuTimer timer;
    finder.expect(x0, x1);
    if (frame > 0) steps += 1e3 * timer.seconds();  // the first makes the first list
  }
  row.pairs = static_cast<long>(median(moving.pairs));
  row.pairs_at_rest = static_cast<long>(median(standing.pairs));
  row.look_ms = median(moving.ms);
  row.look_at_rest_ms = median(standing.ms);
  row.step_ms = steps / frames;
  row.looks = finder.looks();
  return row;
}

}  // namespace

std::vector<TogetherRow> measure_together(const BenchOptions& options)
{
  const std::vector<DetectionScene> scenes = {flying_spheres(options.quick ? 2 : 4, false),
                                              flying_spheres(options.quick ? 2 : 4, true),
                                              square_cloth(options.quick ? 5000 : 35000)};
  std::vector<TogetherRow> rows;
  for (const DetectionScene& scene : scenes) {
    const bool over_ground = scene.surfaces.surfaces().back().options.fixed;
    for (const CommonMotion& motion : motions) {
      if (over_ground && motion.spin != 0.0) continue;  // it would hit the ground
      if (!options.quiet)
        fmt::print(stderr, "bench collision: {} at {} m/s and {} rad/s\n", scene.name, motion.speed,
                   motion.spin);
      tbb::task_arena(1).execute(
          [&] { rows.push_back(measure_motion(scene, motion, options.quick ? 3 : 9)); });
    }
  }
  return rows;
}

}  // namespace tact
