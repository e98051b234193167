// Where every body is, how it is turned and how it moves, as one table: poses.csv, a line per frame
// and body. A rigid body has its own centre of mass and axes; a mesh the centre of its masses, the
// rotation that carries its start onto it as well as any does, and the angular velocity of its
// angular momentum; an obstacle the centroid and the rotation of its vertices, and no velocities,
// which are not recorded.
#include <optional>

#include <tact/geometry/rigid_fit.hpp>
#include <tact/recording/atomic_file.hpp>
#include <tact/recording/csv_text.hpp>
#include <tact/recording/export_formats.hpp>

namespace tact {
namespace {

constexpr const char* pose_heading =
    "t,body,position_x,position_y,position_z,quaternion_x,quaternion_y,quaternion_z,quaternion_w,"
    "velocity_x,velocity_y,velocity_z,angular_velocity_x,angular_velocity_y,angular_velocity_z\n";

struct BodyPose {
  Vector3d place = Vector3d::Zero();  // m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  std::optional<Vector3d> velocity, spin;  // m/s, rad/s
};

BodyPose rigid_pose(const RecordedBody& body, const Frame& frame)
{
  const auto q = frame.q.segment<7>(body.q_first);
  const auto v = frame.v.segment<6>(body.v_first);
  return {q.head<3>(), Eigen::Quaterniond(q.tail<4>()), v.head<3>(), v.tail<3>()};
}

// Of the masses at the nodes of a mesh.
BodyPose mesh_pose(const RecordedBody& body, const Frame& start, const Frame& frame)
{
  const auto node = [&](const VectorXd& x, int first, std::size_t k) -> Vector3d {
    return x.segment<3>(first + 3 * static_cast<Eigen::Index>(k));
  };
  Vector3d from = Vector3d::Zero(), place = Vector3d::Zero(), velocity = Vector3d::Zero();
  for (std::size_t k = 0; k < body.masses.size(); ++k) {
    from += body.masses[k] * node(start.q, body.q_first, k);
    place += body.masses[k] * node(frame.q, body.q_first, k);
    velocity += body.masses[k] * node(frame.v, body.v_first, k);
  }
  const double mass = body.mass();
  from /= mass;
  place /= mass;
  velocity /= mass;
  Matrix3d turned = Matrix3d::Zero(), inertia = Matrix3d::Zero();
  Vector3d angular = Vector3d::Zero();
  for (std::size_t k = 0; k < body.masses.size(); ++k) {
    const Vector3d r = node(frame.q, body.q_first, k) - place;
    turned += body.masses[k] * (node(start.q, body.q_first, k) - from) * r.transpose();
    inertia += body.masses[k] * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
    angular += body.masses[k] * r.cross(node(frame.v, body.v_first, k));
  }
  return {place, best_rotation(turned), velocity, inertia.ldlt().solve(angular)};
}

BodyPose obstacle_pose(const RecordedBody& body, const Frame& start, const Frame& frame)
{
  const auto before = part(start.vertices, body);
  const Vector3d centre = centroid(before);
  std::vector<Vector3d> from(before.begin(), before.end());
  for (Vector3d& x : from) x -= centre;
  const RigidFit fit = fit_rigid(from, part(frame.vertices, body));
  return {fit.place, fit.rotation, {}, {}};
}

BodyPose pose_of(const RecordedBody& body, const Frame& start, const Frame& frame)
{
  if (body.masses.empty()) return obstacle_pose(body, start, frame);
  return body.kind == "rigid" ? rigid_pose(body, frame) : mesh_pose(body, start, frame);
}

void append_velocity(std::string& text, const std::optional<Vector3d>& v, char end)
{
  if (v) return append_vector(text, *v, end);
  text += ",,";
  text += end;
}

}  // namespace

ExportedFiles export_poses(const ExportJob& job)
{
  const RecordingHeader& header = job.recording.header();
  const BodyNames name(header);
  make_folder(job.folder);
  const ExportedFiles paths{job.folder / "poses.csv"};
  AtomicFile table(paths[0]);
  table.write(pose_heading);
  const Frame start = job.recording.frame(0);
  std::vector<Eigen::Quaterniond> last(header.bodies.size(), Eigen::Quaterniond::Identity());
  for (const int k : job.frames) {
    job.begin_frame(k);
    const Frame frame = job.recording.frame(k);
    std::string lines;
    for (std::size_t i = 0; i < header.bodies.size(); ++i) {
      BodyPose pose = pose_of(header.bodies[i], start, frame);
      // q and -q are one rotation: the sign that a curve over time does not jump with.
      if (pose.rotation.dot(last[i]) < 0.0) pose.rotation.coeffs() *= -1.0;
      last[i] = pose.rotation;
      lines += csv_time(job.recording.times()[k]) + ',' + name(static_cast<int>(i)) + ',';
      append_vector(lines, pose.place, ',');
      append_vector(lines, pose.rotation.vec(), ',');
      fmt::format_to(std::back_inserter(lines), "{},", pose.rotation.w());
      append_velocity(lines, pose.velocity, ',');
      append_velocity(lines, pose.spin, '\n');
    }
    table.write(lines);
  }
  table.commit();
  return paths;
}

}  // namespace tact
