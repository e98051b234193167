#include <tact/collision/separation.hpp>

#include <algorithm>
#include <cmath>

#include <tact/collision/ccd_polynomials.hpp>
#include <tact/geometry/distance.hpp>

namespace tact {
namespace {

// Of the step: what advances by less is at the distance asked for.
constexpr double least_progress = 1e-9;

// a_i - b_j for all pairs of vertices of the two features.
struct VertexPairs {
  int count;
  std::array<Vector3d, 4> start, end;
  double extent = 0.0;  // L, the largest |component|

  explicit VertexPairs(const CcdQuery& query) : count(query.kind == CcdKind::vertex_face ? 3 : 4)
  {
    constexpr std::array<std::array<int, 2>, 4> of_face{{{0, 1}, {0, 2}, {0, 3}}};
    constexpr std::array<std::array<int, 2>, 4> of_edges{{{0, 2}, {0, 3}, {1, 2}, {1, 3}}};
    const auto& pairs = query.kind == CcdKind::vertex_face ? of_face : of_edges;
    Vector3d largest = Vector3d::Zero();
    for (int p = 0; p < count; ++p) {
      const auto [i, j] = pairs[p];
      start[p] = query.start[i] - query.start[j];
      end[p] = query.end[i] - query.end[j];
      largest = largest.cwiseMax(start[p].cwiseAbs()).cwiseMax(end[p].cwiseAbs());
    }
    extent = largest.maxCoeff();
  }

  Vector3d at(int p, double t) const { return (1.0 - t) * start[p] + t * end[p]; }

