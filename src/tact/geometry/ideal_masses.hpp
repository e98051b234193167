// Mass properties of ideal shapes at 1 kg/m^3, centred on the origin, with y as their axis.
// Lengths in m.
#pragma once

#include <tact/geometry/mass_properties.hpp>

namespace tact {

MassProperties box_mass(const Vector3d& size);
MassProperties sphere_mass(double radius);
MassProperties capsule_mass(double radius, double height);
MassProperties cylinder_mass(double radius, double height);

}  // namespace tact
