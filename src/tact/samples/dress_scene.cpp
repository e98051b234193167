// The dress: cones of cloth around a scripted dancer.
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <tact/geometry/shapes.hpp>
#include <tact/samples/cloth_scenes.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

using std::numbers::pi;

constexpr double sampling = 0.005;    // s between keyframes: straight pieces too short to see
constexpr double seconds = 10.0;      // of the dance
constexpr double slope = 0.95;        // descent per length along the skirt
constexpr double area_density = 0.2;  // kg/m^2

// The dancer, in m: hips as an ellipsoid, legs as capsules that swing about their upper ends. No
// two of them touch, whatever the legs do about the x axis.
const Vector3d hips_radii(0.11, 0.12, 0.09);
const Vector3d hips_centre(0.0, 0.04, 0.0);  // the waist is y = 0
constexpr double leg_radius = 0.045;
constexpr double leg_length = 0.55;
const std::array leg_pivots = {Vector3d(-0.065, -0.14, 0.0), Vector3d(0.065, -0.14, 0.0)};

// ---- The dance ----------------------------------------------------------------------------------

// 0 to 3.5 s: four steps forward. 4 to 5.5 s: a kick with the right leg. 6.5 s: the turn.
constexpr double step_seconds = 0.8, first_step = 0.3;
constexpr int step_count = 4;
constexpr double step_length = 0.15;  // m
constexpr double stride = 15.0;       // degrees
constexpr double turn_start = 6.5;    // s

double degrees(double angle)
{
  return angle * pi / 180.0;
}

Eigen::Isometry3d body_pose(const Dress& dress, double t)
{
  double forward = 0.0, sway = 0.0;
  for (int i = 0; i < step_count; ++i) {
    const double start = first_step + i * step_seconds;
    const double q = smooth_step(t, start, start + step_seconds);
    forward += step_length * q;
    sway += (i % 2 ? -0.02 : 0.02) * std::sin(pi * q);
  }
  const double turn = 2.0 * pi * smooth_step(t, turn_start, turn_start + dress.turn);
  return Eigen::Translation3d(sway, 0.0, forward) * Eigen::AngleAxisd(turn, Vector3d::UnitY());
}

// Positive is forward. Legs take turns in stepping; the right one (1) kicks.
double leg_swing(const Dress& dress, int leg, double t)
{
  double swing = 0.0;
  for (int i = 0; i < step_count; ++i) {
    const double start = first_step + i * step_seconds;
    const double q = smooth_step(t, start, start + step_seconds);
    swing += (i % 2 == leg ? 1.0 : -1.0) * degrees(stride) * std::sin(pi * q);
  }
  if (leg == 1)
    swing += degrees(dress.kick) * (smooth_step(t, 4.0, 4.35) - smooth_step(t, 4.7, 5.5));
  return swing;
}

template <class PoseAt>
std::vector<Keyframe> sampled(PoseAt pose_at)
{
  std::vector<Keyframe> frames;
  const int count = static_cast<int>(std::lround(seconds / sampling));
  for (int i = 0; i <= count; ++i) {
    const double t = i * sampling;
    const Eigen::Isometry3d pose = pose_at(t);
    frames.push_back({t, pose.translation(), Eigen::Quaterniond(pose.linear())});
  }
  return frames;
}

BodyDescription hips(const Dress& dress)
{
  TriMesh ellipsoid = make_icosphere(1.0, 4);
  for (Vector3d& p : ellipsoid.positions) p = p.cwiseProduct(hips_radii) + hips_centre;
  return moving_obstacle("hips", std::move(ellipsoid),
                         sampled([&](double t) { return body_pose(dress, t); }));
}

BodyDescription leg(const Dress& dress, int side)
{
  TriMesh capsule = make_capsule(leg_radius, leg_length, 32, 8);
  for (Vector3d& p : capsule.positions) p.y() -= 0.5 * leg_length;  // the upper end is the pivot
  const auto pose_at = [&](double t) -> Eigen::Isometry3d {
    // Turning about x by a negative angle moves what hangs down forward, along z.
    return body_pose(dress, t) * Eigen::Translation3d(leg_pivots[side]) *
           Eigen::AngleAxisd(-leg_swing(dress, side, t), Vector3d::UnitX());
  };
  return moving_obstacle(side ? "right-leg" : "left-leg", std::move(capsule), sampled(pose_at));
}

