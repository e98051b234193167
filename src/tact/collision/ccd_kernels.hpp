// The filters of ccd_batch.hpp on `width` queries at a time. Lanes do not mix, so the verdicts are
// the same for every width.
//
// Polynomials and their errors are those of ccd_polynomials.hpp. A small absolute term covers what
// underflow can lose; it is enough below 1e40, and a lane with larger lengths is never rejected.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include <tact/collision/ccd_batch.hpp>
#include <tact/collision/ccd_lanes.hpp>
#include <tact/collision/ccd_polynomials.hpp>

namespace tact {

// `width` queries of one kind, and what the filters need of them.
template <int width, CcdKind kind>
struct LaneQueries {
  using Double = typename Lane<width>::Double;
  using Mask = typename Lane<width>::Mask;

  std::array<LaneVector<Double>, 2> P, Q, R;
  std::array<LaneRange<Double>, 3> box_a, box_b;  // of the features' whole motion
  LaneVector<Double> extent;                      // of both boxes together: no less than L_k

  // Lanes past the last pair repeat it.
  LaneQueries(const CcdBatch& batch, int first_pair)
  {
    const int last = static_cast<int>(batch.pairs.size()) - 1;
    std::array<const VertexQuad*, width> pair;
    for (int q = 0; q < width; ++q) pair[q] = &batch.pairs[std::min(first_pair + q, last)];
    const auto vertices = [&](int i) {
      return load_vertices<width>(
          [&](int q) -> const MovingVertex& { return batch.vertices[(*pair[q])[i]]; });
    };
    const std::array<LaneVertex<Double>, 4> x = {vertices(0), vertices(1), vertices(2),
                                                 vertices(3)};
    for (const int end : {0, 1}) {
      const auto at = [&](int i) -> const LaneVector<Double>& {
        return end == 0 ? x[i].start : x[i].end;
      };
      constexpr bool face = kind == CcdKind::vertex_face;
      P[end] = face ? at(2) - at(1) : at(1) - at(0);
      Q[end] = face ? at(3) - at(1) : at(3) - at(2);
      R[end] = face ? at(0) - at(1) : at(2) - at(0);
    }
    constexpr int first_of_b = kind == CcdKind::vertex_face ? 1 : 2;
    for (int k = 0; k < 3; ++k) {
      box_a[k] = swept(x, 0, first_of_b, k);
      box_b[k] = swept(x, first_of_b, 4, k);
    }
    const auto reach = [this](int k) {
      return larger(box_a[k].high, box_b[k].high) - smaller(box_a[k].low, box_b[k].low);
    };
    extent = {reach(0), reach(1), reach(2)};
  }

  Double largest_extent() const { return larger(larger(extent.x, extent.y), extent.z); }
  Mask bounds_hold() const { return largest_extent() < 1e40; }

  // Whether along some axis the swept features are apart by more than `distance`.
  Mask boxes_apart(double distance) const
  {
    Mask apart{};
    for (int k = 0; k < 3; ++k)
      apart |=
          (box_b[k].low - box_a[k].high > distance) | (box_a[k].low - box_b[k].high > distance);
    return apart;
  }

