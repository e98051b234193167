// Vertices of some frames in a row as bytes that deflate makes small.
//
// Positions are quantised; of each coordinate only the difference from where a steady motion would
// have brought it is kept, x_k - (2 x_{k-1} - x_{k-2}) modulo 2^16, with small differences of either sign
// as small numbers, and the low bytes of all before all high bytes, which are nearly all zero.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tact {

// `numbers`: frame after frame, `frame_size` numbers each. Returns twice as many bytes.
std::vector<std::uint8_t> encode_track(std::span<const std::uint16_t> numbers,
                                       std::size_t frame_size);

// The other way, as the page does it: for tests.
std::vector<std::uint16_t> decode_track(std::span<const std::uint8_t> bytes,
                                        std::size_t frame_size);

}  // namespace tact
