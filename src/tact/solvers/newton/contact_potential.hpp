// A contact's part of the convex function that VelocityNewton lets fall, with the bound of friction held.
#pragma once

#include <tact/contact/friction_law.hpp>

namespace tact {

// Its gradient is y with a normal part >= 0 and tangents cut to `bound`: what clamp_to_cone gives where
// the bound is mu y_n.
double contact_potential(const Vector3d& y, double bound, FrictionLaw law);

// Its second derivative, of the branch that y is in; symmetric, since the bound is held.
Matrix3d contact_curvature(const Vector3d& y, double bound, FrictionLaw law);

}  // namespace tact