  // Where h_ij neither overflows nor loses to underflow what the slab's margin covers.
  bool in_range() const { return extent >= 1e-90 && extent <= 1e90; }
};

Vector3d closest_vector(const CcdQuery& query, double t)
{
  const auto x = [&](int i) -> Vector3d { return (1.0 - t) * query.start[i] + t * query.end[i]; };
  if (query.kind == CcdKind::vertex_face)
    return closest_vertex_face(x(0), x(1), x(2), x(3)).difference;
  return closest_edge_edge(x(0), x(1), x(2), x(3)).difference;
}

// The last time up to which the slab along n certifies the distance delta, if it does so at t;
// otherwise t. 1 or more: to the end.
//
// h is computed to 4 u |n|_1 L, its interpolation to 3 u |n|_1 L more, |n| to 3 u: `threshold`
// covers them, and the factor 1 - 8 u the four roundings of the crossing time.
double slab_end(const VertexPairs& pairs, const Vector3d& n, double t, double delta)
{
  constexpr double u = unit_roundoff;
  const double threshold =
      delta * n.norm() * (1.0 + 8.0 * u) + 16.0 * u * n.lpNorm<1>() * pairs.extent;
  double last = 1.0;
  for (int p = 0; p < pairs.count; ++p) {
    const double h0 = n.dot(pairs.start[p]), h1 = n.dot(pairs.end[p]);
    if (!((1.0 - t) * h0 + t * h1 >= threshold)) return t;
    if (h1 < threshold) last = std::min(last, (1.0 - 8.0 * u) * ((h0 - threshold) / (h0 - h1)));
  }
  return last;
}

// Whether the direction that turns from the unit vector n0 at t0 to n1 at t1, linearly in between,
// certifies the distance delta on all of [t0, t1]: |n(s)| <= 1, and h_ij(s) = n(s) . w_ij(s) with
// w_ij = a_i - b_j is quadratic in s, nowhere below the least of its Bezier control values
//   n0 . w_ij(t0),   (n0 . w_ij(t1) + n1 . w_ij(t0)) / 2,   n1 . w_ij(t1)
// The threshold covers the rounding of unit vectors, of w and of the products. Passing through is
// refused: the middle value is negative then.
bool turning_slab(const VertexPairs& pairs, const Vector3d& n0, double t0, const Vector3d& n1,
                  double t1, double delta)
{
  constexpr double u = unit_roundoff;
  const double threshold = delta * (1.0 + 16.0 * u) + 48.0 * u * pairs.extent;
  for (int p = 0; p < pairs.count; ++p) {
    const Vector3d w0 = pairs.at(p, t0), w1 = pairs.at(p, t1);
    if (!(n0.dot(w0) >= threshold) || !(n1.dot(w1) >= threshold) ||
        !(0.5 * (n0.dot(w1) + n1.dot(w0)) >= threshold))
      return false;
  }
  return true;
}

// The state of an advance: certified up to t, where n is the closest vector.
struct Advance {
  double t = 0.0;
  Vector3d n;
  double reach = 1.0;  // of the next try of a direction that turns
  int evaluations = 1;
};

// Tries directions that turn, of half the reach each time, as long as they go farther than `last`,
// the end of the slab that does not. False: none does.
bool turn(const CcdQuery& query, const VertexPairs& pairs, double last, double delta,
          int max_evaluations, Advance& now)
{
  const Vector3d n0 = now.n.normalized();
  double reach = std::min(now.reach, 1.0 - now.t);
  for (; now.t + reach > last && now.evaluations < max_evaluations; reach *= 0.5) {
    const double t1 = reach >= 1.0 - now.t ? 1.0 : now.t + reach;
    const Vector3d n1 = closest_vector(query, t1);
    ++now.evaluations;
    const double distance = n1.norm();
    if (!(distance > delta)) continue;
    if (!turning_slab(pairs, n0, now.t, n1 / distance, t1, delta)) continue;
    now.t = t1;
    now.n = n1;
    now.reach = 2.0 * reach;
    return true;
  }
  return false;
}

// Advances from t = 0, where n is the closest vector.
SeparationTime advance(const CcdQuery& query, const VertexPairs& pairs, const Vector3d& n,
                       double delta, const SeparationOptions& options)
{
  // Below 64 u L rounding would stall the steps.
  const double tolerance = std::max(options.tolerance * delta, 64.0 * unit_roundoff * pairs.extent);
  Advance now{.n = n};
  while (now.evaluations < options.max_evaluations) {
    if (!(now.n.norm() > delta + tolerance)) return {false, true, now.t, now.evaluations};
    const double last = slab_end(pairs, now.n, now.t, delta);
    if (last >= 1.0) return {true, true, 1.0, now.evaluations};
    if (!turn(query, pairs, last, delta, options.max_evaluations, now)) {
      const double gained = last - now.t;
      if (!(gained > least_progress)) return {false, true, now.t, now.evaluations};
      now.t = last;
      now.n = closest_vector(query, now.t);
      now.reach = 4.0 * gained;
      ++now.evaluations;
    }
    if (now.t >= 1.0) return {true, true, 1.0, now.evaluations};
  }
  return {false, now.n.norm() <= 2.0 * delta, now.t, now.evaluations};
}

bool touching_at_start(const CcdQuery& query)
{
  CcdQuery resting = query;
  resting.end = resting.start;
  return contact(resting).contact;
}

}  // namespace

SeparationTime separation(const CcdQuery& query, double delta, const SeparationOptions& options)
{
  const VertexPairs pairs(query);
  if (!pairs.in_range()) return {false, true, 0.0, 0};
  return advance(query, pairs, closest_vector(query, 0.0), delta, options);
}

SafeTime safe_time(const CcdQuery& query, double delta, const SeparationOptions& options)
{
  const VertexPairs pairs(query);
  const Vector3d n = closest_vector(query, 0.0);
  const double distance = n.norm();
  if (pairs.in_range() && distance > 128.0 * unit_roundoff * pairs.extent) {
    const bool close = distance <= (1.0 + 2.0 * options.tolerance) * delta;
    const double kept = close ? std::min(delta, 0.5 * distance) : delta;
    const SeparationTime advanced = advance(query, pairs, n, kept, options);
    return {advanced.time, kept, false, advanced.decided};
  }
  if (touching_at_start(query)) return {0.0, 0.0, true};
  const ContactTime first = contact(query);
  return {first.contact ? 0.5 * first.time : 1.0, 0.0, false};
}

}  // namespace tact
