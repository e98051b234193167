#include <tact/viewer/vertex_track.hpp>

namespace tact {
namespace {

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

// Calls visit(at, before, first) for every number in the order in which they are stored: where it
// is, how far before it that of the last frame is (0: there is none), and whether it is the first
// of its axis.
template <class Visit>
void for_track(std::size_t count, std::size_t frame_size, const Visit& visit)
{
  for (std::size_t frame = 0; frame < count; frame += frame_size)
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t k = axis; k < frame_size; k += 3)
        visit(frame + k, frame > 0 ? frame_size : 0, k == axis);
}

}  // namespace

std::vector<std::uint8_t> encode_track(std::span<const std::uint16_t> numbers,
                                       std::size_t frame_size)
{
  std::vector<std::uint8_t> bytes(2 * numbers.size());
  std::uint16_t neighbour = 0;
  std::size_t stored = 0;
  for_track(numbers.size(), frame_size, [&](std::size_t at, std::size_t before, bool first) {
    const std::uint16_t last = before > 0 ? numbers[at - before] : std::uint16_t{0};
    const auto moved = static_cast<std::uint16_t>(numbers[at] - last);
    if (first) neighbour = 0;
    const std::uint16_t folded = fold(static_cast<std::uint16_t>(moved - neighbour));
    neighbour = moved;
    bytes[stored] = static_cast<std::uint8_t>(folded & 0xffu);
    bytes[numbers.size() + stored] = static_cast<std::uint8_t>(folded >> 8u);
    ++stored;
  });
  return bytes;
}

std::vector<std::uint16_t> decode_track(std::span<const std::uint8_t> bytes, std::size_t frame_size)
{
  const std::size_t count = bytes.size() / 2;
  std::vector<std::uint16_t> numbers(count);
  std::uint16_t neighbour = 0;
  std::size_t stored = 0;
  for_track(count, frame_size, [&](std::size_t at, std::size_t before, bool first) {
    const auto folded = static_cast<std::uint16_t>(bytes[stored] | bytes[count + stored] << 8u);
    if (first) neighbour = 0;
    neighbour = static_cast<std::uint16_t>(neighbour + unfold(folded));
    const std::uint16_t last = before > 0 ? numbers[at - before] : std::uint16_t{0};
    numbers[at] = static_cast<std::uint16_t>(last + neighbour);
    ++stored;
  });
  return numbers;
}

}  // namespace tact
