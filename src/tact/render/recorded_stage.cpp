#include <tact/render/recorded_stage.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tact/geometry/aabb.hpp>

namespace tact {
namespace {

constexpr int frames_looked_at = 60;

// An obstacle counts for the camera and casts shadows up to this many times the size of what moves.
constexpr double largest_obstacle = 4.0;

// A slab is ground when it is at most this thick, as part of its lesser width.
constexpr double ground_thickness = 0.25;

// Squares of the ground: about so many along the largest side of what is seen.
constexpr double squares_across = 6.0;

struct Look {
  double hue, saturation, value;
  double hue_spread, value_spread;  // from body to body
  double crease_angle;              // degrees
  float gloss;
};

Look look_of(const std::string& kind)
{
  if (kind == "cloth") return {0.02, 0.66, 0.80, 0.05, 0.06, 120.0, 0.0f};
  if (kind == "soft") return {0.105, 0.62, 0.88, 0.025, 0.06, 50.0, 0.05f};
  if (kind == "rigid") return {0.58, 0.52, 0.72, 0.06, 0.10, 40.0, 0.12f};
  return {0.58, 0.05, 0.74, 0.0, 0.05, 40.0, 0.04f};  // obstacles
}

// In [-1, 1], different for neighbours: multiples of the golden ratio spread evenly.
double variation(int number)
{
  const double turns = 0.618033988749895 * number;
  return 2.0 * (turns - std::floor(turns)) - 1.0;
}

Color color_of(const Look& look, int number)
{
  return from_hsv(look.hue + look.hue_spread * variation(number), look.saturation,
                  look.value + look.value_spread * variation(3 * number + 1));
}

bool is_closed(const RecordedBody& body)
{
  const SurfaceTopology topology = build_topology(body.vertex_count, body.triangles);
  for (int edge = 0; edge < topology.edge_triangles.size(); ++edge)
    if (topology.edge_triangles[edge].size() != 2) return false;
  return true;
}

// 1, 2 or 5 times a power of ten, next to `length` from below.
double round_length(double length)
{
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= length) return factor * power;
  return power;
}

std::vector<int> spread_frames(int count)
{
  const int looked_at = std::min(count, frames_looked_at);
  std::vector<int> frames;
  for (int i = 0; i < looked_at; ++i)
    frames.push_back(static_cast<int>(std::int64_t{i} * (count - 1) / std::max(1, looked_at - 1)));
  return frames;
}

}  // namespace

// Some frames, and what they say about the bodies.
struct RecordedStage::Survey {
  const std::vector<RecordedBody>& bodies;
  std::vector<std::vector<Vector3d>> frames;  // vertices
  std::vector<Aabb> boxes;                    // of the bodies over all these frames
  Aabb moving;                                // box of all that is no obstacle
  double size = 1.0;                          // m, its largest side

  explicit Survey(const Recording& recording) : bodies(recording.header().bodies)
  {
    for (const int k : spread_frames(recording.frame_count()))
      frames.push_back(recording.vertices(k));
    boxes.resize(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      for (const auto& frame : frames) boxes[k].add(bounding_box(part(frame, k)));
      if (bodies[k].kind != "obstacle") moving.add(boxes[k]);
    }
    if (moving.empty())
      for (const Aabb& box : boxes) moving.add(box);
    if (!moving.empty()) size = std::max(moving.extent().maxCoeff(), 1e-6);
  }

  std::span<const Vector3d> part(const std::vector<Vector3d>& frame, std::size_t body) const
  {
    return std::span(frame).subspan(bodies[body].first_vertex, bodies[body].vertex_count);
  }

  bool rests(std::size_t body) const
  {
    return std::ranges::all_of(frames, [&](const auto& frame) {
      return std::ranges::equal(part(frame, body), part(frames.front(), body));
    });
  }

  // Not so large an obstacle that the rest would be lost before it.
  bool matters(std::size_t body) const
  {
    return bodies[body].kind != "obstacle" ||
           boxes[body].extent().maxCoeff() <= largest_obstacle * size;
  }

