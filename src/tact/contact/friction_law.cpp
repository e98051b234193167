#include <tact/contact/friction_law.hpp>

#include <tact/contact/coulomb_cone.hpp>

namespace tact {
namespace {

// Given its height n, the nearest point clamps the tangents to [-mu n, mu n]. What is left is to
// minimise over n a piecewise quadratic function, whose pieces are told by the number of clamped
// tangents.
Vector3d project_on_square_cone(const Vector3d& z, double mu)
{
  const double longer = std::max(std::abs(z[1]), std::abs(z[2]));
  const double shorter = std::min(std::abs(z[1]), std::abs(z[2]));
  double n = z[0];
  if (longer > mu * n) n = (z[0] + mu * longer) / (1.0 + mu * mu);
  if (shorter > mu * n) n = (z[0] + mu * (longer + shorter)) / (1.0 + 2.0 * mu * mu);
  return clamp_to_cone({n, z[1], z[2]}, mu, FrictionLaw::pyramid);
}

}  // namespace

Vector3d project_on_cone(const Vector3d& z, double mu, FrictionLaw law)
{
  if (mu == 0.0) return {std::max(0.0, z[0]), 0.0, 0.0};
  return law == FrictionLaw::disc ? nearest_in_cone<3>(z, mu) : project_on_square_cone(z, mu);
}

double natural_map(const Vector3d& u, const Vector3d& lambda, double mu, double w, FrictionLaw law)
{
  const Vector3d shifted(u[0] + de_saxce_shift(u, mu, law), u[1], u[2]);
  // Scaled by w throughout: K is a cone, and a contact without response (w = 0) needs no case.
  return (w * lambda - project_on_cone(w * lambda - shifted, mu, law)).norm();
}

Matrix3d clamp_derivative(const Vector3d& y, double mu, FrictionLaw law)
{
  Matrix3d derivative = Matrix3d::Zero();
  derivative(0, 0) = 1.0;
  const double bound = mu * y[0];
  if (law == FrictionLaw::pyramid) {
    for (int k = 1; k < 3; ++k) {
      const bool sticks = std::abs(y[k]) <= bound;
      derivative(k, sticks ? k : 0) = sticks ? 1.0 : std::copysign(mu, y[k]);
    }
    return derivative;
  }
  const double length = std::sqrt(y[1] * y[1] + y[2] * y[2]);
  if (length <= bound) return Matrix3d::Identity();
  const Vector2d d(y[1] / length, y[2] / length);
  derivative.block<2, 1>(1, 0) = mu * d;
  derivative.block<2, 2>(1, 1) = bound / length * (Eigen::Matrix2d::Identity() - d * d.transpose());
  return derivative;
}

double cone_violation(const Vector3d& lambda, double mu, FrictionLaw law)
{
  const double tangent = law == FrictionLaw::disc
                             ? std::sqrt(lambda[1] * lambda[1] + lambda[2] * lambda[2])
                             : std::max(std::abs(lambda[1]), std::abs(lambda[2]));
  return std::max({0.0, -lambda[0], tangent - mu * lambda[0]});
}

}  // namespace tact
