#include <tact/sim/matter_sum.hpp>

#include <Eigen/Dense>

namespace tact {
namespace {

Matrix3d point_inertia(double mass, const Vector3d& r)
{
  return mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

}  // namespace

Matrix3d inertia_of(const Body& body, const ConstSegment& q)
{
  Matrix3d inertia;
  for (int k = 0; k < 3; ++k) {
    VectorXd spin = VectorXd::Zero(body.v_size());
    spin[3 + k] = 1.0;
    inertia.col(k) = body.momentum(q, spin).angular;
  }
  return inertia;
}

void MatterSum::add_point(double mass, const Vector3d& x, const Vector3d& v)
{
  const Vector3d r = x - about_;
  mass_ += mass;
  first_ += mass * r;
  linear_ += mass * v;
  angular_ += mass * r.cross(v);
  second_ += point_inertia(mass, r);
}

void MatterSum::add_body(const Body& body, ConstSegment q, ConstSegment v,
                         std::span<const double> node_masses)
{
  if (body.deforms()) {
    for (std::size_t i = 0; i < node_masses.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(3 * i);
      add_point(node_masses[i], q.segment<3>(k), v.segment<3>(k));
    }
    return;
  }
  add_point(body.mass(), body.centre_of_mass(q), v.head<3>());
  const Matrix3d own = inertia_of(body, q);
  second_ += own;
  angular_ += own * v.tail<3>();
}

Matrix3d MatterSum::inertia() const
{
  return second_ - point_inertia(mass_, first_ / mass_);
}

RigidMotion MatterSum::motion(const Vector3d& linear, const Vector3d& angular) const
{
  RigidMotion motion{.linear = linear / mass_, .about = centre()};
  const Matrix3d I = inertia();
  // Matter on a line has no inertia about it, and no momentum either.
  const double least = 1e-12 * I.trace();
  if (least > 0.0) motion.angular = Matrix3d(I + least * Matrix3d::Identity()).llt().solve(angular);
  return motion;
}

}  // namespace tact
