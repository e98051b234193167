#include <doctest/doctest.h>

#include <tact/linalg/twist.hpp>

using namespace tact;

namespace {

Twist twist(double first)
{
  Twist t;
  for (int k = 0; k < 6; ++k) t.set(k, first + k);
  return t;
}

}  // namespace

TEST_CASE("a twist is six numbers, padded by zeros")
{
  const Twist t = twist(1.0);
  for (int k = 0; k < 6; ++k) CHECK(t[k] == 1.0 + k);
  CHECK(t[6] == 0.0);
  CHECK(t[7] == 0.0);
}

TEST_CASE("products of twists are sums over six components")
{
  const Twist a = twist(1.0), b = twist(-2.0);  // small integers: every sum below is exact
  double expected = 0.0;
  for (int k = 0; k < 6; ++k) expected += a[k] * b[k];
  CHECK(dot(a, b) == expected);
  CHECK(dot(a, b, a, a) == expected + dot(a, a));
  const Twist sum = combine(2.0, a, -1.0, b, 0.5, a);
  for (int k = 0; k < 6; ++k) CHECK(sum[k] == 2.5 * a[k] - b[k]);
}

TEST_CASE("groups of eight round up")
{
  CHECK(round_up_8(0) == 0);
  CHECK(round_up_8(1) == 8);
  CHECK(round_up_8(8) == 8);
  CHECK(round_up_8(9) == 16);
}
