#include <tact/collision/ccd_exact_root.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

namespace tact {
namespace {

// Bits to which the guess in double is worth trying, and from which on a vanishing g is suspected.
constexpr int jump_bits = 50;
constexpr int suspicion_bits = 40;
constexpr int time_bits = 46;

}  // namespace

UnitRoot::UnitRoot(Integer num, Integer den) : num_(std::move(num)), den_(std::move(den))
{
  if (den_ < 0) {
    num_ = -num_;
    den_ = -den_;
  }
}

UnitRoot::UnitRoot(const IntegerPolynomial& f, Integer m, int k, int sign_low)
    : f_(&f), m_(std::move(m)), k_(k), sign_low_(sign_low)
{
}

bool UnitRoot::in_unit_interval() const
{
  return num_ >= 0 && num_ <= den_;
}

bool UnitRoot::less_than(const UnitRoot& other) const
{
  return num_ * other.den_ < other.num_ * den_;
}

void UnitRoot::become_fraction(const Integer& m, int k)
{
  num_ = m;
  den_ = Integer(1) << k;
  f_ = nullptr;
}

// Where g may vanish at the root, no refinement would ever show it: a common factor does.
int UnitRoot::sign_of(const IntegerPolynomial& g)
{
  if (g.degree <= 0) return g.is_zero() ? 0 : sgn(g.c[0]);
  bool may_vanish = true;
  int bits = 32;
  while (!is_fraction()) {
    if (const int sign = sign_on_cell(g); sign != 0) return sign;
    if (k_ < suspicion_bits) {
      if (!jump()) bisect();
    } else if (may_vanish && ends_are_roots()) {
      bisect();
    } else if (may_vanish) {
      if (is_root_of_factor(g)) return 0;
      may_vanish = false;
    } else {
      refine_quadratically(bits);
    }
  }
  return sign_at_fraction(g, num_, den_);
}

// The sign of g on the whole open cell if its Bernstein coefficients there tell; otherwise 0.
int UnitRoot::sign_on_cell(const IntegerPolynomial& g) const
{
  const Integer low = scaled_value(g, m_, k_);
  Integer middle, high;
  if (g.degree == 1) {
    high = low + g.c[1];
    middle = low;
  } else {
    const Integer slope = (g.c[1] << k_) + 2 * g.c[2] * m_;
    high = low + slope + g.c[2];
    middle = 2 * low + slope;
  }
  const int s0 = sgn(low), s1 = sgn(middle), s2 = sgn(high);
  if (s0 >= 0 && s1 >= 0 && s2 >= 0 && s0 + s1 + s2 > 0) return 1;
  if (s0 <= 0 && s1 <= 0 && s2 <= 0 && s0 + s1 + s2 < 0) return -1;
  return 0;
}

bool UnitRoot::ends_are_roots() const
{
  return sgn(scaled_value(*f_, m_, k_)) == 0 || sgn(scaled_value(*f_, m_ + 1, k_)) == 0;
}

// Whether f and g share the root. The only root of f in the cell is simple and not at an end, so
// their common factor vanishes there if and only if it changes sign.
bool UnitRoot::is_root_of_factor(const IntegerPolynomial& g) const
{
  const IntegerPolynomial common = greatest_common_divisor(*f_, g);
  return common.degree >= 1 &&
         sgn(scaled_value(common, m_, k_)) * sgn(scaled_value(common, m_ + 1, k_)) < 0;
}

// Compares the root with a part [m, m + 1] / 2^k of its cell by exact signs, and moves there if
// that is where it is. The cell's own ends may be roots of f too: their signs are known, not
// computed.
UnitRoot::Side UnitRoot::narrow_to(const Integer& m, int k)
{
  const Integer top = (m_ + 1) << (k - k_), bottom = m_ << (k - k_), above = m + 1;
  const int low = m == bottom ? sign_low_ : sgn(scaled_value(*f_, m, k));
  if (low == -sign_low_) return Side::below;
  if (low == 0) {
    become_fraction(m, k);
    return Side::here;
  }
  const int high = above == top ? -sign_low_ : sgn(scaled_value(*f_, above, k));
  if (high == sign_low_) return Side::above;
  if (high == 0) {
    become_fraction(above, k);
  } else {
    m_ = m;
    k_ = k;
  }
  return Side::here;
}

void UnitRoot::bisect()
{
  const Integer left = 2 * m_;
  if (narrow_to(left, k_ + 1) == Side::here) return;
  m_ = left + 1;
  ++k_;
}

// Newton in double picks the cell, exact signs confirm it. A coarser cell forgives a guess that is
// off by a little. False if the root is nowhere near the guess.
bool UnitRoot::jump()
{
  const double position = approximate_position();
  for (const int bits : {jump_bits, jump_bits - 3, (jump_bits + k_) / 2}) {
    const int gained = bits - k_;
    if (gained < 2) break;
    const double cells = std::ldexp(1.0, gained);
    const Integer offset(std::min(std::floor(position * cells), cells - 1.0));
    if (narrow_to((m_ << gained) + offset, bits) == Side::here) return true;
  }
  return false;
}

// Where in the cell the root is, from 0 to 1, by bracketed Newton on f((m + s) / 2^k).
double UnitRoot::approximate_position() const
{
  const int degree = f_->degree;
  std::array<Integer, 4> shifted;
  for (int i = 0; i <= degree; ++i) shifted[i] = f_->c[i] << (k_ * (degree - i));
  for (int i = 0; i < degree; ++i)
    for (int j = degree - 1; j >= i; --j) shifted[j] += m_ * shifted[j + 1];

  std::array<double, 4> c{};
  std::array<long, 4> exponent{};
  long largest = LONG_MIN;
  for (int i = 0; i <= degree; ++i) {
    c[i] = mpz_get_d_2exp(&exponent[i], shifted[i].get_mpz_t());
    if (c[i] != 0.0) largest = std::max(largest, exponent[i]);
  }
  for (int i = 0; i <= degree; ++i)
    c[i] = std::ldexp(c[i], static_cast<int>(std::max(exponent[i] - largest, -1000L)));

  double lo = 0.0, hi = 1.0, s = 0.5;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double value = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    const double slope = c[1] + s * (2.0 * c[2] + s * 3.0 * c[3]);
    if (value == 0.0) break;
    (std::signbit(value) == (sign_low_ < 0) ? lo : hi) = s;
    const double next = s - value / slope;
    const double last = s;
    s = next > lo && next < hi ? next : 0.5 * (lo + hi);
    if (std::abs(s - last) < 0x1p-54) break;
  }
  return s;
}

