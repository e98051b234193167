#include <tact/collision/separation.hpp>

#include <algorithm>
#include <cmath>

#include <tact/collision/ccd_polynomials.hpp>
#include <tact/geometry/distance.hpp>

namespace tact {
namespace {

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

// Advances from t = 0, where n is the closest vector.
SeparationTime advance(const CcdQuery& query, const VertexPairs& pairs, Vector3d n, double delta,
                       const SeparationOptions& options)
{
  // Below 64 u L rounding would stall the steps.
  const double tolerance = std::max(options.tolerance * delta, 64.0 * unit_roundoff * pairs.extent);
  double t = 0.0;
  for (int iteration = 1; iteration <= options.max_iterations; ++iteration) {
    if (iteration > 1) n = closest_vector(query, t);
    if (!(n.norm() > delta + tolerance)) return {false, t, iteration};
    const double last = slab_end(pairs, n, t, delta);
    const bool limited = last < 1.0;
    if (!limited) return {true, 1.0, iteration};
    if (!(last > t)) return {false, t, iteration};
    t = last;
  }
  return {false, t, options.max_iterations};
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
  if (!pairs.in_range()) return {false, 0.0, 0};
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
    return {advance(query, pairs, n, kept, options).time, kept, false};
  }
  if (touching_at_start(query)) return {0.0, 0.0, true};
  const ContactTime first = contact(query);
  return {first.contact ? 0.5 * first.time : 1.0, 0.0, false};
}

}  // namespace tact
