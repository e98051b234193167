// Rational arithmetic that the tests compare with: slow, plain and exact.
#pragma once

#include <array>
#include <vector>

#include <gmpxx.h>

#include <tact/core/types.hpp>

namespace tact::exact {

using Rational = mpq_class;

struct Vector {
  Rational x, y, z;

  Vector(Rational x_, Rational y_, Rational z_) : x(x_), y(y_), z(z_) {}
  Vector(const Vector3d& v) : x(v[0]), y(v[1]), z(v[2]) {}  // every finite double is a rational
};

inline Vector operator-(const Vector& a, const Vector& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

inline Vector operator+(const Vector& a, const Vector& b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

inline Vector operator*(const Rational& s, const Vector& a)
{
  return {s * a.x, s * a.y, s * a.z};
}

inline Rational dot(const Vector& a, const Vector& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline Vector cross(const Vector& a, const Vector& b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline int orient2d(const Vector2d& a, const Vector2d& b, const Vector2d& c)
{
  const Rational ax(a[0]), ay(a[1]);
  return sgn((Rational(b[0]) - ax) * (Rational(c[1]) - ay) -
             (Rational(b[1]) - ay) * (Rational(c[0]) - ax));
}

inline int orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d)
{
  const Vector origin(a);
  return sgn(dot(cross(Vector(b) - origin, Vector(c) - origin), Vector(d) - origin));
}

inline bool in_unit_interval(const Rational& t)
{
  return t >= 0 && t <= 1;
}

// The distances of the stationary points of each feature in turn, ends included; the least of them
// is the distance. None of this resembles the code that is tested.
inline Rational squared_distance_point_segment(const Vector& p, const Vector& a, const Vector& b)
{
  const Vector d = b - a;
  Rational least = std::min(dot(p - a, p - a), dot(p - b, p - b));
  const Rational dd = dot(d, d);
  if (dd == 0) return least;
  const Rational t = dot(p - a, d) / dd;
  if (!in_unit_interval(t)) return least;
  const Vector gap = p - (a + t * d);
  return std::min(least, Rational(dot(gap, gap)));
}

inline Rational squared_distance_vertex_face(const Vector& p, const Vector& f0, const Vector& f1,
                                             const Vector& f2)
{
  Rational least = squared_distance_point_segment(p, f0, f1);
  least = std::min(least, squared_distance_point_segment(p, f1, f2));
  least = std::min(least, squared_distance_point_segment(p, f2, f0));
  const Vector n = cross(f1 - f0, f2 - f0);
  const Rational nn = dot(n, n);
  if (nn == 0) return least;
  const bool foot_inside = dot(cross(f1 - f0, p - f0), n) >= 0 &&
                           dot(cross(f2 - f1, p - f1), n) >= 0 &&
                           dot(cross(f0 - f2, p - f2), n) >= 0;
  if (!foot_inside) return least;
  const Rational height = dot(p - f0, n);
  return std::min(least, Rational(height * height / nn));
}

inline Rational squared_distance_edge_edge(const Vector& a0, const Vector& a1, const Vector& b0,
                                           const Vector& b1)
{
  Rational least = squared_distance_point_segment(a0, b0, b1);
  least = std::min(least, squared_distance_point_segment(a1, b0, b1));
  least = std::min(least, squared_distance_point_segment(b0, a0, a1));
  least = std::min(least, squared_distance_point_segment(b1, a0, a1));
  const Vector n = cross(a1 - a0, b1 - b0);
  const Rational nn = dot(n, n);
  if (nn == 0) return least;
  const Rational s = dot(cross(b0 - a0, b1 - b0), n) / nn;
  const Rational t = dot(cross(b0 - a0, a1 - a0), n) / nn;
  if (!in_unit_interval(s) || !in_unit_interval(t)) return least;
  const Rational height = dot(b0 - a0, n);
  return std::min(least, Rational(height * height / nn));
}

// Rounded once, from 400 bits.
inline double sqrt(const Rational& x)
{
  const mpf_class wide(x, 400);
  return mpf_class(::sqrt(wide)).get_d();
}

}  // namespace tact::exact
