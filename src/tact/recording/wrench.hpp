// What contacts do to bodies, added up: net force and torque between every two bodies of a frame.
#pragma once

#include <vector>

#include <tact/recording/recording.hpp>

namespace tact {

struct Wrench {
  Vector3d force = Vector3d::Zero();   // N
  Vector3d torque = Vector3d::Zero();  // N m

  Wrench& operator+=(const Wrench& other);
};
Wrench operator*(double factor, const Wrench& wrench);

// What all contacts with `partner` do to `body`. Forces are means over the step: impulse / dt.
struct BodyWrench {
  int body = 0;
  int partner = -1;                   // -1: the world
  Vector3d about = Vector3d::Zero();  // m: centre_of(body), what the torque is about
  Wrench wrench = {};
};

// By body, then by partner; every touching pair stands there twice, once from each side. Contacts
// of a body with itself add up to nothing and are left out.
std::vector<BodyWrench> net_wrenches(const RecordingHeader& header, const Frame& frame);

// What a joint does to one of its bodies.
struct JointWrench {
  int joint = 0;
  // What of it is along or about the motion of the joint: N or N m.
  double motor = 0.0, friction = 0.0, limit = 0.0;
  BodyWrench on = {};
};

// Joint by joint, side a and side b; the world has none.
std::vector<JointWrench> joint_wrenches(const RecordingHeader& header, const Frame& frame);

// The centre of mass of a body, m; of an obstacle the mean of its vertices.
Vector3d centre_of(const RecordedBody& body, const Frame& frame);

}  // namespace tact
