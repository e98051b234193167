// The friction cone K_mu in 2 or 3 dimensions, one contact at a time.
#pragma once

#include <cmath>

#include <tact/core/types.hpp>

namespace tact {

template <int D>
using ContactVector = Eigen::Matrix<double, D, 1>;  // normal first
template <int D>
using ContactMatrix = Eigen::Matrix<double, D, D>;
template <int D>
using TangentVector = Eigen::Matrix<double, D - 1, 1>;

// The entries of one contact in a vector of all.
template <int D>
inline auto part(VectorXd& all, int contact)
{
  return all.segment<D>(D * contact);
}
template <int D>
inline auto part(const VectorXd& all, int contact)
{
  return all.segment<D>(D * contact);
}

// The point of K_mu nearest to z.
template <int D>
inline ContactVector<D> nearest_in_cone(const ContactVector<D>& z, double mu)
{
  const double s = z.template tail<D - 1>().norm();
  if (s <= mu * z[0]) return z;
  if (z[0] <= -mu * s) return ContactVector<D>::Zero();
  const double n = (z[0] + mu * s) / (1.0 + mu * mu);
  ContactVector<D> nearest;
  nearest[0] = n;
  nearest.template tail<D - 1>() = (mu * n / s) * z.template tail<D - 1>();
  return nearest;
}

// u + (mu |u_T|, 0): De Saxce's shift, which makes the law a cone complementarity.
template <int D>
inline ContactVector<D> shifted(const ContactVector<D>& u, double mu)
{
  ContactVector<D> moved = u;
  moved[0] += mu * u.template tail<D - 1>().norm();
  return moved;
}

// lambda - P_K(lambda - u^ / w): zero exactly where the law holds; w > 0 is a weight, 1/kg.
template <int D>
inline ContactVector<D> natural_map(const ContactVector<D>& lambda, const ContactVector<D>& u,
                                    double mu, double w = 1.0)
{
  return lambda - nearest_in_cone<D>(lambda - shifted<D>(u, mu) / w, mu);
}

}  // namespace tact
