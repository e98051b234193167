// Mass, centre, momenta and inertia of some matter: whole bodies or single nodes of meshes.
#pragma once

#include <span>
#include <vector>

#include <tact/sim/world.hpp>

namespace tact {

class MatterSum {
 public:
  // Sums are kept about a place near the matter, so that they lose no digits far from the origin.
  explicit MatterSum(const Vector3d& about) : about_(about) {}

  void add_point(double mass, const Vector3d& x, const Vector3d& v);
  // A body that keeps its shape, or with its node masses one that does not.
  void add_body(const Body& body, ConstSegment q, ConstSegment v,
                std::span<const double> node_masses);

  double mass() const { return mass_; }
  Vector3d centre() const { return about_ + first_ / mass_; }
  Vector3d linear() const { return linear_; }    // N s
  Vector3d angular(const Vector3d& about) const  // N m s
  {
    return angular_ - (about - about_).cross(linear_);
  }
  Matrix3d inertia() const;  // kg m^2, about the centre
  // The rigid motion of this mass and inertia with given momenta, the angular one about the centre.
  RigidMotion motion(const Vector3d& linear, const Vector3d& angular) const;
  RigidMotion motion() const { return motion(linear_, angular(centre())); }

 private:
  Vector3d about_;
  double mass_ = 0.0;
  Vector3d first_ = Vector3d::Zero();  // sum m (x - about)
  Vector3d linear_ = Vector3d::Zero(), angular_ = Vector3d::Zero();
  Matrix3d second_ = Matrix3d::Zero();  // inertia about `about`
};

// In world axes, about its own centre, of a body that keeps its shape.
Matrix3d inertia_of(const Body& body, const ConstSegment& q);

}  // namespace tact
