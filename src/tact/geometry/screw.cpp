#include <tact/geometry/screw.hpp>

#include <cmath>

namespace tact {

Eigen::Isometry3d Screw::part(double share) const
{
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  motion.linear() = Eigen::AngleAxisd(share * angle, axis).toRotationMatrix();
  motion.translation() = about - motion.linear() * about + share * advance * axis;
  return motion;
}

// Across the axis, as complex numbers: (1 - exp(i angle)) p = d, so that
// p = d / 2 + i d / (2 tan(angle / 2)).
Screw screw_of(const Eigen::Isometry3d& D, const Vector3d& near)
{
  const Vector3d way = D * near - near;
  const Eigen::AngleAxisd turn(Eigen::Quaterniond(D.linear()));
  if (turn.angle() == 0.0) {
    const double length = way.norm();
    return {.axis = length > 0.0 ? Vector3d(way / length) : Vector3d::UnitZ(),
            .about = near,
            .advance = length};
  }
  Screw screw{.axis = turn.axis(), .angle = turn.angle(), .advance = turn.axis().dot(way)};
  const Vector3d across = way - screw.advance * screw.axis;
  screw.about = near + 0.5 * (across + screw.axis.cross(across) / std::tan(0.5 * screw.angle));
  return screw;
}

}  // namespace tact
