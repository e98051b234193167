// Builds contact problems from rigid bodies and contact points: the way from geometry to A, v*, J.
#pragma once

#include <tact/contact/rigid_bodies.hpp>

namespace tact {

struct RigidBodySpec {
  double mass = 1.0;                             // kg
  Matrix3d inertia = Matrix3d::Identity();       // kg m^2, about the centre, world axes
  Vector3d centre = Vector3d::Zero();            // m
  Vector3d velocity = Vector3d::Zero();          // m/s, before the step
  Vector3d angular_velocity = Vector3d::Zero();  // rad/s
  Vector3d impulse = Vector3d::Zero();           // N s: external force x step
  Vector3d angular_impulse = Vector3d::Zero();   // N m s
};

struct ContactPointSpec {
  int body_a = 0;
  int body_b = fixed_body;
  Vector3d point = Vector3d::Zero();    // m
  Vector3d normal = Vector3d::UnitZ();  // unit, from b to a
  double mu = 0.0;
  double gap_rate = 0.0;                          // m/s: gap / step
  Vector3d obstacle_velocity = Vector3d::Zero();  // m/s of the world's surface at the point
};

class RigidContactBuilder {
 public:
  int add_body(const RigidBodySpec& body);
  void add_contact(const ContactPointSpec& contact);
  // The point of body a stays at the point of body b (or of the world): three bilateral rows.
  void add_ball_joint(int body_a, int body_b, const Vector3d& point);

  ContactProblem build() const { return problem_; }

 private:
  Matrix36d point_velocity(int body, const Vector3d& point) const;

  ContactProblem problem_;
  std::vector<Vector3d> centres_;
};

Matrix3d box_inertia(double mass, const Vector3d& size);               // about its centre
Matrix3d cylinder_inertia(double mass, double radius, double length);  // axis z
Matrix3d ball_inertia(double mass, double radius);

// Any unit vector at right angles to n, the same for the same n.
Vector3d tangent_of(const Vector3d& n);

}  // namespace tact
