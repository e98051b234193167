// Vectors of two, four or eight queries at a time, and how vertices get into them. Unlike that of
// linalg/lanes.hpp the width is a parameter, so that tests can compare the widths.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <tact/collision/ccd_batch.hpp>

namespace tact {

template <int width>
struct Lane;

template <>
struct Lane<2> {
  using Double = double __attribute__((vector_size(16)));
  using Mask = std::int64_t __attribute__((vector_size(16)));
};

template <>
struct Lane<4> {
  using Double = double __attribute__((vector_size(32)));
  using Mask = std::int64_t __attribute__((vector_size(32)));
};

template <>
struct Lane<8> {
  using Double = double __attribute__((vector_size(64)));
  using Mask = std::int64_t __attribute__((vector_size(64)));
};

template <class Double>
Double smaller(Double a, Double b)
{
  return a < b ? a : b;
}

template <class Double>
Double larger(Double a, Double b)
{
  return a > b ? a : b;
}

template <class Double>
Double magnitude(Double a)
{
  return larger(a, -a);
}

template <class Double>
struct LaneRange {
  Double low, high;
};

template <class Double>
struct LaneVector {
  Double x, y, z;

  Double operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
};

template <class Double>
Double dot(const LaneVector<Double>& a, const LaneVector<Double>& b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class Double>
LaneVector<Double> cross(const LaneVector<Double>& a, const LaneVector<Double>& b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class Double>
LaneVector<Double> operator-(const LaneVector<Double>& a, const LaneVector<Double>& b)
{
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class Double>
LaneVector<Double> operator+(const LaneVector<Double>& a, const LaneVector<Double>& b)
{
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

// One vertex of `width` queries, at both ends of the motion.
template <class Double>
struct LaneVertex {
  LaneVector<Double> start, end;
};

template <int width>
typename Lane<width>::Double load(const double* x)
{
  typename Lane<width>::Double lanes;
  std::memcpy(&lanes, x, sizeof(lanes));
  return lanes;
}

// Transposes the vertices record(0) ... record(width - 1). Without loops: a compiler that does not
// unroll them would go through memory.
template <int width, class Record>
LaneVertex<typename Lane<width>::Double> load_vertices(const Record& record) requires(width == 8)
{
  using Double = Lane<8>::Double;
  // Of two queries side by side: x, x, z, z at the start and at the end; or y, y and the padding.
  const auto even = [&](int q) {
    return __builtin_shufflevector(load<8>(record(q).start.data()),
                                   load<8>(record(q + 1).start.data()), 0, 8, 2, 10, 4, 12, 6, 14);
  };
  const auto odd = [&](int q) {
    return __builtin_shufflevector(load<8>(record(q).start.data()),
                                   load<8>(record(q + 1).start.data()), 1, 9, 3, 11, 5, 13, 7, 15);
  };
  // Of four queries: the first or the second coordinate of these, at the start and at the end.
  const auto first = [](Double a, Double b) {
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
  };
  const auto second = [](Double a, Double b) {
    return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  };
  const Double xz_01 = even(0), xz_23 = even(2), xz_45 = even(4), xz_67 = even(6);
  const Double x_low = first(xz_01, xz_23), x_high = first(xz_45, xz_67);
  const Double z_low = second(xz_01, xz_23), z_high = second(xz_45, xz_67);
  const Double y_low = first(odd(0), odd(2)), y_high = first(odd(4), odd(6));
  const auto start = [](Double low, Double high) {
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
  };
  const auto end = [](Double low, Double high) {
    return __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  return {{start(x_low, x_high), start(y_low, y_high), start(z_low, z_high)},
          {end(x_low, x_high), end(y_low, y_high), end(z_low, z_high)}};
}

template <int width, class Record>
LaneVertex<typename Lane<width>::Double> load_vertices(const Record& record) requires(width == 4)
{
  using Double = Lane<4>::Double;
  const auto transposed = [](Double a, Double b, Double c, Double d) -> LaneVector<Double> {
    const Double xz_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const Double xz_cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const Double y_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Double y_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return {__builtin_shufflevector(xz_ab, xz_cd, 0, 1, 4, 5),
            __builtin_shufflevector(y_ab, y_cd, 0, 1, 4, 5),
            __builtin_shufflevector(xz_ab, xz_cd, 2, 3, 6, 7)};
  };
  const auto start = [&](int q) { return load<4>(record(q).start.data()); };
  const auto end = [&](int q) { return load<4>(record(q).end.data()); };
  return {transposed(start(0), start(1), start(2), start(3)),
          transposed(end(0), end(1), end(2), end(3))};
}

template <int width, class Record>
LaneVertex<typename Lane<width>::Double> load_vertices(const Record& record) requires(width == 2)
{
  using Double = Lane<2>::Double;
  const auto transposed = [](const std::array<double, 4>& a,
                             const std::array<double, 4>& b) -> LaneVector<Double> {
    return {Double{a[0], b[0]}, Double{a[1], b[1]}, Double{a[2], b[2]}};
  };
  return {transposed(record(0).start, record(1).start), transposed(record(0).end, record(1).end)};
}

}  // namespace tact
