// Seeded random numbers that are the same on every machine and with every standard library.
#pragma once

#include <cstdint>

#include <tact/core/types.hpp>

namespace tact {

// SplitMix64 (Steele, Lea and Flood 2014): one 64-bit state, passes BigCrush.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  std::uint64_t bits();
  double uniform();                         // in [0, 1)
  double uniform(double low, double high);  // in [low, high)
  int below(int count);                     // in {0, ..., count - 1}
  Vector3d in_cube(double half_width);      // each component in [-half_width, half_width)

 private:
  std::uint64_t state_;
};

}  // namespace tact
