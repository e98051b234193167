// A body that keeps its shape. q = (centre of mass, unit quaternion x y z w), v = (linear, angular
// velocity), both in world axes.
//
// Spin. Angular momentum L is what a step changes, so it is kept exactly:
//   I_m w = L + h tau + impulses,   R_1 = exp(h w) R_0,   w_1 = I(R_1)^-1 I_m w
// with I_m an inertia in world axes half-way through the free motion, chosen so that a free body
// keeps L and its energy to round-off (midpoint_spin.hpp). I_m is symmetric positive definite and
// is the body's angular block of A. Drag adds to A, and couples the two nodes where the surface's
// centre is not the centre of mass.
#pragma once

#include <Eigen/Geometry>

#include <tact/bodies/body.hpp>
#include <tact/geometry/mass_properties.hpp>

namespace tact {

struct RigidOptions {
  TriMesh surface;                       // in the body's own axes
  MassProperties mass;                   // in the same axes; mass > 0
  Vector3d position = Vector3d::Zero();  // m: where the origin of those axes is put
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Vector3d velocity = Vector3d::Zero();          // m/s, of the centre of mass
  Vector3d angular_velocity = Vector3d::Zero();  // rad/s
  Vector3d force = Vector3d::Zero();             // N, constant, at the centre of mass
  double drag = 0.0;                             // N s/m^3: per area and velocity against the wind
};

// Throws Error unless mass and principal moments are positive and the quaternion is of unit length
// (to 1e-6; it is then normalised).
std::unique_ptr<Body> make_rigid_body(std::string name, RigidOptions options);

}  // namespace tact
