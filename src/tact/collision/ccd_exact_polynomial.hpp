// Polynomials with integer coefficients of any size, of degree at most 3.
#pragma once

#include <array>

#include <gmpxx.h>

namespace tact {

using Integer = mpz_class;

// c[0] + c[1] t + ... + c[degree] t^degree with c[degree] != 0; degree -1 is the zero polynomial.
// Coefficients above the degree are 0.
struct IntegerPolynomial {
  int degree = -1;
  std::array<Integer, 4> c;

  bool is_zero() const { return degree < 0; }

  // Sets the degree, at most `highest`, from the coefficients.
  void trim(int highest);
};

// The sign of p at num / den, den > 0.
int sign_at_fraction(const IntegerPolynomial& p, const Integer& num, const Integer& den);

// 2^(k degree) p(m / 2^k); 0 for the zero polynomial.
Integer scaled_value(const IntegerPolynomial& p, const Integer& m, int k);

IntegerPolynomial derivative(const IntegerPolynomial& p);

// Up to a constant factor. Not both zero.
IntegerPolynomial greatest_common_divisor(IntegerPolynomial a, IntegerPolynomial b);

// Quotients by t and by t - 1, which must divide p.
void divide_by_t(IntegerPolynomial& p);
void divide_by_t_minus_1(IntegerPolynomial& p);

}  // namespace tact
