// tr(R' F) is maximised over rotations by Newton's method, safeguarded. With r_i, a_i the columns
// of R and F, and exp(w) R in place of R,
//
//   tr = tr(R' F) + w . g - w' H w / 2 + O(|w|^3),   g = sum_i r_i x a_i,  H = tr(S) I - S,
//                                                    S the symmetric part of F R'
//
// so that w = H^-1 g where H is positive definite: near the maximum, for flat and most inverted
// matrices too, where the eigenvalues of H are sums s_i + s_j of signed singular values. Elsewhere
// H is shifted until it is. Tolerances are relative to L = sqrt(2) |F| >= s_1 + s_2 >= |H|. (To
// divide g by |tr(R' F)| instead is common. That converges linearly, and for inverted matrices at
// the edge of stability.)
//
// The start is Gram-Schmidt on the columns of F, the longest first, then the one with the longer
// rest; the third is their cross product. It is exact for F = R D with any diagonal D, so that the
// iteration does not begin at another stationary point.
//
// exp(w) is replaced by the unit quaternion along (1, w / 2), which differs from it by O(|w|^3) and
// needs no sine. Rotations are kept as quaternion times start: orthonormality does not wear off.
#include <tact/linalg/rotation_lanes.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace tact {

namespace {

using Mask = std::int64_t __attribute__((vector_size(lane_width * sizeof(double))));

struct Vector3Lanes {
  Lanes at[3] = {};

