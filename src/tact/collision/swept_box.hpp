// Boxes around what moves, and eight of them side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <tact/collision/ccd_batch.hpp>

namespace tact {

// All that a vertex, an edge or a triangle passes between the start and the end of a step. One
// cache line; the fourth components are 0, so that four lanes can be compared at once.
struct alignas(64) SweptBox {
  std::array<double, 4> low{};
  std::array<double, 4> high{};
};

inline SweptBox no_box()
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{infinity, infinity, infinity, 0.0}, {-infinity, -infinity, -infinity, 0.0}};
}

// The box of a moving vertex, larger by half the tolerance on each side, so that the boxes of
// points that come within the tolerance overlap. With u = 2^-53, x - r' rounds to at most x - r for
// r' = r + 4u (|x| + r). Without tolerance the corners are the coordinates, not rounded at all.
inline SweptBox swept_box(const MovingVertex& vertex, double tolerance)
{
  SweptBox box;
  const double r = 0.5 * tolerance;
  for (int k = 0; k < 3; ++k) {
    box.low[k] = std::min(vertex.start[k], vertex.end[k]);
    box.high[k] = std::max(vertex.start[k], vertex.end[k]);
    if (tolerance > 0.0) {
      const double largest = std::max(std::abs(box.low[k]), std::abs(box.high[k]));
      const double outward = r + 0x1p-51 * (largest + r);
      box.low[k] -= outward;
      box.high[k] += outward;
    }
  }
  return box;
}

inline SweptBox merged(const SweptBox& a, const SweptBox& b)
{
  SweptBox box;
  for (int k = 0; k < 4; ++k) {
    box.low[k] = std::min(a.low[k], b.low[k]);
    box.high[k] = std::max(a.high[k], b.high[k]);
  }
  return box;
}

// Closed boxes: touching counts.
inline bool overlap(const SweptBox& a, const SweptBox& b)
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

inline double surface_area(const SweptBox& box)
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

  void set(int place, const SweptBox& box)
  {
    for (int k = 0; k < 3; ++k) {
      low[k][place] = box.low[k];
      high[k][place] = box.high[k];
    }
  }

  SweptBox get(int place) const
  {
    return {{low[0][place], low[1][place], low[2][place], 0.0},
            {high[0][place], high[1][place], high[2][place], 0.0}};
  }
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
inline unsigned overlaps(const WideBox& eight, const SweptBox& one)
{
  unsigned bits = 255;
  for (int k = 0; k < 3; ++k)
    bits &= bits_at_most(eight.low[k], one.high[k]) & bits_at_least(eight.high[k], one.low[k]);
  return bits;
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

}  // namespace tact
