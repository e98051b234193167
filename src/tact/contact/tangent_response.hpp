// How a contact answers to friction.
#pragma once

#include <cmath>

#include <tact/core/types.hpp>

namespace tact {

// The largest eigenvalue of w_TT, the tangential part of a contact's response w (1/kg). w is symmetric but
// for round-off: the product of its entries beside the diagonal may be negative where these are all but 0,
// so their mean is squared instead.
inline double largest_tangent_response(const Matrix3d& w)
{
  const double half_difference = 0.5 * (w(1, 1) - w(2, 2)), across = 0.5 * (w(1, 2) + w(2, 1));
  return 0.5 * (w(1, 1) + w(2, 2)) + std::sqrt(half_difference * half_difference + across * across);
}

}  // namespace tact
