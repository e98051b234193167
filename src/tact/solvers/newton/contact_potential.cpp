#include <tact/solvers/newton/contact_potential.hpp>

namespace tact {

double contact_potential(const Vector3d& y, double bound, FrictionLaw law)
{
  const auto cut = [&](double length) {  // Huber's function
    return length <= bound ? 0.5 * length * length : bound * (length - 0.5 * bound);
  };
  const double n = std::max(0.0, y[0]);
  const double tangential = law == FrictionLaw::disc ? cut(std::sqrt(y[1] * y[1] + y[2] * y[2]))
                                                     : cut(std::abs(y[1])) + cut(std::abs(y[2]));
  return 0.5 * n * n + tangential;
}

Matrix3d contact_curvature(const Vector3d& y, double bound, FrictionLaw law)
{
  Matrix3d H = Matrix3d::Zero();
  if (y[0] > 0.0) H(0, 0) = 1.0;
  if (law == FrictionLaw::pyramid) {
    for (int k = 1; k < 3; ++k) H(k, k) = std::abs(y[k]) < bound ? 1.0 : 0.0;
    return H;
  }
  const double length = std::sqrt(y[1] * y[1] + y[2] * y[2]);
  if (length < bound) {
    H(1, 1) = H(2, 2) = 1.0;
  } else if (bound > 0.0) {
    const double share = bound / length, a = y[1] / length, b = y[2] / length;
    H(1, 1) = share * b * b;
    H(2, 2) = share * a * a;
    H(1, 2) = H(2, 1) = -share * a * b;
  }
  return H;
}

}  // namespace tact
