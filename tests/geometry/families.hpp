// Random points of the kinds that break geometry: on grids, on lines, almost so, far away, tiny.
// Numbers are drawn one statement after the other, so that all compilers draw the same.
#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <tact/core/random.hpp>
#include <tact/core/types.hpp>

namespace tact {

using FourPoints = std::array<Vector3d, 4>;

struct Family {
  std::string_view name;
  FourPoints (*draw)(Random&);
};

namespace family {

inline Vector3d grid_point(Random& random, int size)
{
  Vector3d p;
  for (double& x : p) x = random.below(size);
  return p;
}

inline double sign(Random& random)
{
  return random.below(2) == 0 ? 1.0 : -1.0;
}

inline FourPoints uniform(Random& random)
{
  FourPoints points;
  for (Vector3d& p : points) p = random.in_cube(1.0);
  return points;
}

inline FourPoints grid(Random& random)
{
  FourPoints points;
  for (Vector3d& p : points) p = grid_point(random, 3);
  return points;
}

// A grid disturbed in the last bits.
inline FourPoints grid_by_an_ulp(Random& random)
{
  FourPoints points;
  for (Vector3d& p : points) {
    p = grid_point(random, 3);
    for (double& x : p)
      if (random.below(2) == 0) x += sign(random) * 0x1.0p-53;
  }
  return points;
}

// All near one line, off it by 1e-16 to 1.
inline FourPoints needles(Random& random)
{
  const Vector3d direction = random.in_cube(1.0);
  FourPoints points;
  for (Vector3d& p : points) {
    const double width = std::pow(10.0, random.uniform(-16.0, 0.0));
    p = random.uniform(-1.0, 1.0) * direction;
    p += random.in_cube(width);
  }
  return points;
}

// Three within 1e-16 to 1 of a needle, the fourth anywhere.
inline FourPoints point_and_needle(Random& random)
{
  FourPoints points = needles(random);
  points[0] = random.in_cube(1.0);
  return points;
}

// Edges 0-1 and 2-3 with an angle of 1e-16 to 1.
inline FourPoints nearly_parallel(Random& random)
{
  FourPoints points = uniform(random);
  const Vector3d turn = random.in_cube(std::pow(10.0, random.uniform(-16.0, 0.0)));
  const Vector3d shift = random.in_cube(std::pow(10.0, random.uniform(-12.0, 0.0)));
  points[2] = points[0] + shift;
  points[3] = points[2] + random.uniform(0.3, 3.0) * (points[1] - points[0]) + turn;
  return points;
}

inline FourPoints exactly_parallel(Random& random)
{
  FourPoints points;
  points[0] = grid_point(random, 4);
  points[2] = grid_point(random, 4);
  const Vector3d direction = grid_point(random, 3);
  points[1] = points[0] + (1 + random.below(3)) * direction;
  const double reach = sign(random);
  points[3] = points[2] + reach * (1 + random.below(3)) * direction;
  return points;
}

inline FourPoints collinear(Random& random)
{
  const Vector3d start = grid_point(random, 4);
  const Vector3d direction = grid_point(random, 4);
  FourPoints points;
  for (Vector3d& p : points) p = start + 0.25 * random.below(9) * direction;
  return points;
}

inline FourPoints coincident(Random& random)
{
  FourPoints points = uniform(random);
  for (int copies = 1 + random.below(3); copies > 0; --copies) {
    const int from = random.below(4), to = random.below(4);
    points[to] = points[from];
  }
  return points;
}

inline FourPoints coplanar(Random& random)
{
  const Vector3d start = random.in_cube(1.0), e1 = random.in_cube(1.0), e2 = random.in_cube(1.0);
  FourPoints points;
  for (Vector3d& p : points) {
    p = start + random.uniform() * e1;
    p += random.uniform() * e2;
  }
  return points;
}

inline FourPoints far_away(Random& random)
{
  FourPoints points;
  for (Vector3d& p : points) p = Vector3d(1e6, -1e6, 1e6) + 1e-6 * grid_point(random, 5);
  return points;
}

inline FourPoints tiny(Random& random)
{
  FourPoints points = random.below(2) == 0 ? uniform(random) : grid(random);
  for (Vector3d& p : points) p *= 1e-12;
  return points;
}

// Sizes from 1e-9 to 1e9 in one query.
inline FourPoints mixed_sizes(Random& random)
{
  FourPoints points;
  for (Vector3d& p : points) p = random.in_cube(std::pow(10.0, random.uniform(-9.0, 9.0)));
  return points;
}

}  // namespace family

inline const std::vector<Family>& families()
{
  static const std::vector<Family> all{
      {"uniform", family::uniform},
      {"grid {0, 1, 2}", family::grid},
      {"grid disturbed by an ulp", family::grid_by_an_ulp},
      {"needles", family::needles},
      {"a point and a needle", family::point_and_needle},
      {"nearly parallel", family::nearly_parallel},
      {"exactly parallel", family::exactly_parallel},
      {"collinear", family::collinear},
      {"coincident", family::coincident},
      {"coplanar", family::coplanar},
      {"far away", family::far_away},
      {"tiny", family::tiny},
      {"mixed sizes", family::mixed_sizes},
  };
  return all;
}

}  // namespace tact
