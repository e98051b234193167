// How much room there is between two bodies: what rows may ask for.
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include <doctest/doctest.h>
#include <Eigen/Geometry>

#include <tact/sim/pair_targets.hpp>

using namespace tact;

namespace {

// m: the largest distance that have_room() finds.
double room_found(const std::vector<GapAtEnd>& gaps)
{
  double low = 0.0, high = 10.0;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    (have_room(gaps, middle) ? low : high) = middle;
  }
  return low;
}

Vector3d any_direction(std::mt19937& random)
{
  std::normal_distribution<double> number;
  return Vector3d(number(random), number(random), number(random)).normalized();
}

}  // namespace

TEST_CASE("between two walls there is half of what both gaps add up to")
{
  std::mt19937 random(1);
  std::uniform_real_distribution<double> gap(0.1, 1.0);
  for (int k = 0; k < 20; ++k) {
    const Vector3d n = any_direction(random);
    const double a = gap(random), b = gap(random);
    CHECK(room_found({{n, a}, {-n, b}}) == doctest::Approx(0.5 * (a + b)).epsilon(1e-2));
  }
}

TEST_CASE("in a polygon there is the radius of its inner circle, wherever the gaps are taken")
{
  std::mt19937 random(2);
  std::uniform_real_distribution<double> off(-0.2, 0.2);
  for (const int sides : {3, 4, 7, 24}) {
    CAPTURE(sides);
    const Vector3d axis = any_direction(random), x = axis.unitOrthogonal(), y = axis.cross(x);
    const Vector3d shift = off(random) * x + off(random) * y;
    std::vector<GapAtEnd> gaps;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / sides;
      const Vector3d n = std::cos(angle) * x + std::sin(angle) * y;
      gaps.push_back({n, 1.0 + n.dot(shift)});
    }
    CHECK(room_found(gaps) == doctest::Approx(1.0).epsilon(1e-2));
  }
}

TEST_CASE("what is open to one side has all the room that is asked for")
{
  const Vector3d up = Vector3d::UnitY();
  CHECK(have_room(std::array{GapAtEnd{up, 1e-3}}, 1.0));
  // A groove of 90 degrees.
  const Vector3d a = Vector3d(1.0, 1.0, 0.0).normalized(),
                 b = Vector3d(-1.0, 1.0, 0.0).normalized();
  CHECK(have_room(std::array{GapAtEnd{a, 1e-3}, GapAtEnd{b, 2e-3}}, 1.0));
}
