#include <array>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <tact/core/random.hpp>

using namespace tact;

TEST_CASE("the bits are those of SplitMix64")
{
  // Our generator starts at seed * G + C and takes one step, so that the published sequence for
  // the state 1234567 belongs to the seed (1234567 - C - G) / G modulo 2^64. G is odd, hence
  // invertible; Newton's iteration doubles the correct bits of its inverse.
  constexpr std::uint64_t G = 0x9E3779B97F4A7C15ull;
  constexpr std::uint64_t C = 0xD1B54A32D192ED03ull;
  std::uint64_t inverse = G;
  for (int i = 0; i < 6; ++i) inverse *= 2 - G * inverse;
  REQUIRE(G * inverse == 1);

  Random random((1234567ull - C - G) * inverse);
  const std::array<std::uint64_t, 5> published{6457827717110365317ull, 3203168211198807973ull,
                                               9817491932198370423ull, 4593380528125082431ull,
                                               16408922859458223821ull};
  for (const std::uint64_t expected : published) CHECK(random.bits() == expected);
}

TEST_CASE("equal seeds give equal numbers and neighbouring seeds do not")
{
  Random a(5);
  Random b(5);
  Random c(6);
  const std::uint64_t first = a.bits();
  CHECK(first == b.bits());
  CHECK(first != c.bits());
}

TEST_CASE("uniform numbers fill their interval evenly")
{
  constexpr int count = 100000;
  Random random(1);
  double sum = 0.0;
  std::vector<int> bins(10);
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform();
    REQUIRE(x >= 0.0);
    REQUIRE(x < 1.0);
    sum += x;
    ++bins[static_cast<std::size_t>(10.0 * x)];
  }
  // Five standard deviations: of the mean sqrt(1/12 / count), of a bin sqrt(count 0.1 0.9).
  CHECK(sum / count == doctest::Approx(0.5).epsilon(2.0 * 5.0 * 0.00092));
  for (const int bin : bins) CHECK(std::abs(bin - count / 10) < 5 * 95);
  CHECK(random.uniform(-3.0, -2.0) < -2.0);
}

TEST_CASE("below reaches every number below its bound and no other")
{
  Random random(2);
  std::vector<int> hits(7);
  for (int i = 0; i < 1000; ++i) {
    const int k = random.below(7);
    REQUIRE(k >= 0);
    REQUIRE(k < 7);
    ++hits[static_cast<std::size_t>(k)];
  }
  for (const int hit : hits) CHECK(hit > 0);
}

TEST_CASE("points of a cube stay in it")
{
  Random random(3);
  for (int i = 0; i < 100; ++i) CHECK(random.in_cube(0.25).cwiseAbs().maxCoeff() <= 0.25);
}