// Quadratic interval refinement (Abbott 2006): the secant names one of 2^bits parts of the cell;
// two exact signs confirm it or the part beside it. On success the next step gains twice the bits.
void UnitRoot::refine_quadratically(int& bits)
{
  const Integer low = abs(scaled_value(*f_, m_, k_)), high = abs(scaled_value(*f_, m_ + 1, k_));
  if (low != 0 && high != 0) {
    const int k = k_ + bits;
    const Integer guess = (m_ << bits) + (low << bits) / (low + high);
    Side side = narrow_to(guess, k);
    if (side == Side::below) side = narrow_to(guess - 1, k);
    if (side == Side::above) side = narrow_to(guess + 1, k);
    if (side == Side::here) {
      bits *= 2;
      return;
    }
    bits = std::max(bits / 2, 2);
  }
  bisect();
}

double UnitRoot::lower_bound()
{
  while (!is_fraction() && k_ < time_bits)
    if (!jump()) bisect();
  // Both conversions truncate, but ldexp would round a subnormal number: 0 is near enough there.
  if (is_fraction()) {
    mpq_class quotient(num_, den_);
    quotient.canonicalize();
    return quotient.get_d();
  }
  long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, m_.get_mpz_t());
  return exponent - k_ < -1000 ? 0.0 : std::ldexp(mantissa, static_cast<int>(exponent - k_));
}

}  // namespace tact
