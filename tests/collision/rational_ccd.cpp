#include "rational_ccd.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tact {
namespace {

constexpr int bits = 320;

// Coefficients from the constant upwards, none above the degree.
using Polynomial = std::vector<mpz_class>;
using PolynomialVector = std::array<Polynomial, 3>;

Polynomial trimmed(Polynomial p)
{
  while (!p.empty() && p.back() == 0) p.pop_back();
  return p;
}

Polynomial combined(const Polynomial& x, const Polynomial& y, int factor)
{
  Polynomial sum(std::max(x.size(), y.size()));
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] += x[i];
  for (std::size_t i = 0; i < y.size(); ++i) sum[i] += factor * y[i];
  return trimmed(sum);
}

Polynomial operator+(const Polynomial& x, const Polynomial& y)
{
  return combined(x, y, 1);
}
Polynomial operator-(const Polynomial& x, const Polynomial& y)
{
  return combined(x, y, -1);
}

Polynomial operator*(const Polynomial& x, const Polynomial& y)
{
  if (x.empty() || y.empty()) return {};
  Polynomial product(x.size() + y.size() - 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j) product[i + j] += x[i] * y[j];
  return trimmed(product);
}

PolynomialVector operator-(const PolynomialVector& x, const PolynomialVector& y)
{
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}

Polynomial dot(const PolynomialVector& x, const PolynomialVector& y)
{
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

Polynomial determinant(const PolynomialVector& x, const PolynomialVector& y,
                       const PolynomialVector& z)
{
  return x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
         x[2] * (y[0] * z[1] - y[1] * z[0]);
}

// A time m / 2^bits, or the open interval from there to (m + 1) / 2^bits.
struct Candidate {
  mpz_class m;
  bool exact = true;
};

// p(m / 2^bits) 2^(bits degree)
mpz_class scaled_value(const Polynomial& p, const mpz_class& m)
{
  mpz_class value = 0;
  std::size_t shift = 0;
  for (std::size_t i = p.size(); i-- > 0; shift += bits) value = value * m + (p[i] << shift);
  return value;
}

int sign_at(const Polynomial& p, const Candidate& t)
{
  if (p.empty()) return 0;
  const mpz_class value = scaled_value(p, t.m);
  if (t.exact || p.size() == 1) return sgn(value);
  // Over the interval p changes by less than 2^-bits times its largest slope on [0, 1]. Four times
  // that also covers a candidate that is itself the root of a derivative with such an interval.
  mpz_class slope = 0;
  for (std::size_t i = 1; i < p.size(); ++i) slope += static_cast<unsigned long>(i) * abs(p[i]);
  const mpz_class margin = (4 * slope) << (bits * (p.size() - 2));
  return abs(value) <= margin ? 0 : sgn(value);
}

// The root of p between two candidates at which it has opposite signs.
Candidate bisected(const Polynomial& p, mpz_class low, mpz_class high, int sign_at_low)
{
  while (high - low > 1) {
    const mpz_class middle = (low + high) / 2;
    const int sign = sgn(scaled_value(p, middle));
    if (sign == 0) return {middle, true};
    (sign == sign_at_low ? low : high) = middle;
  }
  return {low, false};
}

// Roots in [0, 1], ascending. Between two neighbouring roots of the derivative there is at most
// one.
std::vector<Candidate> roots(const Polynomial& p)
{
  if (p.size() < 2) return {};
  Polynomial slope;
  for (std::size_t i = 1; i < p.size(); ++i) slope.push_back(static_cast<unsigned long>(i) * p[i]);
  std::vector<Candidate> turns = {{0, true}};
  for (const Candidate& turn : roots(slope)) turns.push_back(turn);
  turns.push_back({mpz_class(1) << bits, true});

  std::vector<Candidate> found;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const int sign = sign_at(p, turns[i]);
    if (sign == 0) found.push_back(turns[i]);
    if (i + 1 == turns.size()) break;
    if (sign * sign_at(p, turns[i + 1]) < 0)
      found.push_back(bisected(p, turns[i].m, turns[i + 1].m, sign));
  }
  return found;
}

PolynomialVector position(const CcdQuery& query, int i)
{
  PolynomialVector x;
  for (int k = 0; k < 3; ++k)
    x[k] = trimmed({mpz_class(query.start[i][k]), mpz_class(query.end[i][k] - query.start[i][k])});
  return x;
}

