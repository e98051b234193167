// Boxes around what moves, and eight of them side by side.
//
// Vertices move along straight lines: what is in a box S at the start of a step and in a box E at
// its end is in (1 - t) S + t E at the time t. Two moving boxes a and b meet if these overlap at
// some t in [0, 1]; along each axis the gap on either side is linear in t,
//
//   g(t) = (1 - t) g0 + t g1,   g0 = Sa.low - Sb.high,  g1 = Ea.low - Eb.high,  or b and a,
//
// and at the time of a meeting all six are <= 0. They keep apart where
//
//   (1) one gap is > 0 at the start and at the end, or
//   (2) a gap that is > 0 at the start only closes after one that is > 0 at the end only opens:
//       -g1 / g0 of the first < h1 / -h0 of the second, since they do so at 1 / (1 + that).
//
// By Helly's theorem for intervals of time nothing else keeps boxes apart. What all move in common
// is in no gap: a translation drops out, and of a turn only what a box itself turns is left.
//
// Safe: differences and quotients of doubles are right to 3 u relative, and (2) asks for 32 u more;
// 1e-300 is for quotients that underflow. (1) compares coordinates and does not round at all.
// Monotone: where boxes grow, gaps shrink, also rounded ones; -g1 / g0 then rises and h1 / -h0
// falls, also rounded. So boxes that hold boxes that meet do meet, to the last bit, and a tree of
// boxes finds exactly the leaves that a look at all of them finds.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <tact/collision/ccd_batch.hpp>

namespace tact {

// One cache line; the fourth components are 0, so that four lanes can be compared at once.
struct alignas(64) Box {
  std::array<double, 4> low{};
  std::array<double, 4> high{};
};

// Where a vertex, an edge or a triangle is at the start of a step, and where at its end.
struct MovingBox {
  Box start, end;
};

// The same by reference, so that what stands still needs one box only.
struct MovingBoxRef {
  const Box& start;
  const Box& end;

  MovingBoxRef(const Box& at_start, const Box& at_end) : start(at_start), end(at_end) {}
  MovingBoxRef(const MovingBox& box) : start(box.start), end(box.end) {}
};

inline Box no_box()
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{infinity, infinity, infinity, 0.0}, {-infinity, -infinity, -infinity, 0.0}};
}

inline MovingBox no_moving_box()
{
  return {no_box(), no_box()};
}

// The box of a point, larger by half the tolerance on each side, so that the boxes of points that
// are within the tolerance overlap. With u = 2^-53, x - r' rounds to at most x - r for
// r' = r + 4u (|x| + r). Without tolerance the corners are the coordinates, not rounded at all.
inline Box box_around(const std::array<double, 4>& x, double tolerance)
{
  Box box{x, x};
  if (!(tolerance > 0.0)) return box;
  const double r = 0.5 * tolerance;
  for (int k = 0; k < 3; ++k) {
    const double outward = r + 0x1p-51 * (std::abs(x[k]) + r);
    box.low[k] -= outward;
    box.high[k] += outward;
  }
  return box;
}

inline MovingBox moving_box(const MovingVertex& vertex, double tolerance)
{
  return {box_around(vertex.start, tolerance), box_around(vertex.end, tolerance)};
}

inline Box merged(const Box& a, const Box& b)
{
  Box box;
  for (int k = 0; k < 4; ++k) {
    box.low[k] = std::min(a.low[k], b.low[k]);
    box.high[k] = std::max(a.high[k], b.high[k]);
  }
  return box;
}

inline MovingBox merged(const MovingBox& a, const MovingBox& b)
{
  return {merged(a.start, b.start), merged(a.end, b.end)};
}

// All that a moving box passes.
inline Box swept(const MovingBox& box)
{
  return merged(box.start, box.end);
}

