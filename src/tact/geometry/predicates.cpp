#include <tact/geometry/predicates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <gmpxx.h>

#include <tact/geometry/expansion.hpp>

namespace tact {
namespace {

constexpr double u = 0x1.0p-53;  // unit round-off

// [Shewchuk97] bounds of the rounding error relative to the permanent.
constexpr double bound_2d = (3.0 + 16.0 * u) * u;
constexpr double bound_3d = (7.0 + 56.0 * u) * u;

// The bounds leave out underflow, which adds at most 2^-1074 a product. In three dimensions these
// products are then multiplied by z differences: below 1e200 each, six of them stay under 1e-120.
constexpr double underflow_2d = 0x1.0p-1070;
constexpr double underflow_3d = 1e-120;
constexpr double largest_filtered_z = 1e200;

// Coordinates within these bounds are multiples of 2^-357, so that all terms of a product of three
// differences are multiples of 2^-1071, and that product stays below 2^1000.
constexpr double smallest_expandable = 0x1.0p-305;
constexpr double largest_expandable = 0x1.0p330;

int sign(double x)
{
  return (x > 0.0) - (x < 0.0);
}

bool expandable(std::span<const double> coordinates)
{
  return std::all_of(coordinates.begin(), coordinates.end(), [](double x) {
    const double size = std::abs(x);
    return size == 0.0 || (size >= smallest_expandable && size <= largest_expandable);
  });
}

Expansion<2> difference(double a, double b)
{
  return Expansion<2>(two_difference(a, b));
}

// x * 2^1074, an integer for every finite double.
mpz_class scaled_to_integer(double x)
{
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);  // x = mantissa 2^exponent, |mantissa| < 1
  mpz_class integer(std::ldexp(mantissa, 53));
  const int shift = exponent - 53 + 1074;
  // A negative shift happens for subnormal numbers only, whose lowest bits are then zero.
  if (shift >= 0)
    integer <<= static_cast<unsigned>(shift);
  else
    integer >>= static_cast<unsigned>(-shift);
  return integer;
}

mpz_class integer_difference(double a, double b)
{
  return scaled_to_integer(a) - scaled_to_integer(b);
}

template <int Capacity>
int sign(const Expansion<Capacity>& x)
{
  return x.sign();
}

int sign(const mpz_class& x)
{
  return sgn(x);
}

// The two exact stages differ only in the arithmetic that `subtract` brings along.
template <class Subtract>
int exact_orient2d(const Vector2d& a, const Vector2d& b, const Vector2d& c, Subtract subtract)
{
  const auto bx = subtract(b[0], a[0]), by = subtract(b[1], a[1]);
  const auto cx = subtract(c[0], a[0]), cy = subtract(c[1], a[1]);
  return sign(bx * cy - cx * by);
}

template <class Subtract>
int exact_orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d,
                   Subtract subtract)
{
  const auto bx = subtract(b[0], a[0]), by = subtract(b[1], a[1]), bz = subtract(b[2], a[2]);
  const auto cx = subtract(c[0], a[0]), cy = subtract(c[1], a[1]), cz = subtract(c[2], a[2]);
  const auto dx = subtract(d[0], a[0]), dy = subtract(d[1], a[1]), dz = subtract(d[2], a[2]);
  return sign((cx * dy - dx * cy) * bz + (dx * by - bx * dy) * cz + (bx * cy - cx * by) * dz);
}

}  // namespace

int orient2d(const Vector2d& a, const Vector2d& b, const Vector2d& c)
{
  const double bx = b[0] - a[0], by = b[1] - a[1];
  const double cx = c[0] - a[0], cy = c[1] - a[1];
  const double left = bx * cy, right = cx * by;
  const double det = left - right;
  const double error = bound_2d * (std::abs(left) + std::abs(right)) + underflow_2d;
  if (std::abs(det) > error) return sign(det);  // false for NaN and infinity
  if ((bx == 0.0 && cx == 0.0) || (by == 0.0 && cy == 0.0)) return 0;

  const std::array coordinates{a[0], a[1], b[0], b[1], c[0], c[1]};
  return expandable(coordinates) ? exact_orient2d(a, b, c, difference)
                                 : exact_orient2d(a, b, c, integer_difference);
}

int orient3d(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d)
{
  const double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
  const double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
  const double dx = d[0] - a[0], dy = d[1] - a[1], dz = d[2] - a[2];
  const double cx_dy = cx * dy, dx_cy = dx * cy;
  const double dx_by = dx * by, bx_dy = bx * dy;
  const double bx_cy = bx * cy, cx_by = cx * by;
  const double det = (cx_dy - dx_cy) * bz + (dx_by - bx_dy) * cz + (bx_cy - cx_by) * dz;
  const double permanent = (std::abs(cx_dy) + std::abs(dx_cy)) * std::abs(bz) +
                           (std::abs(dx_by) + std::abs(bx_dy)) * std::abs(cz) +
                           (std::abs(bx_cy) + std::abs(cx_by)) * std::abs(dz);
  const bool in_range = std::abs(bz) + std::abs(cz) + std::abs(dz) < largest_filtered_z;
  if (in_range && std::abs(det) > bound_3d * permanent + underflow_3d) return sign(det);

  // Faces parallel to the axes are common, flat boxes above all, and cost nothing this way.
  if ((bx == 0.0 && cx == 0.0 && dx == 0.0) || (by == 0.0 && cy == 0.0 && dy == 0.0) ||
      (bz == 0.0 && cz == 0.0 && dz == 0.0))
    return 0;

  const std::array coordinates{a[0], a[1], a[2], b[0], b[1], b[2],
                               c[0], c[1], c[2], d[0], d[1], d[2]};
  return expandable(coordinates) ? exact_orient3d(a, b, c, d, difference)
                                 : exact_orient3d(a, b, c, d, integer_difference);
}

bool collinear(const Vector3d& a, const Vector3d& b, const Vector3d& c)
{
  const auto on_a_line_without = [&](int axis) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    return orient2d({a[i], a[j]}, {b[i], b[j]}, {c[i], c[j]}) == 0;
  };
  return on_a_line_without(2) && on_a_line_without(0) && on_a_line_without(1);
}

}  // namespace tact
