#include <tact/collision/ccd_exact.hpp>

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdint>
#include <span>

#include <fmt/core.h>

#include <tact/collision/ccd_exact_polynomial.hpp>
#include <tact/collision/ccd_exact_roots.hpp>
#include <tact/core/error.hpp>

namespace tact {
namespace {

// start + t change
struct Linear {
  Integer start, change;
};
using LinearVector = std::array<Linear, 3>;

Linear operator-(const Linear& x, const Linear& y)
{
  return {x.start - y.start, x.change - y.change};
}

LinearVector operator-(const LinearVector& x, const LinearVector& y)
{
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}

IntegerPolynomial product(const Linear& x, const Linear& y)
{
  IntegerPolynomial p;
  p.c[0] = x.start * y.start;
  p.c[1] = x.start * y.change + x.change * y.start;
  p.c[2] = x.change * y.change;
  p.trim(2);
  return p;
}

// a d - b c
IntegerPolynomial determinant(const Linear& a, const Linear& b, const Linear& c, const Linear& d)
{
  IntegerPolynomial p;
  p.c[0] = a.start * d.start - b.start * c.start;
  p.c[1] = a.start * d.change + a.change * d.start;
  p.c[1] -= b.start * c.change + b.change * c.start;
  p.c[2] = a.change * d.change - b.change * c.change;
  p.trim(2);
  return p;
}

// Component k of A x B.
IntegerPolynomial cross_component(const LinearVector& A, const LinearVector& B, int k)
{
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  return determinant(A[i], A[j], B[i], B[j]);
}

IntegerPolynomial operator+(const IntegerPolynomial& x, const IntegerPolynomial& y)
{
  IntegerPolynomial sum;
  for (int i = 0; i < 3; ++i) sum.c[i] = x.c[i] + y.c[i];
  sum.trim(2);
  return sum;
}

IntegerPolynomial operator-(const IntegerPolynomial& x, const IntegerPolynomial& y)
{
  IntegerPolynomial difference;
  for (int i = 0; i < 3; ++i) difference.c[i] = x.c[i] - y.c[i];
  difference.trim(2);
  return difference;
}

struct Scaled {
  std::int64_t mantissa;  // odd, or 0
  int exponent;
};

Scaled take_apart(double x)
{
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
  if (mantissa == 0) return {0, 0};
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return {mantissa >> zeros, exponent - 53 + zeros};
}

// The eight values of one axis as integers: all times the same power of two. Axes may differ in it,
// because contact does not change when space is stretched along an axis.
std::array<Integer, 8> integer_coordinates(const CcdQuery& query, int axis)
{
  std::array<Scaled, 8> scaled;
  int smallest = INT_MAX;
  for (int i = 0; i < 8; ++i) {
    const double x = i < 4 ? query.start[i][axis] : query.end[i - 4][axis];
    if (!std::isfinite(x))
      throw Error(
          fmt::format("contact: vertex {} has coordinate {} at t = {}, expected a finite one",
                      i % 4, x, i / 4));
    scaled[i] = take_apart(x);
    if (x != 0.0) smallest = std::min(smallest, scaled[i].exponent);
  }
  std::array<Integer, 8> value;
  for (int i = 0; i < 8; ++i) {
    value[i] = static_cast<long>(scaled[i].mantissa);
    if (value[i] != 0) value[i] <<= scaled[i].exponent - smallest;
  }
  return value;
}

class ExactQuery {
 public:
  explicit ExactQuery(const CcdQuery& query);

  std::optional<double> first_contact() const;

 private:
  // A vertex and two others that span a side of the other feature.
  struct PointSegment {
    int p, q0, q1;
  };

  bool contact_at(UnitRoot& time) const;
  bool weights_allow_contact(UnitRoot& time, int axis, int sign) const;
  bool meet(const PointSegment& pair, UnitRoot& time) const;
  std::span<const PointSegment> point_segments() const;
  std::optional<double> first_meeting(const PointSegment& pair) const;
  std::optional<double> first_coincidence(const PointSegment& pair) const;

