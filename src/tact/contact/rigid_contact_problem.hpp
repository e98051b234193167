// One frictional contact problem between rigid bodies: plain data, no pointers back into a scene.
//
//   A (v - v*) = J' lambda + B' beta        momentum; A block diagonal, one 6 x 6 block a body
//   u = J v + bias, contact law (u, lambda) per contact, three rows each: normal, two tangents
//   B v + bias = 0                           bilateral rows: joints, fixed points, motors
//
// Normal: 0 <= u_n perp lambda_n >= 0. Friction: |lambda_T| <= mu lambda_n, opposite to u_T where
// it slips. Solvers that need a pyramid expand the tangents themselves (friction_pyramid.hpp).
#pragma once

#include <vector>

#include <tact/core/types.hpp>

namespace tact {

inline constexpr int fixed_body = -1;  // the body index of what does not move

// Three rows of J. Twists are (linear velocity m/s, angular velocity rad/s) in world axes.
struct RigidContactRows {
  int body_a = 0;
  int body_b = fixed_body;
  Matrix36d J_a = Matrix36d::Zero();  // relative velocity of a against b in the contact frame
  Matrix36d J_b = Matrix36d::Zero();  // zero when body_b is the world
  Vector3d bias = Vector3d::Zero();  // m/s: (gap / dt, 0, 0) less the velocity of a moving obstacle
  double mu = 0.0;
  double restitution = 0.0;  // Newton's coefficient, 0 to 1
  double approach = 0.0;     // m/s: u_n at the start of the step; bounces where negative

  // Newton: u_n after >= -restitution x u_n before, written as a bias.
  Vector3d effective_bias() const
  {
    return bias + Vector3d(approach < 0.0 ? restitution * approach : 0.0, 0.0, 0.0);
  }
};

// One row that holds as an equation, with an impulse of any sign.
struct BilateralRow {
  int body_a = 0;
  int body_b = fixed_body;
  RowVector6d J_a = RowVector6d::Zero();
  RowVector6d J_b = RowVector6d::Zero();
  double bias = 0.0;  // m/s
};

struct RigidContactProblem {
  std::vector<Matrix6d> A;  // kg, kg m^2: one symmetric positive definite block a body
  VectorXd v_star;          // 6 a body: the velocity without contact
  std::vector<RigidContactRows> contacts;
  std::vector<BilateralRow> bilateral;

  int bodies() const { return static_cast<int>(A.size()); }
  int size() const { return static_cast<int>(contacts.size()); }
};

struct RigidContactSolution {
  VectorXd v;       // 6 a body
  VectorXd lambda;  // N s: 3 a contact (normal, two tangents)
  VectorXd beta;    // N s: 1 a bilateral row
};

// Throws Error for sizes that do not fit, non-finite numbers, bodies that do not exist, blocks that
// are not symmetric positive definite, negative mu, restitution outside [0, 1].
void validate(const RigidContactProblem& problem);

// u = J v + effective bias, three entries a contact.
VectorXd contact_velocities(const RigidContactProblem& problem, const VectorXd& v);

// J' lambda + B' beta, six entries a body.
VectorXd generalised_impulse(const RigidContactProblem& problem,
                             const RigidContactSolution& solution);

}  // namespace tact
