// Roots of integer polynomials in [0, 1] and exact signs at them.
#include <cmath>
#include <initializer_list>
#include <vector>

#include <doctest/doctest.h>

#include <tact/collision/ccd_exact_roots.hpp>

namespace tact {
namespace {

// From the constant upwards.
IntegerPolynomial polynomial(std::initializer_list<Integer> coefficients)
{
  IntegerPolynomial p;
  int i = 0;
  for (const Integer& c : coefficients) p.c[i++] = c;
  p.trim(i - 1);
  return p;
}

IntegerPolynomial operator*(const IntegerPolynomial& x, const IntegerPolynomial& y)
{
  IntegerPolynomial product;
  for (int i = 0; i <= x.degree; ++i)
    for (int j = 0; j <= y.degree; ++j) product.c[i + j] += x.c[i] * y.c[j];
  product.trim(x.degree + y.degree);
  return product;
}

void check_roots(const IntegerPolynomial& p, const std::vector<double>& expected)
{
  UnitRoots roots(p);
  REQUIRE(roots.end() - roots.begin() == static_cast<int>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double lower = roots.begin()[i].lower_bound();
    CHECK(lower <= std::nextafter(expected[i], 2.0));  // expected values are rounded
    CHECK(lower >= expected[i] - 0x1p-46);
  }
}

const IntegerPolynomial t = polynomial({0, 1});
const IntegerPolynomial t_minus_1 = polynomial({-1, 1});
const IntegerPolynomial third = polynomial({-1, 3});         // 3 t - 1
const IntegerPolynomial half_root = polynomial({-1, 0, 2});  // 2 t^2 - 1: root 1 / sqrt 2
const IntegerPolynomial beyond = polynomial({-2, 1});        // t - 2

TEST_CASE("Simple roots come in order, those outside [0, 1] not at all")
{
  check_roots(half_root, {std::sqrt(0.5)});
  check_roots(half_root * third, {1.0 / 3.0, std::sqrt(0.5)});
  check_roots(beyond * third, {1.0 / 3.0});
  check_roots(beyond * beyond, {});
  check_roots(polynomial({5}), {});
  check_roots(polynomial({1, 0, 1}), {});
  check_roots(polynomial({-1, 4}) * polynomial({-1, 2}) * polynomial({-3, 4}), {0.25, 0.5, 0.75});
}

TEST_CASE("Roots at 0 and 1 of any multiplicity are found once")
{
  check_roots(t, {0.0});
  check_roots(t * t * t, {0.0});
  check_roots(t_minus_1 * t_minus_1, {1.0});
  check_roots(t * t_minus_1 * third, {0.0, 1.0 / 3.0, 1.0});
  check_roots(t * t * t_minus_1, {0.0, 1.0});
}

TEST_CASE("Repeated roots inside are found once and in order")
{
  check_roots(third * third, {1.0 / 3.0});
  check_roots(third * third * third, {1.0 / 3.0});
  check_roots(third * third * beyond, {1.0 / 3.0});
  const IntegerPolynomial quarter = polynomial({-1, 4}), most = polynomial({-4, 5});
  check_roots(third * third * quarter, {0.25, 1.0 / 3.0});
  check_roots(third * third * most, {1.0 / 3.0, 0.8});
}

TEST_CASE("Roots 2^-400 apart are told apart")
{
  // (3 t - 1) (3 s t - s - 1) with s = 2^400: roots 1/3 and 1/3 + 2^-400 / 3.
  const Integer s = Integer(1) << 400;
  UnitRoots roots(third * polynomial({-s - 1, 3 * s}));
  REQUIRE(roots.end() - roots.begin() == 2);
  CHECK(roots.begin()[0].sign_of(third) == 0);
  CHECK(roots.begin()[1].sign_of(third) == 1);
}

TEST_CASE("A sign is 0 where the polynomials share the root, by a common factor of any degree")
{
  UnitRoots roots(half_root * third);
  UnitRoot& first = roots.begin()[0];
  UnitRoot& second = roots.begin()[1];
  CHECK(first.sign_of(third) == 0);
  CHECK(first.sign_of(half_root) == -1);
  CHECK(second.sign_of(half_root) == 0);
  CHECK(second.sign_of(third) == 1);
  CHECK(first.sign_of(third * beyond) == 0);
  CHECK(second.sign_of(polynomial({})) == 0);
  CHECK(second.sign_of(polynomial({-7})) == -1);
}

TEST_CASE("A polynomial that almost vanishes at an irrational root has the sign of its root's side")
{
  // 2 (t +- 2^-300)^2 - 1, times 2^600: roots 2^-300 beside that of f.
  const Integer d = Integer(1) << 300;
  for (const int side : {-1, 1}) {
    const IntegerPolynomial near = polynomial({2 - d * d, side * 4 * d, 2 * d * d});
    UnitRoots roots(half_root);
    CHECK(roots.begin()->sign_of(near) == side);
  }
}

TEST_CASE("A lower bound is never above the root, also where doubles become subnormal")
{
  for (const int k : {1, 60, 900, 1021, 1022, 1023, 1070, 1074, 1075, 1200}) {
    CAPTURE(k);
    // (3 * 2^k t - 5) (t + 1): the root 5/3 * 2^-k, in [0, 1] once only.
    UnitRoots roots(polynomial({-5, 3 * (Integer(1) << k)}) * polynomial({1, 1}));
    REQUIRE(roots.end() - roots.begin() == 1);
    const mpq_class root(5, 3 * (Integer(1) << k));
    const double lower = roots.begin()->lower_bound();
    CHECK(lower >= 0.0);
    CHECK(mpq_class(lower) <= root);
    CHECK(mpq_class(lower) >= root - mpq_class(0x1p-46));
  }
}

}  // namespace
}  // namespace tact
