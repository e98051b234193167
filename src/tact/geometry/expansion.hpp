// Exact sums and products of doubles as expansions (Dekker 1971, Priest 1991, Shewchuk 1997).
//
// An expansion is a sum of doubles of growing magnitude whose bits do not overlap; its sign is that
// of its last term. Sizes are known when compiling, zeros are dropped while running. Exact as long
// as nothing overflows and no product falls below the smallest subnormal number; who calls has to
// see to that. Needs round-to-nearest and no contraction of a * b + c (the build sets
// -ffp-contract=off).
#pragma once

#include <array>
#include <cmath>

namespace tact {

struct TwoTerms {
  double high;  // the rounded result
  double low;   // what the rounding lost
};

inline TwoTerms two_sum(double a, double b)
{
  const double high = a + b;
  const double b_part = high - a;
  const double a_part = high - b_part;
  return {high, (a - a_part) + (b - b_part)};
}

inline TwoTerms two_difference(double a, double b)
{
  return two_sum(a, -b);
}

inline TwoTerms two_product(double a, double b)
{
  const double high = a * b;
  return {high, std::fma(a, b, -high)};
}

// Needs |a| >= |b| or a = 0.
inline TwoTerms fast_two_sum(double a, double b)
{
  const double high = a + b;
  return {high, b - (high - a)};
}

template <int Capacity>
struct Expansion {
  std::array<double, Capacity> terms;  // smallest first; only the first `size` count
  int size = 0;

  Expansion() = default;
  explicit Expansion(TwoTerms x) requires(Capacity >= 2)
  {
    append(x.low);
    append(x.high);
  }

  void append(double term)
  {
    if (term != 0.0) terms[size++] = term;
  }

  int sign() const { return size == 0 ? 0 : (terms[size - 1] > 0.0 ? 1 : -1); }
};

template <int Capacity>
Expansion<Capacity> operator-(Expansion<Capacity> x)
{
  for (int i = 0; i < x.size; ++i) x.terms[i] = -x.terms[i];
  return x;
}

// Merges the terms by magnitude and carries a running sum through them. [Shewchuk97, fig. 7]
template <int N, int M>
Expansion<N + M> operator+(const Expansion<N>& x, const Expansion<M>& y)
{
  Expansion<N + M> sum;
  int i = 0, j = 0;
  const auto next = [&] {
    const bool from_x = j == y.size || (i < x.size && std::abs(x.terms[i]) < std::abs(y.terms[j]));
    return from_x ? x.terms[i++] : y.terms[j++];
  };
  const int total = x.size + y.size;
  if (total == 0) return sum;
  double carried = next();
  for (int k = 1; k < total; ++k) {
    const auto [high, low] = two_sum(carried, next());
    sum.append(low);
    carried = high;
  }
  sum.append(carried);
  return sum;
}

template <int N, int M>
Expansion<N + M> operator-(const Expansion<N>& x, const Expansion<M>& y)
{
  return x + (-y);
}

// [Shewchuk97, fig. 13]
template <int N>
Expansion<2 * N> operator*(const Expansion<N>& x, double factor)
{
  Expansion<2 * N> product;
  if (x.size == 0 || factor == 0.0) return product;
  TwoTerms carried = two_product(x.terms[0], factor);
  product.append(carried.low);
  for (int i = 1; i < x.size; ++i) {
    const TwoTerms term = two_product(x.terms[i], factor);
    const TwoTerms sum = two_sum(carried.high, term.low);
    product.append(sum.low);
    carried = fast_two_sum(term.high, sum.high);
    product.append(carried.low);
  }
  product.append(carried.high);
  return product;
}

// Needs a factor of at most two terms, which is what differences of doubles are.
template <int N>
Expansion<4 * N> operator*(const Expansion<N>& x, const Expansion<2>& factor)
{
  const double low = factor.size > 0 ? factor.terms[0] : 0.0;
  const double high = factor.size > 1 ? factor.terms[1] : 0.0;
  return x * low + x * high;
}

}  // namespace tact