// Closed boxes: touching counts.
inline bool overlap(const Box& a, const Box& b)
{
#if defined(__AVX__)
  const auto below = [](const std::array<double, 4>& x, const std::array<double, 4>& y) {
    return _mm256_cmp_pd(_mm256_load_pd(x.data()), _mm256_load_pd(y.data()), _CMP_LE_OQ);
  };
  return _mm256_movemask_pd(_mm256_and_pd(below(a.low, b.high), below(b.low, a.high))) == 15;
#else
  bool all = true;
  for (int k = 0; k < 3; ++k) all &= a.low[k] <= b.high[k] && b.low[k] <= a.high[k];
  return all;
#endif
}

// Condition (2) for boxes of which (1) is not true.
inline bool meet_between(const MovingBoxRef& a, const MovingBoxRef& b)
{
  double closes = std::numeric_limits<double>::infinity();  // the last to close: its -g1 / g0
  double opens = 0.0;                                       // the first to open: its h1 / -h0
  const auto look_at_gap = [&](double at_start, double at_end) {
    if (at_start > 0.0) closes = std::min(closes, -at_end / at_start);
    if (at_end > 0.0) opens = std::max(opens, at_end / (0.0 - at_start));
  };
  for (int k = 0; k < 3; ++k) {
    look_at_gap(a.start.low[k] - b.start.high[k], a.end.low[k] - b.end.high[k]);
    look_at_gap(b.start.low[k] - a.start.high[k], b.end.low[k] - a.end.high[k]);
  }
  return !((1.0 + 0x1p-48) * closes + 1e-300 < opens);
}

// The same for boxes that move, at some time.
inline bool meet(const MovingBoxRef& a, const MovingBoxRef& b)
{
#if defined(__AVX__)
  const auto below = [](const std::array<double, 4>& x, const std::array<double, 4>& y) {
    return _mm256_cmp_pd(_mm256_load_pd(x.data()), _mm256_load_pd(y.data()), _CMP_LE_OQ);
  };
  const __m256d start_a = below(a.start.low, b.start.high);
  const __m256d start_b = below(b.start.low, a.start.high);
  const __m256d end_a = below(a.end.low, b.end.high), end_b = below(b.end.low, a.end.high);
  const __m256d some = _mm256_and_pd(_mm256_or_pd(start_a, end_a), _mm256_or_pd(start_b, end_b));
  if (_mm256_movemask_pd(some) != 15) return false;
  if (_mm256_movemask_pd(_mm256_and_pd(start_a, start_b)) == 15 ||
      _mm256_movemask_pd(_mm256_and_pd(end_a, end_b)) == 15)
    return true;
#else
  bool at_start = true, at_end = true;
  for (int k = 0; k < 3; ++k) {
    const bool start_a = a.start.low[k] <= b.start.high[k];
    const bool start_b = b.start.low[k] <= a.start.high[k];
    const bool end_a = a.end.low[k] <= b.end.high[k], end_b = b.end.low[k] <= a.end.high[k];
    if (!((start_a || end_a) && (start_b || end_b))) return false;
    at_start = at_start && start_a && start_b;
    at_end = at_end && end_a && end_b;
  }
  if (at_start || at_end) return true;
#endif
  return meet_between(a, b);
}

inline double surface_area(const Box& box)
{
  const double x = box.high[0] - box.low[0];
  const double y = box.high[1] - box.low[1];
  const double z = box.high[2] - box.low[2];
  return 2.0 * (x * y + y * z + z * x);
}

// Eight boxes, those of the children of a node. A place without a child has `no_box()`, which
// overlaps nothing.
struct alignas(64) WideBox {
  std::array<std::array<double, 8>, 3> low;
  std::array<std::array<double, 8>, 3> high;

  void set(int place, const Box& box)
  {
    for (int k = 0; k < 3; ++k) {
      low[k][place] = box.low[k];
      high[k][place] = box.high[k];
    }
  }

  Box get(int place) const
  {
    return {{low[0][place], low[1][place], low[2][place], 0.0},
            {high[0][place], high[1][place], high[2][place], 0.0}};
  }
};

