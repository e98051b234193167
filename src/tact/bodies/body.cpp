#include <tact/bodies/body.hpp>

#include <Eigen/Geometry>

namespace tact {

const char* name_of(BodyKind kind)
{
  switch (kind) {
    case BodyKind::rigid: return "rigid";
    case BodyKind::cloth: return "cloth";
    case BodyKind::soft: return "soft";
    case BodyKind::obstacle: return "obstacle";
  }
  return "unknown";
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as in the whole interface
double Body::given_work(const StepInput&, ConstSegment, ConstSegment) const
{
  return 0.0;
}

void lump_mass_points(std::span<const double> masses, double dt, ConstSegment v,
                      std::span<Matrix3d> M, Segment b)
{
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(3 * i);
    M[i] = masses[i] * Matrix3d::Identity();
    b.segment<3>(k) = masses[i] * v.segment<3>(k) + dt * b.segment<3>(k);
  }
}

void Body::add_rigid_motion(ConstSegment q, const RigidMotion& motion, Segment v) const
{
  for (Eigen::Index i = 0; i < v.size(); i += 3)
    v.segment<3>(i) +=
        motion.linear + motion.angular.cross(Vector3d(q.segment<3>(i) - motion.about));
}

}  // namespace tact
