#include <doctest/doctest.h>

#include <cmath>

#include <bench/statistics.hpp>

using namespace tact;

TEST_CASE("percentiles lie between ranks")
{
  CHECK(median({3.0, 1.0, 2.0}) == 2.0);
  CHECK(median({4.0, 1.0, 2.0, 3.0}) == 2.5);
  CHECK(percentile({0.0, 10.0}, 0.9) == doctest::Approx(9.0));
  CHECK(percentile({5.0}, 0.9) == 5.0);
  CHECK(std::isnan(median({})));
}

TEST_CASE("the growth exponent of c x^p is p")
{
  std::vector<double> x, y;
  for (const double value : {8.0, 16.0, 32.0, 256.0}) {
    x.push_back(value);
    y.push_back(7.0 * std::pow(value, 1.7));
  }
  CHECK(growth_exponent(x, y) == doctest::Approx(1.7).epsilon(1e-12));
  CHECK(std::isnan(growth_exponent({1.0}, {1.0})));
}
