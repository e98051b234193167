#include <tact/core/random.hpp>

namespace tact {

Random::Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull)
{
  bits();  // small seeds differ in few bits; one step spreads them
}

std::uint64_t Random::bits()
{
  state_ += 0x9E3779B97F4A7C15ull;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

double Random::uniform()
{
  return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

double Random::uniform(double low, double high)
{
  return low + (high - low) * uniform();
}

int Random::below(int count)
{
  return static_cast<int>(bits() % static_cast<std::uint64_t>(count));  // bias < 2^-32
}

Vector3d Random::in_cube(double half_width)
{
  Vector3d point;
  for (int k = 0; k < 3; ++k) point[k] = uniform(-half_width, half_width);
  return point;
}

}  // namespace tact
