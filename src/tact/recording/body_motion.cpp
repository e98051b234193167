#include <tact/recording/body_motion.hpp>

#include <algorithm>

#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

constexpr double rigid_tolerance = 1e-5;  // of the body's radius

// Gathers what is needed for each way of moving, and decides at the end.
class MotionReader {
 public:
  MotionReader(const RecordedBody& body, std::span<const Vector3d> first)
      : may_be_rigid_(body.kind == "rigid" || body.kind == "obstacle"),
        first_(first.begin(), first.end())
  {
    motion_.place = centroid(first);
    for (const Vector3d& p : first) motion_.shape.push_back(p - motion_.place);
    for (const Vector3d& p : motion_.shape) radius_ = std::max(radius_, p.norm());
  }

  void add(std::span<const Vector3d> now)
  {
    moves_ = moves_ || !std::equal(now.begin(), now.end(), first_.begin());
    if (may_be_rigid_) add_pose(now);
    add_displacement(now);
  }

  BodyMotion finish()
  {
    if (!moves_)
      motion_.kind = BodyMotion::Kind::still;
    else
      motion_.kind = may_be_rigid_ ? BodyMotion::Kind::rigid : BodyMotion::Kind::deforming;
    return std::move(motion_);
  }

 private:
  void add_pose(std::span<const Vector3d> now)
  {
    RigidFit pose = fit_rigid(motion_.shape, now);
    may_be_rigid_ = pose.error <= rigid_tolerance * radius_;
    // q and -q turn alike, but what lies between two keys depends on the sign.
    if (!motion_.poses.empty() && pose.rotation.dot(motion_.poses.back().rotation) < 0.0)
      pose.rotation.coeffs() *= -1.0;
    motion_.poses.push_back(pose);
  }

  void add_displacement(std::span<const Vector3d> now)
  {
    FloatBox box;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Point3f d = displacement(first_[i], now[i]);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.low[axis] = i == 0 ? d[axis] : std::min(box.low[axis], d[axis]);
        box.high[axis] = i == 0 ? d[axis] : std::max(box.high[axis], d[axis]);
      }
    }
    motion_.displacement.push_back(box);
  }

  bool may_be_rigid_;
  bool moves_ = false;
  double radius_ = 0.0;  // m
  std::vector<Vector3d> first_;
  BodyMotion motion_;
};

}  // namespace

Point3f to_float(const Vector3d& point)
{
  return {static_cast<float>(point[0]), static_cast<float>(point[1]), static_cast<float>(point[2])};
}

Point3f displacement(const Vector3d& from, const Vector3d& to)
{
  return to_float(to - from);
}

std::vector<BodyMotion> read_motions(const ExportJob& job)
{
  const std::vector<RecordedBody>& bodies = job.recording.header().bodies;
  std::vector<MotionReader> readers;
  for (const int k : job.frames) {
    job.begin_frame(k);
    const std::vector<Vector3d> vertices = job.recording.vertices(k);
    if (readers.empty())
      for (const RecordedBody& body : bodies) readers.emplace_back(body, part(vertices, body));
    for (std::size_t i = 0; i < bodies.size(); ++i) readers[i].add(part(vertices, bodies[i]));
  }
  std::vector<BodyMotion> motions;
  for (MotionReader& reader : readers) motions.push_back(reader.finish());
  return motions;
}

}  // namespace tact
