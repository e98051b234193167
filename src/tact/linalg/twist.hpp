// Six-vectors of rigid motion, padded to eight lanes: a product is one or two SIMD operations.
#pragma once

#include <tact/linalg/lanes.hpp>

namespace tact {

// Components 6 and 7 are zero and stay zero.
struct alignas(64) Twist {
  Lanes part[lanes_per_8] = {};

  double operator[](int k) const { return part[k / lane_width][k % lane_width]; }
  void set(int k, double value) { part[k / lane_width][k % lane_width] = value; }

  // this += factor * other
  void add(double factor, const Twist& other)
  {
    for (int h = 0; h < lanes_per_8; ++h) part[h] += factor * other.part[h];
  }
};

inline double dot(const Twist& a, const Twist& b)
{
  Lanes sum = a.part[0] * b.part[0];
  for (int h = 1; h < lanes_per_8; ++h) sum += a.part[h] * b.part[h];
  return horizontal_sum(sum);
}

// a.b + c.d with a single reduction: a contact row acts on two bodies.
inline double dot(const Twist& a, const Twist& b, const Twist& c, const Twist& d)
{
  Lanes sum = a.part[0] * b.part[0] + c.part[0] * d.part[0];
  for (int h = 1; h < lanes_per_8; ++h) sum += a.part[h] * b.part[h] + c.part[h] * d.part[h];
  return horizontal_sum(sum);
}

inline Twist combine(double a, const Twist& x, double b, const Twist& y, double c, const Twist& z)
{
  Twist sum;
  for (int h = 0; h < lanes_per_8; ++h) sum.part[h] = a * x.part[h] + b * y.part[h] + c * z.part[h];
  return sum;
}

}  // namespace tact
