#include <tact/sim/state.hpp>

#include <bit>

#include <fmt/format.h>

namespace tact {
namespace {

// FNV-1a over 64-bit words, then the finaliser of SplitMix64, which spreads the last words too.
class WordHash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3ULL; }
  void add(const VectorXd& values)
  {
    add(static_cast<std::uint64_t>(values.size()));
    for (const double x : values) add(std::bit_cast<std::uint64_t>(x));
  }

  std::uint64_t value() const
  {
    std::uint64_t z = value_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace

std::string state_hash(const State& state)
{
  WordHash hash;
  hash.add(static_cast<std::uint64_t>(state.step));
  hash.add(std::bit_cast<std::uint64_t>(state.t));
  hash.add(state.q);
  hash.add(state.v);
  return fmt::format("{:016x}", hash.value());
}

}  // namespace tact