  // A slab that lies still under everything that moves.
  bool is_ground(std::size_t body) const
  {
    const Aabb& box = boxes[body];
    if (bodies[body].kind != "obstacle" || box.empty() || moving.empty()) return false;
    const Vector3d extent = box.extent();
    return extent.y() <= ground_thickness * std::min(extent.x(), extent.z()) &&
           box.low.x() <= moving.low.x() && box.high.x() >= moving.high.x() &&
           box.low.z() <= moving.low.z() && box.high.z() >= moving.high.z() &&
           box.high.y() <= moving.centre().y() && rests(body);
  }
};

RecordedStage::RecordedStage(const Recording& recording, double aspect) : recording_(recording)
{
  const Survey survey(recording);
  find_ground(survey);
  place_camera(survey, aspect);
  dress_bodies(survey);
}

// The highest of the slabs that lie under everything; where there is none, a floor at the lowest
// point that is seen.
void RecordedStage::find_ground(const Survey& survey)
{
  Aabb seen;
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < survey.bodies.size(); ++k) {
    hidden_.push_back(survey.is_ground(k));
    if (hidden_[k])
      top = std::max(top, survey.boxes[k].high.y());
    else if (survey.matters(k))
      seen.add(survey.boxes[k]);
  }
  if (seen.empty()) seen = box_of(Vector3d(-1, 0, -1), Vector3d(1, 1, 1));
  ground_.height = std::isfinite(top) ? top : seen.low.y();
  ground_.centre = seen.centre();
  ground_.radius = std::max(1.2 * seen.extent().norm(), 1e-3);
  ground_.square = round_length(std::max(seen.extent().maxCoeff(), 1e-3) / squares_across);
}

void RecordedStage::place_camera(const Survey& survey, double aspect)
{
  CameraFit fit(aspect);
  for (std::size_t k = 0; k < survey.bodies.size(); ++k)
    if (!hidden_[k] && survey.matters(k))
      for (const auto& frame : survey.frames)
        for (const Vector3d& vertex : survey.part(frame, k)) fit.add(vertex);
  camera_ = fit.camera();
}

void RecordedStage::dress_bodies(const Survey& survey)
{
  for (std::size_t k = 0; k < survey.bodies.size(); ++k) {
    const RecordedBody& body = survey.bodies[k];
    const Look look = look_of(body.kind);
    RenderMesh mesh;
    mesh.triangles = body.triangles;
    mesh.color = color_of(look, static_cast<int>(k));
    mesh.crease_angle = look.crease_angle;
    mesh.gloss = look.gloss;
    mesh.two_sided = !is_closed(body);
    mesh.casts_shadow = survey.matters(k);
    meshes_.push_back(mesh);
  }
}

RenderScene RecordedStage::scene(int k, std::span<const Vector3d> vertices) const
{
  const RecordingHeader& header = recording_.header();
  RenderScene scene;
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    if (hidden_[i]) continue;
    scene.meshes.push_back(meshes_[i]);
    scene.meshes.back().vertices =
        vertices.subspan(header.bodies[i].first_vertex, header.bodies[i].vertex_count);
  }
  scene.ground = ground_;
  scene.caption = fmt::format("{}   t = {:.3f} s   squares {:g} m", header.scene,
                              recording_.times()[k], ground_.square);
  return scene;
}

std::vector<int> film_frames(std::span<const double> times, double fps, double speed)
{
  std::vector<int> frames;
  if (times.empty()) return frames;
  const double duration = (times.back() - times.front()) / speed;
  const auto pictures = static_cast<int>(std::floor(duration * fps + 1e-9)) + 1;
  std::size_t at = 0;
  for (int i = 0; i < pictures; ++i) {
    const double t = times.front() + speed * i / fps;
    while (at + 1 < times.size() && std::abs(times[at + 1] - t) <= std::abs(times[at] - t)) ++at;
    frames.push_back(static_cast<int>(at));
  }
  return frames;
}

}  // namespace tact
