#include <tact/collision/ccd_exact_polynomial.hpp>

#include <utility>

namespace tact {
namespace {

void make_primitive(IntegerPolynomial& p)
{
  Integer content = 0;
  for (int i = 0; i <= p.degree; ++i) content = gcd(content, p.c[i]);
  if (content <= 1) return;
  for (int i = 0; i <= p.degree; ++i)
    mpz_divexact(p.c[i].get_mpz_t(), p.c[i].get_mpz_t(), content.get_mpz_t());
}

// What is left of c a, for some integer c != 0, when b is divided out.
IntegerPolynomial pseudo_remainder(IntegerPolynomial a, const IntegerPolynomial& b)
{
  while (a.degree >= b.degree) {
    const Integer lead = a.c[a.degree];
    const int shift = a.degree - b.degree;
    for (int i = 0; i <= a.degree; ++i) a.c[i] *= b.c[b.degree];
    for (int i = 0; i <= b.degree; ++i) a.c[i + shift] -= lead * b.c[i];
    a.trim(a.degree - 1);
  }
  return a;
}

}  // namespace

void IntegerPolynomial::trim(int highest)
{
  degree = highest;
  while (degree >= 0 && sgn(c[degree]) == 0) --degree;
}

int sign_at_fraction(const IntegerPolynomial& p, const Integer& num, const Integer& den)
{
  if (p.is_zero()) return 0;
  Integer value = p.c[p.degree], power = 1;
  for (int i = p.degree - 1; i >= 0; --i) {
    power *= den;
    value *= num;
    value += p.c[i] * power;
  }
  return sgn(value);
}

Integer scaled_value(const IntegerPolynomial& p, const Integer& m, int k)
{
  if (p.is_zero()) return 0;
  Integer value = p.c[p.degree], term;
  mp_bitcnt_t shift = 0;
  for (int i = p.degree - 1; i >= 0; --i) {
    shift += static_cast<mp_bitcnt_t>(k);
    value *= m;
    term = p.c[i] << shift;
    value += term;
  }
  return value;
}

IntegerPolynomial derivative(const IntegerPolynomial& p)
{
  IntegerPolynomial slope;
  for (int i = 1; i <= p.degree; ++i) slope.c[i - 1] = i * p.c[i];
  slope.trim(p.degree - 1);
  return slope;
}

IntegerPolynomial greatest_common_divisor(IntegerPolynomial a, IntegerPolynomial b)
{
  // With so low degrees taking the content out of every remainder costs more than it saves.
  if (a.degree < b.degree) std::swap(a, b);
  while (!b.is_zero()) {
    IntegerPolynomial rest = pseudo_remainder(std::move(a), b);
    a = std::move(b);
    b = std::move(rest);
  }
  if (a.degree >= 1) make_primitive(a);
  return a;
}

void divide_by_t(IntegerPolynomial& p)
{
  for (int i = 0; i < p.degree; ++i) swap(p.c[i], p.c[i + 1]);
  p.c[p.degree--] = 0;
}

void divide_by_t_minus_1(IntegerPolynomial& p)
{
  // Horner at 1: the quotient has the partial sums from the top as coefficients, and remainder 0.
  for (int i = p.degree - 1; i >= 1; --i) p.c[i] += p.c[i + 1];
  divide_by_t(p);
}

}  // namespace tact