  Lanes& operator[](int k) { return at[k]; }
  Lanes operator[](int k) const { return at[k]; }
};

// Columns, or rows.
using Three = std::array<Vector3Lanes, 3>;

constexpr int max_iterations = 50;       // four or five are usual
constexpr double smallest_step = 1e-8;   // rad; what is left after it is of the order of its square
constexpr double largest_step = 0.5;     // rad; beyond it the expansion above says little
constexpr double flat_gradient = 2e-15;  // of L: round-off
constexpr double smallest_rotation_pivot = 1e-10;  // of L, in the factorisation of H
constexpr double smallest_shift = 1e-7;            // of L
constexpr double tiny = 1e-300;                    // in place of a zero divisor

Lanes square_root(Lanes x)
{
  for (int k = 0; k < lane_width; ++k) x[k] = std::sqrt(x[k]);
  return x;
}

bool all(Mask mask)
{
  bool result = true;
  for (int k = 0; k < lane_width; ++k) result = result && mask[k] != 0;
  return result;
}

Lanes larger(Lanes a, Lanes b)
{
  return a > b ? a : b;
}

Lanes dot(const Vector3Lanes& a, const Vector3Lanes& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector3Lanes cross(const Vector3Lanes& a, const Vector3Lanes& b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector3Lanes scaled(const Vector3Lanes& a, Lanes factor)
{
  return {a[0] * factor, a[1] * factor, a[2] * factor};
}

Vector3Lanes select(Mask mask, const Vector3Lanes& a, const Vector3Lanes& b)
{
  return {mask ? a[0] : b[0], mask ? a[1] : b[1], mask ? a[2] : b[2]};
}

Vector3Lanes operator-(const Vector3Lanes& a, const Vector3Lanes& b)
{
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Vector3Lanes normalised(const Vector3Lanes& a)
{
  return scaled(a, 1.0 / square_root(larger(dot(a, a), broadcast(tiny))));
}

// What is left of a across the unit vector e.
Vector3Lanes across(const Vector3Lanes& a, const Vector3Lanes& e)
{
  return a - scaled(e, dot(a, e));
}

// Columns of F, divided by its largest entry: nothing overflows, and lengths can be compared
// with 1.
Three scaled_columns(const Matrix3Lanes& F)
{
  Lanes largest = broadcast(tiny);
  for (const auto& row : F.rows) {
    for (const Lanes entry : row) largest = larger(largest, larger(entry, -entry));
  }
  const Lanes factor = 1.0 / largest;
  Three a;
  for (int j = 0; j < 3; ++j) a[j] = {F[0][j] * factor, F[1][j] * factor, F[2][j] * factor};
  return a;
}

// Some direction across the unit vector e: that of the axis that is farthest from it. It is y for
// x.
Vector3Lanes any_across(const Vector3Lanes& e)
{
  const Lanes x = e[0] * e[0], y = e[1] * e[1], z = e[2] * e[2];
  const Lanes zero = {}, one = broadcast(1.0);
  const Mask is_y = (y <= x) & (y <= z), is_x = ~is_y & (x <= z);
  return across({is_x ? one : zero, is_y ? one : zero, is_x | is_y ? zero : one}, e);
}

// Right-handed axes by Gram-Schmidt on the columns a: the longest, then the longer rest.
Three start_axes(const Three& a)
{
  const Lanes n0 = dot(a[0], a[0]), n1 = dot(a[1], a[1]), n2 = dot(a[2], a[2]);
  const Mask is_1 = (n1 > n0) & (n1 >= n2), is_2 = (n2 > n0) & (n2 > n1);
  // Column k is the longest; its followers in the cycle k, k + 1, k + 2.
  const auto pick = [&](const Three& from, int k) {
    return select(is_1, from[(k + 1) % 3], select(is_2, from[(k + 2) % 3], from[k]));
  };
  const Vector3Lanes x_axis = {broadcast(1.0), Lanes{}, Lanes{}};
  const Vector3Lanes longest = pick(a, 0);
  const Vector3Lanes e0 = select(dot(longest, longest) > 0.0, normalised(longest), x_axis);
  const Vector3Lanes rest_1 = across(pick(a, 1), e0), rest_2 = across(pick(a, 2), e0);
  const Mask first_is_longer = dot(rest_1, rest_1) >= dot(rest_2, rest_2);
  const Vector3Lanes rest = select(first_is_longer, rest_1, rest_2);
  // The longest column is at least 1 long, so that a rest below 1e-15 is round-off: rank 1 or 0.
  const Vector3Lanes second = select(dot(rest, rest) > 1e-30, rest, any_across(e0));
  const Vector3Lanes e = normalised(across(normalised(second), e0));  // twice is enough
  const Three r = {e0, select(first_is_longer, e, cross(e, e0)),
                   select(first_is_longer, cross(e0, e), e)};
  // Back from the cycle: column 0 is number -k of it, which is 2 k.
  const auto unpick = [&](int k) {
    return select(is_1, r[(k + 2) % 3], select(is_2, r[(k + 1) % 3], r[k]));
  };
  return {unpick(0), unpick(1), unpick(2)};
}

struct Quaternion {
  Lanes w;
  Vector3Lanes v;
};

// (1, w / 2) q, of length 1.
Quaternion turned(const Quaternion& q, const Vector3Lanes& w)
{
  const Vector3Lanes half = scaled(w, broadcast(0.5));
  const Vector3Lanes turn = cross(half, q.v);
  Quaternion p{q.w - dot(half, q.v), {}};
  for (int i = 0; i < 3; ++i) p.v[i] = q.v[i] + half[i] * q.w + turn[i];
  const Lanes inverse_length = 1.0 / square_root(p.w * p.w + dot(p.v, p.v));
  return {p.w * inverse_length, scaled(p.v, inverse_length)};
}

Three rows_of_rotation(const Quaternion& q)
{
  const Lanes x = q.v[0], y = q.v[1], z = q.v[2], w = q.w;
  return {{{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
           {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
           {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}}};
}

// H and g of the expansion above.
struct Expansion {
  Vector3Lanes g;
  Lanes h00, h11, h22, h01, h02, h12;
};

// From M = F R': g from its skew part, H from the symmetric one.
Expansion expand(const Three& M)
{
  return {.g = {{M[2][1] - M[1][2], M[0][2] - M[2][0], M[1][0] - M[0][1]}},
          .h00 = M[1][1] + M[2][2],
          .h11 = M[0][0] + M[2][2],
          .h22 = M[0][0] + M[1][1],
          .h01 = -0.5 * (M[0][1] + M[1][0]),
          .h02 = -0.5 * (M[0][2] + M[2][0]),
          .h12 = -0.5 * (M[1][2] + M[2][1])};
}

struct Step {
  Vector3Lanes w;
  Mask sound;  // all pivots are positive
};

// w = (H + shift I)^-1 g by H + shift I = T D T' with a unit triangle T.
Step newton_step(const Expansion& e, Lanes shift, Lanes smallest)
{
  const Lanes d0 = e.h00 + shift, i0 = 1.0 / d0, t10 = e.h01 * i0, t20 = e.h02 * i0;
  const Lanes d1 = e.h11 + shift - t10 * e.h01, i1 = 1.0 / d1;
  const Lanes rest = e.h12 - t20 * e.h01, t21 = rest * i1;
  const Lanes d2 = e.h22 + shift - t20 * e.h02 - t21 * rest;
  const Lanes y1 = e.g[1] - t10 * e.g[0], y2 = e.g[2] - t20 * e.g[0] - t21 * y1;
  const Lanes w2 = y2 / d2, w1 = y1 * i1 - t21 * w2, w0 = e.g[0] * i0 - t10 * w1 - t20 * w2;
  return {{{w0, w1, w2}}, (d0 > smallest) & (d1 > smallest) & (d2 > smallest)};
}

// The smallest eigenvalue of H, from below: Newton's method on the characteristic polynomial,
// started left of its roots, never passes the first. The start is mean - sqrt(2/3) |deviator|.
Lanes smallest_eigenvalue(const Expansion& e)
{
  const Lanes m = (e.h00 + e.h11 + e.h22) / 3.0;
  const Lanes n0 = e.h00 - m, n1 = e.h11 - m, n2 = e.h22 - m;
  const Lanes off = e.h01 * e.h01 + e.h02 * e.h02 + e.h12 * e.h12;
  const Lanes det = n0 * (n1 * n2 - e.h12 * e.h12) - e.h01 * (e.h01 * n2 - e.h12 * e.h02) +
                    e.h02 * (e.h01 * e.h12 - n1 * e.h02);
  const Lanes half_norm = 0.5 * (n0 * n0 + n1 * n1 + n2 * n2) + off;  // |N|^2 / 2
  Lanes x = -square_root(half_norm * (4.0 / 3.0));
  for (int k = 0; k < 8; ++k) {  // x^3 - half_norm x - det = 0
    const Lanes slope = larger(3.0 * x * x - half_norm, broadcast(tiny));
    x -= (x * (x * x - half_norm) - det) / slope;
  }
  return m + x;
}

// Turns the smallest eigenvalue of H into its opposite: away from a saddle the distance doubles.
Lanes convex_shift(const Expansion& e, Lanes L)
{
  return 2.0 * larger(-smallest_eigenvalue(e), Lanes{}) + smallest_shift * L;
}

Vector3Lanes ascent_step(const Expansion& e, Lanes L)
{
  const Step newton = newton_step(e, Lanes{}, smallest_rotation_pivot * L);
  Vector3Lanes w = newton.w;
  if (!all(newton.sound)) {
    w = select(newton.sound, w, newton_step(e, convex_shift(e, L), Lanes{}).w);
  }
  const Lanes length = square_root(larger(dot(w, w), broadcast(tiny)));
  return select(length > largest_step, scaled(w, largest_step / length), w);
}

}  // namespace

Matrix3Lanes nearest_rotation(const Matrix3Lanes& F)
{
  const Three a = scaled_columns(F);
  const Three start = start_axes(a);
  Three G;  // rows of F R_start'; then F R' = G Q'
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      G[i][j] = a[0][i] * start[0][j] + a[1][i] * start[1][j] + a[2][i] * start[2][j];
    }
  }
  const Lanes squares = dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]);
  const Lanes L = square_root(larger(2.0 * squares, broadcast(tiny)));

  Quaternion q{broadcast(1.0), {}};
  Three Q = rows_of_rotation(q);
  Mask done = {};
  for (int iteration = 0; iteration < max_iterations && !all(done); ++iteration) {
    Three M;
    for (int i = 0; i < 3; ++i) M[i] = {dot(G[i], Q[0]), dot(G[i], Q[1]), dot(G[i], Q[2])};
    const Expansion e = expand(M);
    done |= dot(e.g, e.g) <= flat_gradient * flat_gradient * L * L;
    const Vector3Lanes w = ascent_step(e, L);
    const Quaternion next = turned(q, w);
    q = {done ? q.w : next.w, select(done, q.v, next.v)};
    done |= dot(w, w) <= smallest_step * smallest_step;
    Q = rows_of_rotation(q);
  }

  Matrix3Lanes R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R[i][j] = dot(Q[i], start[j]);
  }
  return R;
}

}  // namespace tact