 private:
  static LaneRange<Double> swept(const std::array<LaneVertex<Double>, 4>& x, int first, int last,
                                 int k)
  {
    LaneRange<Double> range{smaller(x[first].start[k], x[first].end[k]),
                            larger(x[first].start[k], x[first].end[k])};
    for (int i = first + 1; i < last; ++i) {
      range.low = smaller(range.low, smaller(x[i].start[k], x[i].end[k]));
      range.high = larger(range.high, larger(x[i].start[k], x[i].end[k]));
    }
    return range;
  }
};

inline constexpr double underflow_guard = 1e-280;

// Lanes that are proved free of contact. The coefficients of the cubic are left without their
// factor 1/3: 18 terms of 10 u each need 180 u L3.
template <int width, CcdKind kind>
typename Lane<width>::Mask no_contact(const LaneQueries<width, kind>& lanes)
{
  const auto& P = lanes.P;
  const auto& Q = lanes.Q;
  const auto& R = lanes.R;
  const auto n0 = cross(P[0], Q[0]), n1 = cross(P[1], Q[1]);
  const auto m = cross(P[0], Q[1]) + cross(P[1], Q[0]);
  const auto k0 = dot(n0, R[0]), k1 = dot(n0, R[1]) + dot(m, R[0]);
  const auto k2 = dot(n1, R[0]) + dot(m, R[1]), k3 = dot(n1, R[1]);
  const auto error =
      256.0 * unit_roundoff * (lanes.extent.x * lanes.extent.y * lanes.extent.z) + underflow_guard;
  const auto low = smaller(smaller(k0, k1), smaller(k2, k3));
  const auto high = larger(larger(k0, k1), larger(k2, k3));
  const auto one_sided = (low > error) | (high < -error);
  return lanes.boxes_apart(0.0) | (one_sided & lanes.bounds_hold());
}

// Lanes in which a slab along n separates the features by delta at both ends, hence always.
//
// All a_i - b_j are sums of P, Q and R, so three products with n give all h_ij, to 17 u |n|_1 L.
// For lack of a square root in lanes h > delta |n| is tested squared.
template <int width, CcdKind kind>
typename Lane<width>::Mask slab_separates(const LaneQueries<width, kind>& lanes,
                                          const LaneVector<typename Lane<width>::Double>& n,
                                          double delta)
{
  using Double = typename Lane<width>::Double;
  Double low{}, high{};
  for (const int end : {0, 1}) {
    const Double p = dot(n, lanes.P[end]), q = dot(n, lanes.Q[end]), r = dot(n, lanes.R[end]);
    Double low_here, high_here;
    if constexpr (kind == CcdKind::vertex_face) {  // v - f0, v - f1, v - f2
      low_here = smaller(r, smaller(r - p, r - q));
      high_here = larger(r, larger(r - p, r - q));
    } else {  // b_j - a_i
      const Double rest = r - p;
      low_here = smaller(smaller(r, r + q), smaller(rest, rest + q));
      high_here = larger(larger(r, r + q), larger(rest, rest + q));
    }
    low = end == 0 ? low_here : smaller(low, low_here);
    high = end == 0 ? high_here : larger(high, high_here);
  }
  const Double length_1 = magnitude(n.x) + magnitude(n.y) + magnitude(n.z);
  const Double error = 24.0 * unit_roundoff * (length_1 * lanes.largest_extent()) + underflow_guard;
  const Double needed =
      (1.0 + 16.0 * unit_roundoff) * (delta * delta * dot(n, n)) + underflow_guard;
  const Double above = low - error, below = -high - error;
  const auto wide = larger(above, below);
  return (wide > 0.0) & (wide * wide > needed);
}

// From middle to middle at the start: what keeps neighbours in one plane apart, of which the
// normals know nothing. Rounding does not matter, any direction will do.
template <int width, CcdKind kind>
LaneVector<typename Lane<width>::Double> between_middles(const LaneQueries<width, kind>& lanes)
{
  const auto &P = lanes.P[0], &Q = lanes.Q[0], &R = lanes.R[0];
  if constexpr (kind == CcdKind::vertex_face) return (R - P) + (R - Q) + R;
  return (R - P) + (R + Q);
}

// Lanes that are proved to keep the distance delta.
template <int width, CcdKind kind>
typename Lane<width>::Mask keeps_distance(const LaneQueries<width, kind>& lanes, double delta)
{
  const auto slabs = slab_separates(lanes, cross(lanes.P[0], lanes.Q[0]), delta) |
                     slab_separates(lanes, cross(lanes.P[1], lanes.Q[1]), delta) |
                     slab_separates(lanes, between_middles(lanes), delta);
  const double with_rounding = (1.0 + 4.0 * unit_roundoff) * delta;
  return lanes.boxes_apart(with_rounding) | (slabs & lanes.bounds_hold());
}

// Runs `rejects` over a batch and writes the numbers of the pairs that it leaves. Flattened: lanes
// that cross a call go through memory.
template <int width, CcdKind kind, class Rejects>
[[gnu::flatten]] int filter_lanes(const CcdBatch& batch, std::span<int> survivors,
                                  const Rejects& rejects)
{
  const int count = static_cast<int>(batch.pairs.size());
  int kept = 0;
  for (int first = 0; first < count; first += width) {
    const auto rejected = rejects(LaneQueries<width, kind>(batch, first));
    for (int q = 0; q < width && first + q < count; ++q) {
      survivors[kept] = first + q;
      kept += rejected[q] == 0 ? 1 : 0;
    }
  }
  return kept;
}

template <int width>
int filter_contact(const CcdBatch& batch, std::span<int> survivors)
{
  const auto rejects = [](const auto& lanes) { return no_contact(lanes); };
  if (batch.kind == CcdKind::vertex_face)
    return filter_lanes<width, CcdKind::vertex_face>(batch, survivors, rejects);
  return filter_lanes<width, CcdKind::edge_edge>(batch, survivors, rejects);
}

template <int width>
int filter_separation(const CcdBatch& batch, double delta, std::span<int> survivors)
{
  const auto rejects = [delta](const auto& lanes) { return keeps_distance(lanes, delta); };
  if (batch.kind == CcdKind::vertex_face)
    return filter_lanes<width, CcdKind::vertex_face>(batch, survivors, rejects);
  return filter_lanes<width, CcdKind::edge_edge>(batch, survivors, rejects);
}

}  // namespace tact
