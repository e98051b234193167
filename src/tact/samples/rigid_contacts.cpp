#include <tact/samples/rigid_contacts.hpp>

#include <cmath>

#include <Eigen/Geometry>

#include <tact/bodies/rotation.hpp>

namespace tact {

int RigidContactBuilder::add_body(const RigidBodySpec& body)
{
  Matrix6d A = Matrix6d::Zero();
  A.diagonal().head<3>().setConstant(body.mass);
  A.bottomRightCorner<3, 3>() = body.inertia;
  Vector6d v;
  v << body.velocity + body.impulse / body.mass,
      body.angular_velocity + body.inertia.inverse() * body.angular_impulse;
  add_rigid_body(problem_, A, v);
  centres_.push_back(body.centre);
  return problem_.components() - 1;
}

// Velocity of a point of the body: v + w x r = [I, -r x] twist.
Matrix36d RigidContactBuilder::point_velocity(int body, const Vector3d& point) const
{
  Matrix36d J;
  J << Matrix3d::Identity(), -cross_matrix(point - centres_[body]);
  return J;
}

void RigidContactBuilder::add_contact(const ContactPointSpec& contact)
{
  const Vector3d t_1 = tangent_of(contact.normal);
  Matrix3d frame;
  frame << contact.normal.transpose(), t_1.transpose(), contact.normal.cross(t_1).transpose();
  BodyRows<3> pair{.body_a = contact.body_a, .body_b = contact.body_b};
  pair.J_a = frame * point_velocity(contact.body_a, contact.point);
  if (contact.body_b != fixed_body)
    pair.J_b = -frame * point_velocity(contact.body_b, contact.point);
  ContactRows rows;
  rows.bias = Vector3d(contact.gap_rate, 0.0, 0.0) - frame * contact.obstacle_velocity;
  rows.mu = contact.mu;
  tact::add_contact(problem_, pair, rows);
}

void RigidContactBuilder::add_ball_joint(int body_a, int body_b, const Vector3d& point)
{
  const Matrix36d J_a = point_velocity(body_a, point);
  const Matrix36d J_b =
      body_b == fixed_body ? Matrix36d::Zero() : Matrix36d(-point_velocity(body_b, point));
  for (int k = 0; k < 3; ++k) {
    add_bilateral(problem_, {body_a, body_b, J_a.row(k), J_b.row(k)});
  }
}

Matrix3d box_inertia(double mass, const Vector3d& size)
{
  const Vector3d squares = size.cwiseAbs2();
  return (mass / 12.0 * (Vector3d::Constant(squares.sum()) - squares)).asDiagonal();
}

Matrix3d cylinder_inertia(double mass, double radius, double length)
{
  const double across = mass * (3.0 * radius * radius + length * length) / 12.0;
  return Vector3d(across, across, mass * radius * radius / 2.0).asDiagonal();
}

Matrix3d ball_inertia(double mass, double radius)
{
  return 0.4 * mass * radius * radius * Matrix3d::Identity();
}

Vector3d tangent_of(const Vector3d& n)
{
  const Vector3d axis = std::abs(n.x()) < 0.6 ? Vector3d::UnitX() : Vector3d::UnitY();
  return (axis - n * n.dot(axis)).normalized();
}

}  // namespace tact
