// The contact law of one contact that answers to its own impulse by S, u = u_0 + S lambda: its
// solution, and how that follows u_0.
#pragma once

#include <Eigen/LU>

#include <tact/contact/friction_law.hpp>
#include <tact/contact/tangent_response.hpp>
#include <tact/core/types.hpp>

namespace tact {

// 1 / S_nn and twice 1 / |S_TT|: steps with which relaxation converges.
inline Vector3d relaxation_steps(const Matrix3d& S)
{
  const double largest = largest_tangent_response(S);
  return {1.0 / S(0, 0), 1.0 / largest, 1.0 / largest};
}

// lambda with the contact law (u_0 + S lambda, lambda), from a first guess, by relaxation: normal,
// then tangents. One pass is exact where S is diagonal with equal tangents; otherwise each pass gains
// a factor of about the squared ratio of its entries off the diagonal. S(0, 0) > 0.
inline Vector3d solve_locally(const Vector3d& u_0, const Matrix3d& S, Vector3d lambda, double mu,
                              FrictionLaw law)
{
  constexpr int most_passes = 30;
  constexpr double accuracy = 1e-13;
  const Vector3d step = relaxation_steps(S);
  for (int pass = 0; pass < most_passes; ++pass) {
    const Vector3d before = lambda;
    Vector3d u = u_0 + S * lambda;
    lambda[0] = std::max(0.0, lambda[0] - u[0] * step[0]);
    if (mu == 0.0) return {std::max(0.0, -u_0[0] * step[0]), 0.0, 0.0};
    u += S.col(0) * (lambda[0] - before[0]);
    lambda = clamp_tangents({lambda[0], lambda[1] - u[1] * step[1], lambda[2] - u[2] * step[2]},
                            mu * lambda[0], law);
    if ((lambda - before).squaredNorm() <= accuracy * accuracy * lambda.squaredNorm()) break;
  }
  return lambda;
}

// What a small change of u_0 does: d lambda = misfit - H du_0, by the derivative of the branch that
// y = lambda - step u is in. misfit: 0 where the law holds. Both 0 where y is open.
struct LocalDerivative {
  Matrix3d H = Matrix3d::Zero();
  Vector3d misfit = Vector3d::Zero();
};
inline LocalDerivative differentiate_locally(const Vector3d& u, const Matrix3d& S,
                                             const Vector3d& lambda, double mu, FrictionLaw law)
{
  const Vector3d step = relaxation_steps(S);
  const Vector3d y = lambda - step.cwiseProduct(u);
  LocalDerivative local;
  if (y[0] <= 0.0) return local;
  if (mu == 0.0) {
    local.H(0, 0) = step[0];
    local.misfit[0] = -step[0] * u[0];
    return local;
  }
  const Matrix3d C = clamp_derivative(y, mu, law);
  const Matrix3d stepped = C * step.asDiagonal();
  const Matrix3d inverse = (Matrix3d::Identity() - C + stepped * S).inverse();
  local.H = inverse * stepped;
  local.misfit = inverse * (clamp_to_cone(y, mu, law) - lambda);
  return local;
}

}  // namespace tact
