#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include <tact/contact/friction_pyramid.hpp>
#include <tact/core/error.hpp>
#include <tact/core/random.hpp>

using namespace tact;

TEST_CASE("directions are unit vectors, facets lie half way between them")
{
  for (const int d : {4, 6, 8, 16, 64}) {
    const FrictionPyramid pyramid(d);
    for (int x = 0; x < d; ++x) {
      CHECK(std::hypot(pyramid.cos_d[x], pyramid.sin_d[x]) == doctest::Approx(1.0).epsilon(1e-15));
      // Both edges of a facet are at the distance cos(pi / d) along its normal.
      for (const int edge : {x, x + 1}) {
        const double along =
            pyramid.cos_e[x] * pyramid.cos_d[edge] + pyramid.sin_e[x] * pyramid.sin_d[edge];
        CHECK(along == doctest::Approx(pyramid.half_cos).epsilon(1e-14));
      }
    }
    CHECK(pyramid.cos_d[d] == pyramid.cos_d[0]);
    CHECK(pyramid.next(d - 1) == 0);
    CHECK(pyramid.previous(0) == d - 1);
  }
}

TEST_CASE("a force splits over the two edges around it, and both parts are positive")
{
  Random random(1);
  for (const int d : {4, 8, 10}) {
    const FrictionPyramid pyramid(d);
    for (int i = 0; i < 200; ++i) {
      const double t_1 = random.uniform(-1, 1), t_2 = random.uniform(-1, 1);
      const PyramidSplit phi = split(pyramid, t_1, t_2);
      CHECK(phi.first >= 0.0);
      CHECK(phi.second >= 0.0);
      const int x = phi.sector;
      CHECK(phi.first * pyramid.cos_d[x] + phi.second * pyramid.cos_d[x + 1] ==
            doctest::Approx(t_1).epsilon(1e-13));
      CHECK(phi.first * pyramid.sin_d[x] + phi.second * pyramid.sin_d[x + 1] ==
            doctest::Approx(t_2).epsilon(1e-13));
      // The sum is the pyramid's own norm: max over facets of e . t / cos(pi / d).
      double norm = 0.0;
      for (int k = 0; k < d; ++k) {
        norm = std::max(norm, (pyramid.cos_e[k] * t_1 + pyramid.sin_e[k] * t_2) / pyramid.half_cos);
      }
      CHECK(phi.first + phi.second == doctest::Approx(norm).epsilon(1e-12));
    }
    CHECK(split(pyramid, 0.0, 0.0).first == 0.0);
  }
}

TEST_CASE("the most opposed direction points against the velocity")
{
  const FrictionPyramid pyramid(8);
  CHECK(pyramid.most_opposed(-1.0, 0.0) == 0);
  CHECK(pyramid.most_opposed(1.0, 0.0) == 4);
  CHECK(pyramid.most_opposed(0.0, 1.0) == 6);
  CHECK(pyramid.most_opposed(-1.0, -1.0) == 1);
}

TEST_CASE("rebasing names the same force by other edges")
{
  const FrictionPyramid pyramid(8);
  const double a = 0.4, b = 1.3;
  for (int x = 0; x < 8; ++x) {
    const double* Q = pyramid.rebase(x);
    const double a_x = Q[0] * a + Q[1] * b, b_x = Q[2] * a + Q[3] * b;
    CHECK(a_x * pyramid.cos_d[x] + b_x * pyramid.cos_d[x + 1] ==
          doctest::Approx(a * pyramid.cos_d[0] + b * pyramid.cos_d[1]).epsilon(1e-13));
    CHECK(a_x * pyramid.sin_d[x] + b_x * pyramid.sin_d[x + 1] ==
          doctest::Approx(a * pyramid.sin_d[0] + b * pyramid.sin_d[1]).epsilon(1e-13));
  }
}

TEST_CASE("a pyramid has an even number of sides, 4 to 64")
{
  for (const int d : {-8, 0, 2, 7, 66}) CHECK_THROWS_AS(FrictionPyramid{d}, Error);
}
