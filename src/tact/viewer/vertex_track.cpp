#include <tact/viewer/vertex_track.hpp>

namespace tact {
namespace {

// What a steady motion gives; the first frame is told as it is, the second as a difference.
std::uint16_t expected(std::span<const std::uint16_t> numbers, std::size_t k,
                       std::size_t frame_size)
{
  if (k < frame_size) return 0;
  const std::uint16_t last = numbers[k - frame_size];
  if (k < 2 * frame_size) return last;
  return static_cast<std::uint16_t>(2 * last - numbers[k - 2 * frame_size]);
}

// 0, -1, 1, -2, 2... become 0, 1, 2, 3, 4...
std::uint16_t fold(std::uint16_t difference)
{
  const bool negative = (difference & 0x8000u) != 0;
  return static_cast<std::uint16_t>((difference << 1u) ^ (negative ? 0xffffu : 0u));
}

std::uint16_t unfold(std::uint16_t folded)
{
  return static_cast<std::uint16_t>((folded >> 1u) ^ ((folded & 1u) != 0 ? 0xffffu : 0u));
}

}  // namespace

std::vector<std::uint8_t> encode_track(std::span<const std::uint16_t> numbers,
                                       std::size_t frame_size)
{
  std::vector<std::uint8_t> bytes(2 * numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::uint16_t folded =
        fold(static_cast<std::uint16_t>(numbers[k] - expected(numbers, k, frame_size)));
    bytes[k] = static_cast<std::uint8_t>(folded & 0xffu);
    bytes[numbers.size() + k] = static_cast<std::uint8_t>(folded >> 8u);
  }
  return bytes;
}

std::vector<std::uint16_t> decode_track(std::span<const std::uint8_t> bytes, std::size_t frame_size)
{
  const std::size_t count = bytes.size() / 2;
  std::vector<std::uint16_t> numbers(count);
  for (std::size_t k = 0; k < count; ++k) {
    const auto folded = static_cast<std::uint16_t>(bytes[k] | bytes[count + k] << 8u);
    numbers[k] = static_cast<std::uint16_t>(unfold(folded) + expected(numbers, k, frame_size));
  }
  return numbers;
}

}  // namespace tact
