// The contact law, one contact at a time.
//
//   0 <= u_n  perp  lambda_n >= 0
//   lambda_T in lambda_n mu S, and u_T . (s - lambda_T) >= 0 for all s in it  (maximal dissipation)
//
// where S is the unit disc (Coulomb), or the square [-1, 1]^2 along the two tangents: the 4-sided
// pyramid of [Otaduy09] Sec. 3.4 with both signs allowed.
#pragma once

#include <algorithm>
#include <cmath>

#include <tact/core/types.hpp>

namespace tact {

enum class FrictionLaw { disc, pyramid };

// mu |u_T| in the norm dual to S: what De Saxce adds to u_n so that the law becomes
// K* contains u^ = u + (shift, 0, 0), u^ . lambda = 0, lambda in K.
inline double de_saxce_shift(const Vector3d& u, double mu, FrictionLaw law)
{
  if (mu == 0.0) return 0.0;
  return mu * (law == FrictionLaw::disc ? std::sqrt(u[1] * u[1] + u[2] * u[2])
                                        : std::abs(u[1]) + std::abs(u[2]));
}

// The point of K nearest to z.
Vector3d project_on_cone(const Vector3d& z, double mu, FrictionLaw law);

// w |lambda - P_K(lambda - u^ / w)|, m/s: zero exactly where the law holds. w > 0 is the contact's
// response to its own impulse, 1/kg.
double natural_map(const Vector3d& u, const Vector3d& lambda, double mu, double w, FrictionLaw law);

// How far lambda lies outside of K: the largest of -lambda_n and |lambda_T| - mu lambda_n, N s.
double cone_violation(const Vector3d& lambda, double mu, FrictionLaw law);

// The tangents cut to a bound.
inline Vector3d clamp_tangents(const Vector3d& z, double bound, FrictionLaw law)
{
  if (law == FrictionLaw::pyramid) {
    return {z[0], std::clamp(z[1], -bound, bound), std::clamp(z[2], -bound, bound)};
  }
  const double squared = z[1] * z[1] + z[2] * z[2];
  const double scale = squared > bound * bound ? bound / std::sqrt(squared) : 1.0;
  return {z[0], scale * z[1], scale * z[2]};
}

// lambda_n stays where it is >= 0, and lambda_T is cut to what it allows: not the nearest point of
// K, but what a step of Gauss-Seidel wants.
inline Vector3d clamp_to_cone(const Vector3d& z, double mu, FrictionLaw law)
{
  const double n = std::max(0.0, z[0]);
  return clamp_tangents({n, z[1], z[2]}, mu * n, law);
}

// d clamp_to_cone(y) / d y where y_n > 0: that of the branch that y is in, sticking or sliding.
Matrix3d clamp_derivative(const Vector3d& y, double mu, FrictionLaw law);

}  // namespace tact
