#include <tact/collision/ccd_exact_roots.hpp>

#include <algorithm>

namespace tact {
namespace {

using Bernstein = UnitRoots::Bernstein;

// Coefficients on [0, 1] times a positive constant.
Bernstein to_bernstein(const IntegerPolynomial& p)
{
  const Integer sum = p.c[0] + p.c[1] + p.c[2] + p.c[3];
  if (p.degree == 2) return {2 * p.c[0], 2 * p.c[0] + p.c[1], 2 * sum};
  const Integer b0 = 3 * p.c[0];
  return {b0, b0 + p.c[1], b0 + 2 * p.c[1] + p.c[2], 3 * sum};
}

int sign_changes(const Bernstein& b, int degree)
{
  int changes = 0, last = 0;
  for (int i = 0; i <= degree; ++i) {
    const int sign = sgn(b[i]);
    if (sign == 0) continue;
    if (last == -sign) ++changes;
    last = sign;
  }
  return changes;
}

int first_sign(const Bernstein& b)
{
  const auto found = std::find_if(b.begin(), b.end(), [](const Integer& c) { return c != 0; });
  return sgn(*found);
}

struct Halves {
  Bernstein left, right;
};

// de Casteljau at 1/2 without divisions: both halves come out times 2^degree.
Halves halve(Bernstein b, int degree)
{
  Halves halves;
  for (int level = 0; level <= degree; ++level) {
    halves.left[level] = b[0] << (degree - level);
    halves.right[degree - level] = b[degree - level] << (degree - level);
    for (int i = 0; i + level < degree; ++i) b[i] += b[i + 1];
  }
  return halves;
}

}  // namespace

UnitRoots::UnitRoots(const IntegerPolynomial& f) : rest_(f)
{
  const auto vanishes_at_1 = [](const IntegerPolynomial& p) {
    Integer sum = 0;
    for (int i = 0; i <= p.degree; ++i) sum += p.c[i];
    return sum == 0;
  };
  bool at_0 = false, at_1 = false;
  for (; rest_.degree >= 1 && rest_.c[0] == 0; at_0 = true) divide_by_t(rest_);
  for (; rest_.degree >= 1 && vanishes_at_1(rest_); at_1 = true) divide_by_t_minus_1(rest_);
  if (at_0) add(UnitRoot(0, 1));
  if (rest_.degree == 1) add_fraction(-rest_.c[0], rest_.c[1]);
  if (rest_.degree >= 2) add_inner_roots();
  if (at_1) add(UnitRoot(1, 1));
}

void UnitRoots::add_fraction(Integer num, Integer den)
{
  UnitRoot root(std::move(num), std::move(den));
  if (root.in_unit_interval()) add(std::move(root));
}

// The number of roots in (0, 1) is the number of sign changes of the Bernstein coefficients, or
// less by an even number. Halving until there is at most one change ends if no root is repeated.
void UnitRoots::add_inner_roots()
{
  const Bernstein b = to_bernstein(rest_);
  const int changes = sign_changes(b, rest_.degree);
  if (changes == 0 || (changes >= 2 && add_if_repeated())) return;
  isolate(b, 0, 0);
}

// A repeated root of a cubic or quadratic over the rationals is rational, and so is the third one.
bool UnitRoots::add_if_repeated()
{
  const auto& c = rest_.c;
  const IntegerPolynomial h = greatest_common_divisor(rest_, derivative(rest_));
  if (h.degree < 1) return false;
  // h is a constant times t - a or (t - a)^2.
  const Integer num = -h.c[h.degree - 1], den = h.degree * h.c[h.degree];
  const int first = count_;
  add_fraction(num, den);
  if (rest_.degree == 3 && h.degree == 1)  // the three add up to -c2 / c3
    add_fraction(-c[2] * den - 2 * num * c[3], c[3] * den);
  if (count_ == first + 2 && roots_[first + 1].less_than(roots_[first]))
    std::swap(roots_[first], roots_[first + 1]);
  return true;
}

// The roots of rest_ in the open cell (m / 2^k, (m + 1) / 2^k), on which its coefficients are b.
void UnitRoots::isolate(const Bernstein& b, const Integer& m, int k)
{
  const int degree = rest_.degree;
  const int changes = sign_changes(b, degree);
  if (changes == 0) return;
  if (changes == 1) return add(UnitRoot(rest_, m, k, first_sign(b)));
  const auto [left, right] = halve(b, degree);
  const Integer middle = 2 * m + 1;
  isolate(left, middle - 1, k + 1);
  if (left[degree] == 0) add(UnitRoot(middle, Integer(1) << (k + 1)));
  isolate(right, middle, k + 1);
}

}  // namespace tact