// A point on a segment.
struct PointSegment {
  Polynomial length_2, along, distance_2, area_2;

  PointSegment(const PolynomialVector& p, const PolynomialVector& q0, const PolynomialVector& q1)
  {
    const PolynomialVector e = q1 - q0, f = p - q0;
    length_2 = dot(e, e);
    along = dot(e, f);
    distance_2 = dot(f, f);
    area_2 = length_2 * distance_2 - along * along;
  }

  bool meet_at(const Candidate& t) const
  {
    if (sign_at(length_2, t) == 0) return sign_at(distance_2, t) == 0;
    return sign_at(area_2, t) == 0 && sign_at(along, t) >= 0 && sign_at(length_2 - along, t) >= 0;
  }

  std::vector<Polynomial> conditions() const
  {
    return {length_2, along, distance_2, area_2, length_2 - along};
  }
};

class RationalQuery {
 public:
  explicit RationalQuery(const CcdQuery& query)
  {
    std::array<PolynomialVector, 4> x;
    for (int i = 0; i < 4; ++i) x[i] = position(query, i);
    const bool face = query.kind == CcdKind::vertex_face;
    const PolynomialVector P = face ? x[2] - x[1] : x[1] - x[0];
    const PolynomialVector Q = face ? x[3] - x[1] : x[3] - x[2];
    const PolynomialVector R = face ? x[0] - x[1] : x[2] - x[0];
    coplanarity_ = determinant(P, Q, R);
    // R = (W1 P + W2 Q) / D by Cramer's rule on the normal equations.
    gram_ = dot(P, P) * dot(Q, Q) - dot(P, Q) * dot(P, Q);
    const Polynomial W1 = dot(R, P) * dot(Q, Q) - dot(R, Q) * dot(P, Q);
    const Polynomial W2 = dot(R, Q) * dot(P, P) - dot(R, P) * dot(P, Q);
    if (face) {
      nonnegative_ = {W1, W2, gram_ - W1 - W2};
      sides_ = {{x[0], x[1], x[2]}, {x[0], x[2], x[3]}, {x[0], x[3], x[1]}};
    } else {
      nonnegative_ = {W1, gram_ - W1, Polynomial() - W2, gram_ + W2};
      sides_ = {{x[0], x[2], x[3]}, {x[1], x[2], x[3]}, {x[2], x[0], x[1]}, {x[3], x[0], x[1]}};
    }
  }

  std::vector<Candidate> candidates() const
  {
    std::vector<Candidate> times = {{0, true}};
    const auto add_roots = [&](const Polynomial& p) {
      for (const Candidate& root : roots(p)) times.push_back(root);
    };
    if (!coplanarity_.empty()) {
      add_roots(coplanarity_);
      return times;
    }
    add_roots(gram_);
    for (const Polynomial& p : nonnegative_) add_roots(p);
    for (const PointSegment& side : sides_)
      for (const Polynomial& p : side.conditions()) add_roots(p);
    std::sort(times.begin(), times.end(),
              [](const Candidate& a, const Candidate& b) { return a.m < b.m; });
    return times;
  }

  bool contact_at(const Candidate& t) const
  {
    if (sign_at(coplanarity_, t) != 0) return false;
    if (sign_at(gram_, t) != 0)
      return std::all_of(nonnegative_.begin(), nonnegative_.end(),
                         [&](const Polynomial& p) { return sign_at(p, t) >= 0; });
    return std::any_of(sides_.begin(), sides_.end(),
                       [&](const PointSegment& side) { return side.meet_at(t); });
  }

 private:
  Polynomial coplanarity_, gram_;
  std::vector<Polynomial> nonnegative_;  // conditions of contact where gram_ is not 0
  std::vector<PointSegment> sides_;      // any of them is contact where it is
};

}  // namespace

std::optional<RationalTime> rational_contact(const CcdQuery& query)
{
  const RationalQuery rational(query);
  for (const Candidate& t : rational.candidates()) {
    if (!rational.contact_at(t)) continue;
    const mpz_class scale = mpz_class(1) << bits;
    RationalTime time{mpq_class(t.m, scale), mpq_class(t.exact ? t.m : t.m + 1, scale)};
    time.low.canonicalize();
    time.high.canonicalize();
    return time;
  }
  return std::nullopt;
}

}  // namespace tact