// ---- The skirt ----------------------------------------------------------------------------------

// Vertex (i, j) of a layer: i around, j down from the waist.
class Cone {
 public:
  Cone(const Dress& dress, int layer) : dress_(dress), layer_(layer) {}

  ClothOptions cloth() const
  {
    ClothOptions options;
    for (int j = 0; j < dress_.down; ++j)
      for (int i = 0; i < dress_.around; ++i) options.surface.positions.push_back(position(i, j));
    for (int j = 0; j + 1 < dress_.down; ++j)
      for (int i = 0; i < dress_.around; ++i) add_square(i, j, options.surface.triangles);
    for (int j = 0; j < dress_.down; ++j)
      for (int i = 0; i < dress_.around; ++i) add_springs(i, j, options);
    options.area_density = area_density;
    return options;
  }

  int vertex(int i, int j) const { return j * dress_.around + (i + dress_.around) % dress_.around; }

 private:
  Vector3d position(int i, int j) const
  {
    constexpr double shift = 0.013;  // rad from layer to layer, so that vertices do not line up
    const double angle = 2.0 * pi * i / dress_.around + shift * layer_;
    const double along = dress_.length * j / (dress_.down - 1);
    // Layers are `separation` apart across the cloth, which leans by atan(flare / slope).
    const double between = dress_.separation * std::hypot(slope, dress_.flare) / slope;
    const double radius = dress_.waist + between * layer_ + dress_.flare * along;
    return {radius * std::cos(angle), -slope * along, radius * std::sin(angle)};
  }

  // Diagonals alternate.
  void add_square(int i, int j, std::vector<Triangle>& triangles) const
  {
    const int a = vertex(i, j), b = vertex(i + 1, j), c = vertex(i + 1, j + 1),
              d = vertex(i, j + 1);
    if ((i + j) % 2) {
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    } else {
      triangles.push_back({a, b, d});
      triangles.push_back({b, c, d});
    }
  }

  void add_springs(int i, int j, ClothOptions& options) const
  {
    const auto add = [&](int to_i, int to_j, double stiffness) {
      if (to_j >= dress_.down) return;
      const int a = vertex(i, j), b = vertex(to_i, to_j);
      const auto& p = options.surface.positions;
      options.springs.push_back({a, b, stiffness, (p[a] - p[b]).norm()});
    };
    add(i + 1, j, dress_.stretch);
    add(i, j + 1, dress_.stretch);
    add(i + 1, j + 1, 0.5 * dress_.stretch);
    add(i - 1, j + 1, 0.5 * dress_.stretch);
    add(i + 2, j, dress_.bend);
    add(i, j + 2, dress_.bend);
  }

  const Dress& dress_;
  int layer_;
};

}  // namespace

SceneDescription dress(const Dress& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.002, .time = seconds};
  scene.run.contact.delta = 0.5 * options.separation;
  scene.run.record.every = 5;
  scene.bodies.push_back(hips(options));
  scene.bodies.push_back(leg(options, 0));
  scene.bodies.push_back(leg(options, 1));
  for (int layer = 0; layer < options.layers; ++layer) {
    const Cone cone(options, layer);
    ClothOptions cloth = cone.cloth();
    const int body = static_cast<int>(scene.bodies.size());
    for (int i = 0; i < options.around; ++i) {
      const int v = cone.vertex(i, 0);  // the hips' axes are the world's at the start
      const Pin pin{{.body = body, .point = {.vertex = v}},
                    {.body = 0, .point = {.local = cloth.surface.positions[v]}}};
      scene.pins.push_back({pin, {}});
    }
    scene.bodies.push_back({fmt::format("layer-{}", layer), std::move(cloth), {}});
  }
  return scene;
}

}  // namespace tact
