// The d-sided friction pyramid: directions, facet normals, and how a force splits over them.
#pragma once

#include <vector>

#include <tact/core/types.hpp>

namespace tact {

// d_x, at the angle 2 pi x / d, are the directions of the pyramid's edges; e_x, half way between
// d_x and d_{x+1}, is the outward normal of their facet; p_x is e_x turned by +90 degrees.
// Tables have d + 1 entries, so that x + 1 needs no wrapping.
struct FrictionPyramid {
  explicit FrictionPyramid(int directions = 8);

  int d = 0;
  double half_cos = 0.0;  // cos(pi / d): a facet lies at mu' = mu half_cos from the axis
  std::vector<double> cos_d, sin_d, cos_e, sin_e;

  int next(int x) const { return x + 1 == d ? 0 : x + 1; }
  int previous(int x) const { return x == 0 ? d - 1 : x - 1; }

  // The direction along which u_T decreases most: argmin_x d_x . u_T.
  int most_opposed(double u_1, double u_2) const;

  // Q (a, b) are the coordinates on d_x, d_{x+1} of the force a d_0 + b d_1; row-major.
  const double* rebase(int x) const { return &rebase_[4 * x]; }

 private:
  std::vector<double> rebase_;  // Q of every x, row-major
};

// A tangential force as phi_first d_sector + phi_second d_{sector+1}, both >= 0: the split with the
// least sum, so that mu lambda_n - sum phi >= 0 exactly when the force lies in the pyramid.
struct PyramidSplit {
  int sector = 0;
  double first = 0.0;
  double second = 0.0;
};

PyramidSplit split(const FrictionPyramid& pyramid, double t_1, double t_2);

}  // namespace tact