  CcdKind kind_;
  std::array<LinearVector, 4> x_;
  LinearVector P_, Q_, R_;
  std::array<IntegerPolynomial, 3> n_;
  IntegerPolynomial f_;
};

// The polynomials are those of ccd_polynomials.hpp.
ExactQuery::ExactQuery(const CcdQuery& query) : kind_(query.kind)
{
  for (int axis = 0; axis < 3; ++axis) {
    const std::array<Integer, 8> value = integer_coordinates(query, axis);
    for (int i = 0; i < 4; ++i) x_[i][axis] = {value[i], value[i + 4] - value[i]};
  }
  const bool face = kind_ == CcdKind::vertex_face;
  P_ = face ? x_[2] - x_[1] : x_[1] - x_[0];
  Q_ = face ? x_[3] - x_[1] : x_[3] - x_[2];
  R_ = face ? x_[0] - x_[1] : x_[2] - x_[0];
  for (int k = 0; k < 3; ++k) {
    n_[k] = cross_component(P_, Q_, k);
    for (int i = 0; i <= n_[k].degree; ++i) {
      f_.c[i] += n_[k].c[i] * R_[k].start;
      f_.c[i + 1] += n_[k].c[i] * R_[k].change;
    }
  }
  f_.trim(3);
}

// Coplanar at all times: then the first contact, unless it is at t = 0, puts a vertex on a side of
// the other feature. Were it in the interior of both, with n != 0, it would have been there just
// before; and where n = 0 the features are their own sides.
std::optional<double> ExactQuery::first_contact() const
{
  if (!f_.is_zero()) {
    UnitRoots times(f_);
    for (UnitRoot& time : times)
      if (contact_at(time)) return time.lower_bound();
    return std::nullopt;
  }
  UnitRoot start(0, 1);
  if (contact_at(start)) return 0.0;
  std::optional<double> first;
  for (const PointSegment& pair : point_segments()) {
    const std::optional<double> time = first_meeting(pair);
    if (time && (!first || *time < *first)) first = time;
  }
  return first;
}

// Whether the features touch at a coplanar time.
bool ExactQuery::contact_at(UnitRoot& time) const
{
  for (int axis = 0; axis < 3; ++axis)
    if (const int sign = time.sign_of(n_[axis]); sign != 0)
      return weights_allow_contact(time, axis, sign);
  // n = 0: parallel edges, or a face or an edge that has collapsed. Nothing is left but sides.
  const auto pairs = point_segments();
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const PointSegment& pair) { return meet(pair, time); });
}

bool ExactQuery::weights_allow_contact(UnitRoot& time, int axis, int sign) const
{
  const IntegerPolynomial& n = n_[axis];
  const auto allows = [&](const IntegerPolynomial& g) { return sign * time.sign_of(g) >= 0; };
  const IntegerPolynomial U = cross_component(R_, Q_, axis);
  if (!allows(U)) return false;
  if (kind_ == CcdKind::vertex_face) {
    const IntegerPolynomial T = cross_component(P_, R_, axis);
    return allows(T) && allows(n - (U + T));
  }
  const IntegerPolynomial minus_T = cross_component(R_, P_, axis);
  return allows(minus_T) && allows(n - U) && allows(n - minus_T);
}

// p on the segment q0 q1: in its box, and collinear with it. Right for q0 = q1 too.
bool ExactQuery::meet(const PointSegment& pair, UnitRoot& time) const
{
  const LinearVector from_q0 = x_[pair.p] - x_[pair.q0];
  const LinearVector from_q1 = x_[pair.p] - x_[pair.q1];
  for (int k = 0; k < 3; ++k)
    if (time.sign_of(product(from_q0[k], from_q1[k])) > 0) return false;
  for (int k = 0; k < 3; ++k)
    if (time.sign_of(cross_component(from_q0, from_q1, k)) != 0) return false;
  return true;
}

std::span<const ExactQuery::PointSegment> ExactQuery::point_segments() const
{
  static constexpr std::array<PointSegment, 3> of_face{{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}};
  static constexpr std::array<PointSegment, 4> of_edges{
      {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}}};
  if (kind_ == CcdKind::vertex_face) return of_face;
  return of_edges;
}

// The first time, t = 0 set aside, at which p is on the segment q0 q1.
std::optional<double> ExactQuery::first_meeting(const PointSegment& pair) const
{
  const LinearVector from_q0 = x_[pair.p] - x_[pair.q0];
  const LinearVector from_q1 = x_[pair.p] - x_[pair.q1];
  for (int k = 0; k < 3; ++k) {
    const IntegerPolynomial area = cross_component(from_q0, from_q1, k);
    if (area.is_zero()) continue;
    UnitRoots times(area);
    for (UnitRoot& time : times)
      if (meet(pair, time)) return time.lower_bound();
    return std::nullopt;
  }
  return first_coincidence(pair);
}

// Collinear at all times: contact can only begin where p meets q0 or q1.
std::optional<double> ExactQuery::first_coincidence(const PointSegment& pair) const
{
  std::optional<double> first;
  for (const int q : {pair.q0, pair.q1}) {
    const LinearVector distance = x_[pair.p] - x_[q];
    const auto moving = std::find_if(distance.begin(), distance.end(),
                                     [](const Linear& x) { return x.start != 0 || x.change != 0; });
    if (moving == distance.end() || moving->change == 0) continue;
    UnitRoot time(-moving->start, moving->change);
    if (!time.in_unit_interval() || !meet(pair, time)) continue;
    const double lower = time.lower_bound();
    if (!first || lower < *first) first = lower;
  }
  return first;
}

}  // namespace

std::optional<double> exact_contact(const CcdQuery& query)
{
  return ExactQuery(query).first_contact();
}

}  // namespace tact
