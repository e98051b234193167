#include <tact/recording/wrench.hpp>

#include <array>
#include <map>

#include <Eigen/Geometry>

namespace tact {
namespace {

// A contact joins two points a little apart: this is the one on b.
Vector3d point_on_b(const RecordedContact& contact, const RecordedBody& b,
                    const std::vector<Vector3d>& vertices)
{
  if (contact.vertices[0] < 0) return contact.point;
  Vector3d point = Vector3d::Zero();
  for (int i = 0; i < 4 && contact.vertices[i] >= 0; ++i) {
    const int local = contact.vertices[i] - b.first_vertex;
    if (local >= 0 && local < b.vertex_count)
      point -= contact.weights[i] * vertices[contact.vertices[i]];
  }
  return point;
}

}  // namespace

Wrench& Wrench::operator+=(const Wrench& other)
{
  force += other.force;
  torque += other.torque;
  return *this;
}

Wrench operator*(double factor, const Wrench& wrench)
{
  return {factor * wrench.force, factor * wrench.torque};
}

Vector3d centre_of(const RecordedBody& body, const Frame& frame)
{
  if (body.kind == "rigid") return frame.q.segment<3>(body.q_first);
  if (body.masses.empty()) {
    Vector3d sum = Vector3d::Zero();
    for (int k = 0; k < body.vertex_count; ++k) sum += frame.vertices[body.first_vertex + k];
    return sum / body.vertex_count;
  }
  return linear_momentum(body.masses, frame.q.segment(body.q_first, body.q_size)) / body.mass();
}

std::vector<JointWrench> joint_wrenches(const RecordingHeader& header, const Frame& frame)
{
  std::vector<JointWrench> result;
  for (std::size_t j = 0; j < frame.joints.size() && frame.dt > 0.0; ++j) {
    const RecordedJoint& joint = header.joints[j];
    const RecordedReaction& reaction = frame.joints[j];
    const auto add = [&](int body, int partner, double share) {
      if (body < 0) return;
      const Vector3d about = centre_of(header.bodies[body], frame);
      const Vector3d force = share * reaction.force;
      const Vector3d torque = share * reaction.torque + (reaction.point - about).cross(force);
      result.push_back({.joint = static_cast<int>(j),
                        .motor = share * reaction.motor,
                        .friction = share * reaction.friction,
                        .limit = share * reaction.limit,
                        .on = {body, partner, about, {force, torque}}});
    };
    add(joint.body_a, joint.body_b, -1.0 / frame.dt);
    add(joint.body_b, joint.body_a, 1.0 / frame.dt);
  }
  return result;
}

std::vector<BodyWrench> net_wrenches(const RecordingHeader& header, const Frame& frame)
{
  std::vector<BodyWrench> result;
  if (frame.contacts.empty()) return result;
  std::vector<Vector3d> centres;
  for (const RecordedBody& body : header.bodies) centres.push_back(centre_of(body, frame));

  std::map<std::array<int, 2>, Wrench> sums;  // body, partner
  const auto add = [&](int body, int partner, const Vector3d& point, const Vector3d& force) {
    if (body >= 0) sums[{body, partner}] += {force, (point - centres[body]).cross(force)};
  };
  for (const RecordedContact& contact : frame.contacts) {
    if (contact.body_a == contact.body_b) continue;
    const Vector3d force = contact.impulse() / frame.dt;
    add(contact.body_a, contact.body_b, contact.point, force);
    if (contact.body_b >= 0)
      add(contact.body_b, contact.body_a,
          point_on_b(contact, header.bodies[contact.body_b], frame.vertices), -force);
  }
  for (const auto& [pair, wrench] : sums)
    result.push_back({pair[0], pair[1], centres[pair[0]], wrench});
  return result;
}

}  // namespace tact
