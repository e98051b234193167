#include <tact/geometry/ideal_masses.hpp>

#include <numbers>

namespace tact {
namespace {

using std::numbers::pi;

MassProperties centred(double mass, const Vector3d& moments)
{
  return {.mass = mass, .centre = Vector3d::Zero(), .inertia = moments.asDiagonal()};
}

}  // namespace

MassProperties box_mass(const Vector3d& size)
{
  const double m = size.prod();
  const Vector3d squares = size.cwiseAbs2();
  return centred(m, m / 12.0 * (Vector3d::Constant(squares.sum()) - squares));
}

MassProperties sphere_mass(double radius)
{
  const double m = 4.0 / 3.0 * pi * radius * radius * radius;
  return centred(m, Vector3d::Constant(0.4 * m * radius * radius));
}

MassProperties cylinder_mass(double radius, double height)
{
  const double m = pi * radius * radius * height;
  const double along = 0.5 * m * radius * radius;
  const double across = m / 12.0 * (3.0 * radius * radius + height * height);
  return centred(m, {across, along, across});
}

// A cylinder and two half spheres, whose centres of mass are 3/8 r beyond its ends:
//   I_across = I_cylinder + m_s (2/5 r^2 + h^2/4 + 3/8 h r)
MassProperties capsule_mass(double radius, double height)
{
  const MassProperties middle = cylinder_mass(radius, height);
  const MassProperties ends = sphere_mass(radius);
  const double shift = height * (0.25 * height + 0.375 * radius);
  return centred(middle.mass + ends.mass, middle.inertia.diagonal() + ends.inertia.diagonal() +
                                              ends.mass * Vector3d(shift, 0.0, shift));
}

}  // namespace tact
