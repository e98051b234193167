// The polynomials in t that decide whether four moving points are in contact, in plain double, with
// bounds on their rounding errors.
//
//   vertex-face:  P = f1 - f0,  Q = f2 - f0,  R = v - f0
//   edge-edge:    P = a1 - a0,  Q = b1 - b0,  R = b0 - a0
//   n = P x Q,  U = R x Q,  T = P x R          quadratic in t, three components each
//   f = n . R                                  cubic; contact at t implies f(t) = 0
//
// Where f = 0 and some n_k != 0, R = (U_k / n_k) P + (T_k / n_k) Q for that one axis k. With s the
// sign of n_k, contact means
//   vertex-face:  s U_k >= 0,  s T_k >= 0,  s (n_k - U_k - T_k) >= 0
//   edge-edge:    s U_k >= 0,  s (n_k - U_k) >= 0,  -s T_k >= 0,  s (n_k + T_k) >= 0
// so the inside test needs the signs of quadratics only.
//
// Everything is kept in Bernstein form on [0, 1]. On [lo, hi] the coefficients are blossoms of the
// original ones, so rounding does not build up with the depth of a subdivision.
//
// Rounding, with u = 2^-53, L_k the largest |component k| of P, Q, R at both ends, L3 = Lx Ly Lz
// (each product of a determinant has one factor of each axis, hence is at most L3):
//   coefficients of f    6 terms x 8 u at the ends; inside 18 terms x 10 u / 3 + 12 u: 72 u L3
//   blossom of f         3 levels x 3 u x max |b|: 9 u max |b|
//   quadratics, k-th     2 terms x 4 u or 4 x 5 u / 2; blossom 2 levels x 3 u x 2 Li Lj: 22 u Li Lj
// FilterBounds rounds these up. Valid while every L_k is 0 or within [1e-90, 1e90]: then nothing
// overflows and what underflow loses (2^-1075 a product) is far below the bounds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

#include <tact/collision/ccd.hpp>
#include <tact/core/types.hpp>

namespace tact {

inline constexpr double unit_roundoff = 0x1p-53;

// Multiples of the lengths above. Only tests change them, to see wrong verdicts appear.
struct FilterBounds {
  double cubic = 96 * unit_roundoff;      // of L3: a coefficient of f
  double blossom = 12 * unit_roundoff;    // of max |b|: what evaluating f adds
  double quadratic = 32 * unit_roundoff;  // of Li Lj: a value or blossom of n_k, U_k, T_k
};

struct Quadratic {
  double b0, b1, b2;

  // The symmetric, biaffine function of (s, t) that equals the polynomial where s = t.
  double blossom(double s, double t) const
  {
    const double left = (1.0 - s) * b0 + s * b1;
    const double right = (1.0 - s) * b1 + s * b2;
    return (1.0 - t) * left + t * right;
  }

  // Bernstein coefficients on [lo, hi].
  Quadratic on(double lo, double hi) const
  {
    return {blossom(lo, lo), blossom(lo, hi), blossom(hi, hi)};
  }

  bool above(double bound) const { return b0 > bound && b1 > bound && b2 > bound; }
  bool below(double bound) const { return b0 < bound && b1 < bound && b2 < bound; }
};

inline Quadratic operator-(const Quadratic& x, const Quadratic& y)
{
  return {x.b0 - y.b0, x.b1 - y.b1, x.b2 - y.b2};
}

inline Quadratic operator*(double factor, const Quadratic& x)
{
  return {factor * x.b0, factor * x.b1, factor * x.b2};
}

struct Cubic {
  double b0, b1, b2, b3;

  double blossom(double r, double s, double t) const
  {
    const Quadratic rest{(1.0 - r) * b0 + r * b1, (1.0 - r) * b1 + r * b2, (1.0 - r) * b2 + r * b3};
    return rest.blossom(s, t);
  }

  double at(double t) const { return blossom(t, t, t); }

  double slope_at(double t) const
  {
    return 3.0 * Quadratic{b1 - b0, b2 - b1, b3 - b2}.blossom(t, t);
  }

  Cubic on(double lo, double hi) const
  {
    return {at(lo), blossom(lo, lo, hi), blossom(lo, hi, hi), at(hi)};
  }

  double smallest() const { return std::min(std::min(b0, b1), std::min(b2, b3)); }
  double largest() const { return std::max(std::max(b0, b1), std::max(b2, b3)); }
};

// P, Q, R at t = 0 and t = 1, and the L_k.
struct RelativeMotion {
  CcdKind kind;
  std::array<Vector3d, 2> P, Q, R;
  Vector3d extent = Vector3d::Zero();

  explicit RelativeMotion(const CcdQuery& query) : kind(query.kind)
  {
    for (const int end : {0, 1}) {
      const std::array<Vector3d, 4>& x = end == 0 ? query.start : query.end;
      const bool face = kind == CcdKind::vertex_face;
      P[end] = face ? x[2] - x[1] : x[1] - x[0];
      Q[end] = face ? x[3] - x[1] : x[3] - x[2];
      R[end] = face ? x[0] - x[1] : x[2] - x[0];
      for (const Vector3d* side : {&P[end], &Q[end], &R[end]})
        extent = extent.cwiseMax(side->cwiseAbs());
    }
  }

  // Whether the L_k are in the range in which FilterBounds is proved. False for infinities.
  bool bounds_hold() const
  {
    return std::all_of(extent.begin(), extent.end(), [](double length) {
      return length == 0.0 || (length >= 1e-90 && length <= 1e90);
    });
  }
};

// A quadratic vector: [i][k] is the i-th Bernstein coefficient of component k.
using QuadraticVector = std::array<Vector3d, 3>;

inline QuadraticVector cross(const std::array<Vector3d, 2>& A, const std::array<Vector3d, 2>& B)
{
  return {A[0].cross(B[0]), 0.5 * (A[0].cross(B[1]) + A[1].cross(B[0])), A[1].cross(B[1])};
}

inline Quadratic component(const QuadraticVector& v, int k)
{
  return {v[0][k], v[1][k], v[2][k]};
}

// f = n . R from the coefficients of n. Doubling n[1] back is exact.
inline Cubic coplanarity(const QuadraticVector& n, const std::array<Vector3d, 2>& R)
{
  constexpr double third = 1.0 / 3.0;
  const Vector3d m = 2.0 * n[1];
  return {n[0].dot(R[0]), third * (n[0].dot(R[1]) + m.dot(R[0])),
          third * (n[2].dot(R[0]) + m.dot(R[1])), n[2].dot(R[1])};
}

}  // namespace tact
