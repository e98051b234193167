// Problems with unions of half-spaces that tests share.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/Geometry>

#include <tact/contact/rigid_bodies.hpp>
#include <tact/contact/side_groups.hpp>
#include <tact/core/random.hpp>

namespace tact {

struct HalfSpace {
  Vector3d normal = Vector3d::UnitX();  // unit, into the allowed side
  double gap_rate = 0.0;                // m/s: gap / time step
  double mu = 0.0;
};

// Adds the contact of a body's point, `arm` m from its centre, with a half-space of the world.
inline void add_half_space(ContactProblem& problem, int body, const HalfSpace& half_space,
                           const Vector3d& arm = Vector3d::Zero())
{
  const Vector3d& n = half_space.normal;
  const Vector3d t = n.unitOrthogonal();
  Matrix3d frame;
  frame << n, t, n.cross(t);
  Matrix3d cross;
  cross << 0.0, -arm.z(), arm.y(), arm.z(), 0.0, -arm.x(), -arm.y(), arm.x(), 0.0;
  BodyRows<3> pair{.body_a = body};
  pair.J_a << frame.transpose(), -frame.transpose() * cross;
  add_contact(problem, pair, {.bias = {half_space.gap_rate, 0.0, 0.0}, .mu = half_space.mu});
}

// A body whose turning plays no part: contacts act at its centre.
inline void add_point_mass(ContactProblem& problem, double mass, const Vector3d& velocity)
{
  Matrix6d A = Matrix6d::Identity();
  A.topLeftCorner<3, 3>() *= mass;
  Vector6d v_star;
  v_star << velocity, Vector3d::Zero();
  add_rigid_body(problem, A, v_star);
}

// A point mass and the union of some half-spaces.
inline ContactProblem point_and_union(const Vector3d& velocity,
                                      const std::vector<HalfSpace>& half_spaces, double mass = 1.0)
{
  ContactProblem made;
  add_point_mass(made, mass, velocity);
  std::vector<int> sides;
  for (const HalfSpace& half_space : half_spaces) {
    sides.push_back(made.size());
    add_half_space(made, 0, half_space);
  }
  made.groups.add(sides);
  return made;
}

inline Vector3d random_direction(int dimension, Random& random)
{
  if (dimension == 2) {
    const double angle = random.uniform(0.0, 2.0 * std::numbers::pi);
    return {std::cos(angle), std::sin(angle), 0.0};
  }
  Vector3d direction;
  do direction = random.in_cube(1.0);
  while (direction.norm() < 0.1 || direction.norm() > 1.0);
  return direction.normalized();
}

}  // namespace tact
