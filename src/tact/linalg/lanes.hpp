// Doubles in SIMD lanes, through the vector extension that GCC and Clang share.
//
// Data is laid out in groups of eight doubles; a group is one register with AVX-512 and two
// without. Asking the compiler to split eight lanes by itself goes through memory and costs a
// factor of two.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace tact {

#if defined(__AVX512F__)
inline constexpr int lane_width = 8;
#else
inline constexpr int lane_width = 4;
#endif

// may_alias: memory of doubles is read and written through it.
using Lanes = double __attribute__((vector_size(lane_width * sizeof(double)), may_alias));

inline constexpr int lanes_per_8 = 8 / lane_width;

// `count` rounded up to whole groups of eight.
constexpr int round_up_8(int count)
{
  return (count + 7) / 8 * 8;
}

// Puts vectors of doubles on 64-byte boundaries, so that they can be read as Lanes.
template <class T>
struct LaneAllocator {
  using value_type = T;
  LaneAllocator() = default;
  template <class U>
  LaneAllocator(const LaneAllocator<U>&)
  {
  }
  T* allocate(std::size_t count)
  {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{64}); }
  friend bool operator==(LaneAllocator, LaneAllocator) { return true; }
};

using LaneBuffer = std::vector<double, LaneAllocator<double>>;

inline const Lanes* as_lanes(const double* aligned)
{
  return reinterpret_cast<const Lanes*>(aligned);
}

inline Lanes* as_lanes(double* aligned)
{
  return reinterpret_cast<Lanes*>(aligned);
}

inline Lanes broadcast(double value)
{
  return Lanes{} + value;
}

inline double horizontal_sum(Lanes x)
{
  double pairs[lane_width / 2];
  for (int k = 0; k < lane_width / 2; ++k) pairs[k] = x[k] + x[k + lane_width / 2];
  double sum = pairs[0];
  for (int k = 1; k < lane_width / 2; ++k) sum += pairs[k];
  return sum;
}

}  // namespace tact
