#include <tact/bodies/obstacle.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include <tact/bodies/body_input.hpp>

namespace tact {
namespace {

// Between two entries of a list of times: entry + fraction, exactly on the entry at its own time.
struct Moment {
  std::size_t entry = 0;
  double fraction = 0.0;  // in [0, 1); 0 before the first and from the last entry on
};

Moment find_moment(std::span<const double> times, double t)
{
  const auto after = std::upper_bound(times.begin(), times.end(), t);
  if (after == times.begin()) return {};
  const auto entry = static_cast<std::size_t>(after - times.begin()) - 1;
  if (after == times.end()) return {entry, 0.0};
  return {entry, (t - times[entry]) / (*after - times[entry])};
}

struct ObstaclePose {
  Vector3d origin = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();

  Vector3d operator*(const Vector3d& x) const { return origin + R * x; }
};

ObstaclePose pose_at(std::span<const Keyframe> motion, const Moment& now)
{
  if (motion.empty()) return {};
  const Keyframe& a = motion[now.entry];
  if (now.fraction == 0.0) return {a.position, a.orientation.toRotationMatrix()};
  const Keyframe& b = motion[now.entry + 1];
  return {a.position + now.fraction * (b.position - a.position),
          a.orientation.slerp(now.fraction, b.orientation).normalized().toRotationMatrix()};
}

// The surface at time t in the obstacle's own axes.
class Shape {
 public:
  Shape(const ObstacleOptions& options, double t) : start_(options.surface.positions)
  {
    const VertexCache& cache = options.cache;
    if (cache.times.empty()) return;
    const Moment now = find_moment(cache.times, t);
    start_ = cache.vertices[now.entry];
    fraction_ = now.fraction;
    if (fraction_ > 0.0) end_ = cache.vertices[now.entry + 1];
  }

  Vector3d operator[](std::size_t i) const
  {
    if (fraction_ == 0.0) return start_[i];
    return start_[i] + fraction_ * (end_[i] - start_[i]);
  }

 private:
  std::span<const Vector3d> start_, end_;
  double fraction_ = 0.0;
};

std::vector<double> times_of(std::span<const Keyframe> motion)
{
  std::vector<double> times;
  for (const Keyframe& keyframe : motion) times.push_back(keyframe.t);
  return times;
}

class Obstacle final : public Body {
 public:
  Obstacle(std::string name, ObstacleOptions options)
      : Body(std::move(name)), options_(std::move(options)), times_(times_of(options_.motion))
  {
  }

  BodyKind kind() const override { return BodyKind::obstacle; }
  bool deforms() const override { return !options_.cache.times.empty(); }
  int q_size() const override { return 0; }
  int node_count() const override { return 0; }
  void start(Segment, Segment) const override {}

  int vertex_count() const override { return options_.surface.vertex_count(); }
  std::span<const Triangle> triangles() const override { return options_.surface.triangles; }

  void place_surface(double t, ConstSegment, std::span<Vector3d> vertices) const override
  {
    const ObstaclePose pose = pose_at(options_.motion, find_moment(times_, t));
    const Shape shape(options_, t);
    for (std::size_t i = 0; i < vertices.size(); ++i) vertices[i] = pose * shape[i];
  }

  Vector3d position(double t, ConstSegment, const BodyPoint& point) const override
  {
    const ObstaclePose pose = pose_at(options_.motion, find_moment(times_, t));
    return pose * (point.vertex >= 0 ? Shape(options_, t)[point.vertex] : point.local);
  }

  std::optional<Eigen::Isometry3d> pose(double t, const ConstSegment&) const override
  {
    if (deforms()) return std::nullopt;
    const ObstaclePose pose = pose_at(options_.motion, find_moment(times_, t));
    Eigen::Isometry3d axes = Eigen::Isometry3d::Identity();
    axes.linear() = pose.R;
    axes.translation() = pose.origin;
    return axes;
  }

  PointMap map(ConstSegment, const BodyPoint&) const override { return {}; }

  void add_couples(int, std::vector<std::array<int, 2>>&) const override {}
  void bind(const BlockPattern&, int) override {}
  void linearise(const StepInput&, ConstSegment, ConstSegment, BodyWorkspace*, BlockMatrix&,
                 Segment) const override
  {
  }
  void forces(const StepInput&, ConstSegment, ConstSegment, BodyWorkspace*, Segment) const override
  {
  }
  void lump(const StepInput&, ConstSegment, ConstSegment, BodyWorkspace*, std::span<Matrix3d>,
            Segment) const override
  {
  }
  void advance(const StepInput&, ConstSegment, ConstSegment, ConstSegment, Segment,
               Segment) const override
  {
  }

  double mass() const override { return 0.0; }
  std::vector<double> node_masses() const override { return {}; }
  Vector3d centre_of_mass(ConstSegment) const override { return Vector3d::Zero(); }
  double kinetic_energy(ConstSegment, ConstSegment) const override { return 0.0; }
  double elastic_energy(ConstSegment) const override { return 0.0; }
  Momentum momentum(ConstSegment, ConstSegment) const override { return {}; }
  bool is_isolated() const override { return false; }  // it is held

 private:
  ObstacleOptions options_;
  std::vector<double> times_;  // of the keyframes
};

void require_ascending(const BodyInput& input, std::string_view what, std::span<const double> times)
{
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k]))
      input.complain(
          fmt::format("{} {}: its time is {} s, expected a finite number", what, k, times[k]));
    if (k > 0 && !(times[k] > times[k - 1]))
      input.complain(fmt::format("{} {}: its time is {} s, expected one after the {} s before it",
                                 what, k, times[k], times[k - 1]));
  }
}

void require_cache(const BodyInput& input, const VertexCache& cache, int vertex_count)
{
  if (cache.vertices.size() != cache.times.size())
    input.complain(
        fmt::format("the cache has {} times and {} lists of vertices, expected one list "
                    "a time",
                    cache.times.size(), cache.vertices.size()));
  require_ascending(input, "cache entry", cache.times);
  for (std::size_t k = 0; k < cache.vertices.size(); ++k) {
    if (static_cast<int>(cache.vertices[k].size()) != vertex_count)
      input.complain(
          fmt::format("cache entry {}: found {} vertices, expected the {} of the surface", k,
                      cache.vertices[k].size(), vertex_count));
    for (const Vector3d& x : cache.vertices[k])
      input.finite(fmt::format("cache entry {}: a vertex", k), x, "m");
  }
}

}  // namespace

std::unique_ptr<Body> make_obstacle(std::string name, ObstacleOptions options)
{
  const BodyInput input(BodyKind::obstacle, name);
  input.surface(options.surface);
  require_ascending(input, "keyframe", times_of(options.motion));
  for (std::size_t k = 0; k < options.motion.size(); ++k) {
    Keyframe& keyframe = options.motion[k];
    input.finite(fmt::format("keyframe {}: position", k), keyframe.position, "m");
    keyframe.orientation =
        input.unit(fmt::format("keyframe {}: orientation", k), keyframe.orientation);
  }
  require_cache(input, options.cache, options.surface.vertex_count());
  return std::make_unique<Obstacle>(std::move(name), std::move(options));
}

}  // namespace tact