// Eight moving boxes. What stands still has the same eight at the end.
struct WideMovingBox {
  const WideBox& start;
  const WideBox& end;

  bool still() const { return &start == &end; }
  MovingBox get(int place) const { return {start.get(place), end.get(place)}; }
};

// Bit i: whether x[i] <= y. And whether x[i] >= y.
inline unsigned bits_at_most(const std::array<double, 8>& x, double y)
{
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask(_mm512_load_pd(x.data()), _mm512_set1_pd(y), _CMP_LE_OQ);
#elif defined(__AVX__)
  const __m256d limit = _mm256_set1_pd(y);
  const int low = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_load_pd(&x[0]), limit, _CMP_LE_OQ));
  const int high = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_load_pd(&x[4]), limit, _CMP_LE_OQ));
  return static_cast<unsigned>(low | high << 4);
#else
  unsigned bits = 0;
  for (int i = 0; i < 8; ++i) bits |= static_cast<unsigned>(x[i] <= y) << i;
  return bits;
#endif
}

inline unsigned bits_at_least(const std::array<double, 8>& x, double y)
{
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask(_mm512_load_pd(x.data()), _mm512_set1_pd(y), _CMP_GE_OQ);
#elif defined(__AVX__)
  const __m256d limit = _mm256_set1_pd(y);
  const int low = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_load_pd(&x[0]), limit, _CMP_GE_OQ));
  const int high = _mm256_movemask_pd(_mm256_cmp_pd(_mm256_load_pd(&x[4]), limit, _CMP_GE_OQ));
  return static_cast<unsigned>(low | high << 4);
#else
  unsigned bits = 0;
  for (int i = 0; i < 8; ++i) bits |= static_cast<unsigned>(x[i] >= y) << i;
  return bits;
#endif
}

// Which of eight boxes overlap one: bit i for the box at place i.
inline unsigned overlaps(const WideBox& eight, const Box& one)
{
  unsigned bits = 255;
  for (int k = 0; k < 3; ++k)
    bits &= bits_at_most(eight.low[k], one.high[k]) & bits_at_least(eight.high[k], one.low[k]);
  return bits;
}

// Which of eight moving boxes meet one.
inline unsigned meetings(const WideMovingBox& eight, const MovingBox& one)
{
  unsigned some = 255, at_start = 255, at_end = 255;
  for (int k = 0; k < 3; ++k) {
    const unsigned start_low = bits_at_most(eight.start.low[k], one.start.high[k]);
    const unsigned start_high = bits_at_least(eight.start.high[k], one.start.low[k]);
    const unsigned end_low = bits_at_most(eight.end.low[k], one.end.high[k]);
    const unsigned end_high = bits_at_least(eight.end.high[k], one.end.low[k]);
    some &= (start_low | end_low) & (start_high | end_high);
    at_start &= start_low & start_high;
    at_end &= end_low & end_high;
  }
  for (unsigned open = some & ~(at_start | at_end); open != 0; open &= open - 1) {
    const int i = std::countr_zero(open);
    if (!meet_between(eight.get(i), one)) some &= ~(1u << i);
  }
  return some;
}

// Which of eight boxes overlap which of eight others: bit 8 i + j for a's i and b's j.
inline std::uint64_t overlaps(const WideBox& a, const WideBox& b)
{
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) {
    unsigned row = 255;
    for (int k = 0; k < 3; ++k)
      row &= bits_at_most(b.low[k], a.high[k][i]) & bits_at_least(b.high[k], a.low[k][i]);
    bits |= static_cast<std::uint64_t>(row) << (8 * i);
  }
  return bits;
}

// The same for boxes that move and meet.
inline std::uint64_t meetings(const WideMovingBox& a, const WideMovingBox& b)
{
  if (a.still() && b.still()) return overlaps(a.start, b.start);
  std::uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits |= static_cast<std::uint64_t>(meetings(b, a.get(i))) << (8 * i);
  return bits;
}

}  // namespace tact
