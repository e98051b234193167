// Closest points of a vertex and a face, and of two edges.
//
// Both functions minimise the distance over a convex set of weights, so the answer is either the
// stationary point inside, or the best point of a side (three sides of a face, four of the square
// of two edge parameters). The stationary point is found by orthogonalising one edge against the
// other, not from the normal equations: its error then grows like u / angle instead of
// u / angle^2, which is what needles and nearly parallel edges need.
//
// Every finite input is answered, zero-length edges, flat triangles and coincident points too:
//   - weights are >= 0, those of each feature add up to 1, and are exactly 0 on a side left out;
//   - sqrt(squared_distance) is within 16 u L of the true distance, where L is the largest
//     difference of two coordinates and u = 2^-53 (the tests compare with rational arithmetic);
//   - where the closest points are not unique (parallel edges, flat faces), one pair is returned,
//     always the same for the same input.
// Lengths should lie between 1e-150 and 1e150, so that their squares neither vanish nor overflow.
// Inline, because detection calls them by the million: 40 to 50 ns each on random data.
#pragma once

#include <algorithm>
#include <array>

#include <tact/core/types.hpp>

namespace tact {

struct ClosestPoints {
  Vector3d on_a;                  // on the vertex or the first edge
  Vector3d on_b;                  // on the face or the second edge
  Vector3d difference;            // on_a - on_b, but without the rounding of a far origin
  double squared_distance = 0.0;  // |difference|^2
  std::array<double, 4> weights;  // of the four arguments in their order, see the functions
  bool interior = false;          // strictly inside the face or both edges: no weight is 0
};

// Weights 1 | w0, w1, w2: on_a = p and on_b = w0 f0 + w1 f1 + w2 f2.
ClosestPoints closest_vertex_face(const Vector3d& p, const Vector3d& f0, const Vector3d& f1,
                                  const Vector3d& f2);

// Weights 1 - s, s | 1 - t, t: on_a = (1 - s) a0 + s a1 and on_b = (1 - t) b0 + t b1.
ClosestPoints closest_edge_edge(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0,
                                const Vector3d& b1);

namespace detail {

// dividend / divisor within [0, 1]; 0 for an edge without length.
inline double clamped_ratio(double dividend, double divisor)
{
  return divisor > 0.0 ? std::clamp(dividend / divisor, 0.0, 1.0) : 0.0;
}

struct ClosestCandidate {
  std::array<double, 4> weights;
  Vector3d difference;
  double squared_distance;

  ClosestCandidate(const std::array<double, 4>& w, const Vector3d& d)
      : weights(w), difference(d), squared_distance(d.squaredNorm())
  {
  }
};

inline const ClosestCandidate& nearer(const ClosestCandidate& x, const ClosestCandidate& y)
{
  return y.squared_distance < x.squared_distance ? y : x;
}

}  // namespace detail

inline ClosestPoints closest_vertex_face(const Vector3d& p, const Vector3d& f0, const Vector3d& f1,
                                         const Vector3d& f2)
{
  using detail::ClosestCandidate, detail::clamped_ratio, detail::nearer;
  const Vector3d e1 = f1 - f0;
  const Vector3d e2 = f2 - f0;
  const Vector3d r = p - f0;
  const double e1_e1 = e1.squaredNorm();
  const double e1_r = e1.dot(r);

  const auto answer = [&](const ClosestCandidate& best, bool interior) {
    const auto& w = best.weights;
    const Vector3d on_face = w[1] * f0 + w[2] * f1 + w[3] * f2;
    return ClosestPoints{p, on_face, best.difference, best.squared_distance, w, interior};
  };

  if (e1_e1 > 0.0) {
    // Gram-Schmidt: the altitude of f2 over e1, and r without its part along e1.
    const Vector3d altitude = e2 - (e1.dot(e2) / e1_e1) * e1;
    const Vector3d r_across = r - (e1_r / e1_e1) * e1;
    const double squared_altitude = altitude.squaredNorm();
    if (squared_altitude > 0.0) {
      const double w2 = altitude.dot(r_across) / squared_altitude;
      const double w1 = e1.dot(r - w2 * e2) / e1_e1;
      const double w0 = (1.0 - w1) - w2;
      if (w0 > 0.0 && w1 > 0.0 && w2 > 0.0)
        return answer({{1.0, w0, w1, w2}, r - w1 * e1 - w2 * e2}, true);
    }
  }

  const Vector3d e12 = f2 - f1;
  const Vector3d r1 = p - f1;
  const double t01 = clamped_ratio(e1_r, e1_e1);
  const double t02 = clamped_ratio(e2.dot(r), e2.squaredNorm());
  const double t12 = clamped_ratio(e12.dot(r1), e12.squaredNorm());
  const ClosestCandidate side_01({1.0, 1.0 - t01, t01, 0.0}, r - t01 * e1);
  const ClosestCandidate side_02({1.0, 1.0 - t02, 0.0, t02}, r - t02 * e2);
  const ClosestCandidate side_12({1.0, 0.0, 1.0 - t12, t12}, r1 - t12 * e12);
  return answer(nearer(nearer(side_01, side_02), side_12), false);
}

inline ClosestPoints closest_edge_edge(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0,
                                       const Vector3d& b1)
{
  using detail::ClosestCandidate, detail::clamped_ratio, detail::nearer;
  const Vector3d d_a = a1 - a0;
  const Vector3d d_b = b1 - b0;
  const Vector3d r = a0 - b0;  // difference(s, t) = r + s d_a - t d_b
  const double aa = d_a.squaredNorm();
  const double bb = d_b.squaredNorm();
  const double ab = d_a.dot(d_b);
  const double ar = d_a.dot(r);
  const double br = d_b.dot(r);

  const auto answer = [&](const ClosestCandidate& best, bool interior) {
    const auto& w = best.weights;
    const Vector3d on_a = w[0] * a0 + w[1] * a1;
    const Vector3d on_b = w[2] * b0 + w[3] * b1;
    return ClosestPoints{on_a, on_b, best.difference, best.squared_distance, w, interior};
  };

  if (bb > 0.0) {
    // Gram-Schmidt: the parts of d_a and r across the second edge.
    const Vector3d d_across = d_a - (ab / bb) * d_b;
    const Vector3d r_across = r - (br / bb) * d_b;
    const double squared_across = d_across.squaredNorm();
    if (squared_across > 0.0) {
      const double s = -d_across.dot(r_across) / squared_across;
      const double t = d_b.dot(r + s * d_a) / bb;
      if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)
        return answer({{1.0 - s, s, 1.0 - t, t}, r + s * d_a - t * d_b}, true);
    }
  }

  const double t_at_a0 = clamped_ratio(br, bb);
  const double t_at_a1 = clamped_ratio(br + ab, bb);
  const double s_at_b0 = clamped_ratio(-ar, aa);
  const double s_at_b1 = clamped_ratio(ab - ar, aa);
  const ClosestCandidate from_a0({1.0, 0.0, 1.0 - t_at_a0, t_at_a0}, r - t_at_a0 * d_b);
  const ClosestCandidate from_a1({0.0, 1.0, 1.0 - t_at_a1, t_at_a1}, (a1 - b0) - t_at_a1 * d_b);
  const ClosestCandidate from_b0({1.0 - s_at_b0, s_at_b0, 1.0, 0.0}, r + s_at_b0 * d_a);
  const ClosestCandidate from_b1({1.0 - s_at_b1, s_at_b1, 0.0, 1.0}, (a0 - b1) + s_at_b1 * d_a);
  return answer(nearer(nearer(from_a0, from_a1), nearer(from_b0, from_b1)), false);
}

}  // namespace tact
