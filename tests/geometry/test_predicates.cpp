#include <tact/geometry/predicates.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include "exact.hpp"
#include "families.hpp"

namespace tact {
namespace {

Vector2d flat(const Vector3d& p)
{
  return p.head<2>();
}

// Wrong signs among `count` draws of a family, both predicates.
int disagreements(FourPoints (*draw)(Random&), int count, double scale = 1.0)
{
  Random random(5);
  int wrong = 0;
  for (int k = 0; k < count; ++k) {
    FourPoints x = draw(random);
    for (Vector3d& p : x) p *= scale;
    if (orient3d(x[0], x[1], x[2], x[3]) != exact::orient3d(x[0], x[1], x[2], x[3])) ++wrong;
    const Vector2d a = flat(x[0]), b = flat(x[1]), c = flat(x[2]);
    if (orient2d(a, b, c) != exact::orient2d(a, b, c)) ++wrong;
  }
  return wrong;
}

// Any bits that are a finite number: exponents from the subnormal to 1e308.
FourPoints any_exponents(Random& random)
{
  FourPoints points;
  for (Vector3d& p : points) {
    for (double& x : p) {
      const double mantissa = random.below(8) == 0 ? 0.0 : random.uniform(-1.0, 1.0);
      x = std::ldexp(mantissa, random.below(2090) - 1066);
    }
  }
  return points;
}

// Degenerate on purpose, with exponents far apart: sums and multiples of powers of two.
FourPoints coplanar_with_any_exponents(Random& random)
{
  const int exponent = random.below(1900) - 950;
  FourPoints points = family::grid(random);
  for (Vector3d& p : points) {
    p[2] = p[0] + p[1];  // all in the plane z = x + y, exactly
    for (double& x : p) x = std::ldexp(x, exponent);
  }
  if (random.below(2) == 0) points[3][2] = std::nextafter(points[3][2], 1e300);
  return points;
}

// Products that lie just above and just below the middle of two subnormal numbers, from differences
// that are rounded: only a bound that knows of underflow sees that their order is not settled.
FourPoints products_between_subnormals(Random& random)
{
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double middle = 0.5 + random.below(300);
  const int rows = 1 + random.below(200), columns = 1 + random.below(200);
  double b = middle / columns, c = middle / rows;
  while (std::fma(b, columns, -middle) <= 0.0) b = std::nextafter(b, 1e9);  // the first above
  while (std::fma(c, rows, -middle) >= 0.0) c = std::nextafter(c, 0.0);     // the last below
  const double ulp = std::nextafter(c, 1e9) - c;
  return FourPoints{Vector3d(0.51 * ulp, 0, 0), Vector3d(b, rows * tiny, 0),
                    Vector3d(c + ulp, columns * tiny, 0), Vector3d(0, 0, 1)};
}

// Finite, yet even their differences overflow.
FourPoints near_overflow(Random& random)
{
  FourPoints points = family::grid(random);
  for (Vector3d& p : points) p = (p - Vector3d::Ones()) * 1.7e308;
  return points;
}

TEST_CASE("Orientation has the sign of rational arithmetic on random and degenerate points")
{
  for (const Family& family : families()) {
    CAPTURE(family.name);
    CHECK(disagreements(family.draw, 3000) == 0);
  }
}

TEST_CASE("Orientation has the sign of rational arithmetic for all exponents of double")
{
  CHECK(disagreements(any_exponents, 5000) == 0);
  CHECK(disagreements(coplanar_with_any_exponents, 5000) == 0);
  CHECK(disagreements(near_overflow, 1000) == 0);
  CHECK(disagreements(products_between_subnormals, 5000) == 0);
  for (const double scale :
       {1e-320, 1e-310, 1e-163, 1e-162, 1e-161, 1e-150, 1e-108, 1e-40, 1e40, 1e100, 1e103, 1e300}) {
    CAPTURE(scale);
    CHECK(disagreements(family::grid, 500, scale) == 0);
    CHECK(disagreements(family::uniform, 500, scale) == 0);
    CHECK(disagreements(family::needles, 500, scale) == 0);
  }
}

TEST_SUITE("slow")
{
  TEST_CASE("Orientation has the sign of rational arithmetic, ten times as often")
  {
    for (const Family& family : families()) CHECK(disagreements(family.draw, 30000) == 0);
    CHECK(disagreements(any_exponents, 50000) == 0);
    CHECK(disagreements(coplanar_with_any_exponents, 50000) == 0);
  }
}

TEST_CASE("Points of a plane moved by one unit in the last place are on its two sides")
{
  const Vector3d a(12.0, 0.5, 12.25), b(24.0, 24.0, 1.0), c(0.5, 12.0, 7.0);
  for (const double t : {0.0, 0.25, 0.5, 1.0}) {
    const Vector3d d = a + t * (b - a);  // exact: few bits
    Vector3d above = d, below = d;
    above[2] = std::nextafter(d[2], 100.0);
    below[2] = std::nextafter(d[2], -100.0);
    CHECK(orient3d(a, b, c, d) == 0);
    CHECK(orient3d(a, b, c, above) == -orient3d(a, b, c, below));
    CHECK(orient3d(a, b, c, above) != 0);
  }
}

TEST_CASE("Orientation: the normal's side is positive, and a swap of two points turns the sign")
{
  const Vector3d o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  CHECK(orient3d(o, x, y, z) == 1);
  CHECK(orient2d({0, 0}, {1, 0}, {0, 1}) == 1);

  Random random(9);
  for (int k = 0; k < 2000; ++k) {
    const FourPoints p = family::grid_by_an_ulp(random);
    const int sign = orient3d(p[0], p[1], p[2], p[3]);
    CHECK(orient3d(p[1], p[0], p[2], p[3]) == -sign);
    CHECK(orient3d(p[0], p[2], p[1], p[3]) == -sign);
    CHECK(orient3d(p[0], p[1], p[3], p[2]) == -sign);
    CHECK(orient3d(p[3], p[1], p[2], p[0]) == -sign);
  }
}

TEST_CASE("Points are collinear exactly when the rational cross product vanishes")
{
  for (const Family& family : families()) {
    Random random(2);
    int wrong = 0;
    for (int k = 0; k < 1000; ++k) {
      const FourPoints x = family.draw(random);
      const exact::Vector origin(x[0]);
      const exact::Vector n = cross(exact::Vector(x[1]) - origin, exact::Vector(x[2]) - origin);
      if (collinear(x[0], x[1], x[2]) != (n.x == 0 && n.y == 0 && n.z == 0)) ++wrong;
    }
    CAPTURE(family.name);
    CHECK(wrong == 0);
  }
}

}  // namespace
}  // namespace tact
