// The dress: a bodice and a skirt of flounced layers on a scripted mannequin.
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include <tact/samples/cloth_scenes.hpp>
#include <tact/samples/mannequin.hpp>
#include <tact/samples/scene_parts.hpp>

namespace tact {
namespace {

using std::numbers::pi;

constexpr double sampling = 0.005;        // s between keyframes: straight pieces too short to see
constexpr double bone_sampling = 0.02;    // s between entries of the vertex cache
constexpr double seconds = 10.0;          // of the dance
constexpr double area_density = 0.2;      // kg/m^2
constexpr double mannequin_cell = 0.013;  // m

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

// The thigh, positive is forward. Legs take turns in stepping; the right one (1) kicks.
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

// The knee of a leg that steps bends, and so does that of the kick before it is stretched.
double knee_bend(int leg, double t)
{
  double bend = 0.0;
  for (int i = 0; i < step_count; ++i) {
    const double start = first_step + i * step_seconds;
    if (i % 2 == leg)
      bend += degrees(30.0) * std::sin(pi * smooth_step(t, start, start + step_seconds));
  }
  if (leg == 1) bend += degrees(25.0) * std::sin(pi * smooth_step(t, 4.0, 4.35));
  return bend;
}

MannequinPose pose_of(const Dress& dress, double t)
{
  MannequinPose pose;
  const double walk = 2.0 * pi * (t - first_step) / (2.0 * step_seconds);
  const double walks = smooth_step(t, 0.0, first_step + 0.5) -
                       smooth_step(t, first_step + step_count * step_seconds - 0.5, 4.0);
  const double turns = smooth_step(t, turn_start - 0.5, turn_start) -
                       smooth_step(t, turn_start + dress.turn, turn_start + dress.turn + 1.0);
  for (int side = 0; side < 2; ++side) {
    pose.hip[side] = leg_swing(dress, side, t);
    pose.knee[side] = knee_bend(side, t);
    pose.shoulder[side] = degrees(6.0) * walks * std::sin(walk + pi * side) + degrees(20.0) * turns;
  }
  return pose;
}

// As a whole it moves by keyframes, its bones move its vertices.
BodyDescription dancer(const Dress& dress)
{
  const Mannequin mannequin(mannequin_cell);
  ObstacleOptions options{.surface = mannequin.surface()};
  for (int i = 0; i <= std::lround(seconds / sampling); ++i) {
    const Eigen::Isometry3d pose = body_pose(dress, i * sampling);
    options.motion.push_back({i * sampling, pose.translation(), Eigen::Quaterniond(pose.linear())});
  }
  for (int i = 0; i <= std::lround(seconds / bone_sampling); ++i) {
    options.cache.times.push_back(i * bone_sampling);
    options.cache.vertices.push_back(mannequin.posed(pose_of(dress, i * bone_sampling)));
  }
  return {"mannequin", std::move(options), {}};
}

// ---- The cloth ----------------------------------------------------------------------------------

using Distance = double (*)(const Vector3d&);

// The place at this height and angle about the y axis that is `clearance` from the body or, where
// that is further out, at the radius given.
Vector3d around_body(double angle, double y, double radius, double clearance, Distance distance)
{
  constexpr double step = 0.0005;  // m
  const auto at = [&](double r) { return Vector3d(r * std::cos(angle), y, r * std::sin(angle)); };
  while (distance(at(radius)) < clearance) radius += step;
  return at(radius);
}

// A tube of cloth. Vertex (i, j): i around, j down or up from the waist, where it is pinned.
class Tube {
 public:
  Tube(const Dress& dress, int around, int rows, const std::function<Vector3d(int, int)>& position)
      : dress_(dress), around_(around), rows_(rows)
  {
    for (int j = 0; j < rows_; ++j)
      for (int i = 0; i < around_; ++i) cloth_.surface.positions.push_back(position(i, j));
    for (int j = 0; j + 1 < rows_; ++j)
      for (int i = 0; i < around_; ++i) add_square(i, j);
    for (int j = 0; j < rows_; ++j)
      for (int i = 0; i < around_; ++i) add_springs(i, j);
    cloth_.area_density = area_density;
  }

