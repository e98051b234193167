// Rounding errors of the polynomials, measured in rational arithmetic against their proved bounds.
#include <algorithm>
#include <array>

#include <doctest/doctest.h>
#include <gmpxx.h>

#include <tact/collision/ccd_families.hpp>
#include <tact/collision/ccd_polynomials.hpp>

namespace tact {
namespace {

using Rational = mpq_class;
using RationalVector = std::array<Rational, 3>;

RationalVector exact(const Vector3d& x)
{
  return {x[0], x[1], x[2]};
}

RationalVector operator-(const RationalVector& x, const RationalVector& y)
{
  return {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
}

RationalVector exact_cross(const RationalVector& x, const RationalVector& y)
{
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

Rational dot(const RationalVector& x, const RationalVector& y)
{
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// The blossom of a polynomial of degree `times.size()` from its Bernstein coefficients.
template <std::size_t degree>
Rational blossom(std::array<Rational, degree + 1> b, const std::array<double, degree>& times)
{
  for (std::size_t level = 0; level < degree; ++level)
    for (std::size_t i = 0; i + level < degree; ++i)
      b[i] = (1 - Rational(times[level])) * b[i] + Rational(times[level]) * b[i + 1];
  return b[0];
}

struct ExactMotion {
  std::array<RationalVector, 2> P, Q, R;

  explicit ExactMotion(const CcdQuery& query)
  {
    for (const int end : {0, 1}) {
      const auto x = [&](int i) { return exact(end == 0 ? query.start[i] : query.end[i]); };
      const bool face = query.kind == CcdKind::vertex_face;
      P[end] = face ? x(2) - x(1) : x(1) - x(0);
      Q[end] = face ? x(3) - x(1) : x(3) - x(2);
      R[end] = face ? x(0) - x(1) : x(2) - x(0);
    }
  }
};

using Coefficients = std::array<Rational, 3>;

Coefficients cross_component(const std::array<RationalVector, 2>& A,
                             const std::array<RationalVector, 2>& B, int k)
{
  return {exact_cross(A[0], B[0])[k], (exact_cross(A[0], B[1])[k] + exact_cross(A[1], B[0])[k]) / 2,
          exact_cross(A[1], B[1])[k]};
}

std::array<Rational, 4> exact_coplanarity(const ExactMotion& m)
{
  const auto term = [&](int i, int j, int k) { return dot(exact_cross(m.P[i], m.Q[j]), m.R[k]); };
  return {term(0, 0, 0), (term(0, 0, 1) + term(0, 1, 0) + term(1, 0, 0)) / 3,
          (term(1, 1, 0) + term(0, 1, 1) + term(1, 0, 1)) / 3, term(1, 1, 1)};
}

// The largest error in units of u times `scale`.
struct WorstError {
  double units = 0.0;

  void add(double computed, const Rational& expected, double scale)
  {
    const Rational error = abs(Rational(computed) - expected);
    if (error == 0) return;
    const Rational in_units = error / (Rational(unit_roundoff) * Rational(scale));
    units = std::max(units, in_units.get_d());
  }
};

TEST_CASE("Rounding errors stay within the bounds of the filter")
{
  WorstError coefficient, evaluation, quadratic, rest_of_edges, rest_of_face;
  for (int f = 0; f < ccd_family_count; ++f) {
    Random random(1000 + static_cast<std::uint64_t>(f));
    for (int i = 0; i < 150; ++i) {
      const CcdQuery query = random_query(static_cast<CcdFamily>(f), random);
      const RelativeMotion motion(query);
      if (!motion.bounds_hold()) continue;
      const Vector3d& L = motion.extent;
      const double L3 = L.prod();
      const ExactMotion exact_motion(query);
      const QuadraticVector n = cross(motion.P, motion.Q);
      const Cubic b = coplanarity(n, motion.R);
      const std::array<Rational, 4> b_exact = exact_coplanarity(exact_motion);
      const std::array<double, 4> b_array = {b.b0, b.b1, b.b2, b.b3};
      for (int j = 0; j < 4; ++j) coefficient.add(b_array[j], b_exact[j], L3);

      // What evaluation adds to the computed coefficients.
      const double lo = random.uniform(), hi = std::min(1.0, lo + random.uniform(0.0, 1e-3));
      const std::array<Rational, 4> b_rounded = {b.b0, b.b1, b.b2, b.b3};
      const double largest = std::max(b.largest(), -b.smallest());
      evaluation.add(b.blossom(lo, lo, hi), blossom<3>(b_rounded, {lo, lo, hi}), largest);

      const QuadraticVector U = cross(motion.R, motion.Q), T = cross(motion.P, motion.R);
      for (int k = 0; k < 3; ++k) {
        const double L2 = L[(k + 1) % 3] * L[(k + 2) % 3];
        const auto value = [&](const QuadraticVector& v) {
          return component(v, k).blossom(lo, hi);
        };
        const auto exact_value = [&](const auto& A, const auto& B) {
          return blossom<2>(cross_component(A, B, k), {lo, hi});
        };
        const Rational n_exact = exact_value(exact_motion.P, exact_motion.Q);
        const Rational U_exact = exact_value(exact_motion.R, exact_motion.Q);
        const Rational T_exact = exact_value(exact_motion.P, exact_motion.R);
        quadratic.add(value(n), n_exact, L2);
        quadratic.add(value(U), U_exact, L2);
        quadratic.add(value(T), T_exact, L2);
        rest_of_edges.add(value(n) - value(U), n_exact - U_exact, L2);
        rest_of_face.add(value(n) - value(U) - value(T), n_exact - U_exact - T_exact, L2);
      }
    }
  }
  // The bounds in units of u. Errors below a hundredth of them would mean that nothing was
  // measured.
  const FilterBounds bounds;
  const auto check = [](const WorstError& worst, double bound) {
    CAPTURE(worst.units);
    CAPTURE(bound);
    CHECK(worst.units <= bound);
    CHECK(worst.units >= 0.01 * bound);
  };
  check(coefficient, bounds.cubic / unit_roundoff);
  check(evaluation, bounds.blossom / unit_roundoff);
  check(quadratic, bounds.quadratic / unit_roundoff);
  check(rest_of_edges, 2.25 * bounds.quadratic / unit_roundoff);
  check(rest_of_face, 3.5 * bounds.quadratic / unit_roundoff);
}

}  // namespace
}  // namespace tact