  // Adds it to the scene, pinned to body 0, whose axes are the world's at the start.
  void add_to(SceneDescription& scene, std::string name) const
  {
    const int body = static_cast<int>(scene.bodies.size());
    for (int i = 0; i < around_; ++i) {
      const int v = vertex(i, 0);
      const Pin pin{{.body = body, .point = {.vertex = v}},
                    {.body = 0, .point = {.local = cloth_.surface.positions[v]}}};
      scene.pins.push_back({pin, {}});
    }
    scene.bodies.push_back({std::move(name), cloth_, {}});
  }

 private:
  int vertex(int i, int j) const { return j * around_ + (i + around_) % around_; }

  // Diagonals alternate.
  void add_square(int i, int j)
  {
    std::vector<Triangle>& triangles = cloth_.surface.triangles;
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

  void add_springs(int i, int j)
  {
    const auto add = [&](int to_i, int to_j, double stiffness) {
      if (to_j >= rows_) return;
      const int a = vertex(i, j), b = vertex(to_i, to_j);
      const auto& p = cloth_.surface.positions;
      cloth_.springs.push_back({a, b, stiffness, (p[a] - p[b]).norm()});
    };
    add(i + 1, j, dress_.stretch);
    add(i, j + 1, dress_.stretch);
    add(i + 1, j + 1, 0.5 * dress_.stretch);
    add(i - 1, j + 1, 0.5 * dress_.stretch);
    add(i + 2, j, dress_.bend);
    add(i, j + 2, dress_.bend);
  }

  const Dress& dress_;
  int around_, rows_;
  ClothOptions cloth_;
};

// Follows the body up to under the arms, with triangles of the size of the skirt's.
Tube bodice(const Dress& dress)
{
  constexpr double bottom = 0.008, top = 0.168;  // m
  const int around = (dress.around + 1) / 2;
  const double spacing = 2.0 * pi * 0.09 / around;
  const int rows = std::max(3, 1 + static_cast<int>(std::lround((top - bottom) / spacing)));
  return {dress, around, rows, [&dress, around, rows](int i, int j) {
            const double y = bottom + (top - bottom) * j / (rows - 1);
            // Chords of the tube come nearer to the body than its vertices.
            const double sagitta = 0.11 * (1.0 - std::cos(pi / around));
            return around_body(2.0 * pi * i / around, y, 0.0, dress.separation + 2.0 * sagitta,
                               &Mannequin::distance_without_arms);
          }};
}

// Layer by layer a little shorter and further out. Its flounces are waves that grow to the hem.
Tube flounced_layer(const Dress& dress, int layer)
{
  // Waves and flare bring layers nearer to each other than they are apart around the waist.
  constexpr double spread = 1.6;
  const double clearance = (1.0 + spread * layer) * dress.separation;
  const double length = dress.length * (1.0 - 0.07 * layer);
  const double descent = 1.0 / std::hypot(1.0, dress.flare);  // m down for each m along the cloth
  return {dress, dress.around, dress.down, [=, &dress](int i, int j) {
            constexpr double shift = 0.013;  // rad a layer, so that vertices do not line up
            const double angle = 2.0 * pi * i / dress.around + shift * layer;
            const double along = length * j / (dress.down - 1);
            const Vector3d waist =
                around_body(angle, 0.0, 0.0, clearance, &Mannequin::distance_without_arms);
            const double wave = dress.ruffle * along / dress.length * std::cos(dress.waves * angle);
            const double radius =
                std::hypot(waist.x(), waist.z()) + descent * dress.flare * along + wave;
            return around_body(angle, -descent * along, radius, clearance,
                               &Mannequin::distance_without_arms);
          }};
}

}  // namespace

SceneDescription dress(const Dress& options)
{
  SceneDescription scene;
  scene.run = {.dt = 0.002, .time = seconds};
  scene.run.contact.delta = 0.5 * options.separation;
  scene.run.record.every = 5;
  scene.bodies.push_back(dancer(options));
  bodice(options).add_to(scene, "bodice");
  for (int layer = 0; layer < options.layers; ++layer)
    flounced_layer(options, layer).add_to(scene, fmt::format("layer-{}", layer));
  return scene;
}

}  // namespace tact
