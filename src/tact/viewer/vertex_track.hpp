// Vertices of some frames in a row as bytes that deflate makes small.
//
// Of each quantised coordinate x (vertex i, frame k) only the difference from its neighbour's
// motion is kept, (x_i,k - x_i,k-1) - (x_i-1,k - x_i-1,k-1) modulo 2^16, as a small number for a
// small difference of either sign. Those of one frame and axis stand together, the low bytes of all
// before all high bytes, which are nearly all zero. On the folds of falling-cloth this takes 1.6
// bytes a vertex and frame at 14 bits; differences in time alone take 2.3, those from a steady
// motion 2.1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tact {

// `numbers`: frame after frame, three numbers a vertex, `frame_size` in all. Returns two bytes a
// number.
std::vector<std::uint8_t> encode_track(std::span<const std::uint16_t> numbers,
                                       std::size_t frame_size);

// The other way, as the page does it: for tests.
std::vector<std::uint16_t> decode_track(std::span<const std::uint8_t> bytes,
                                        std::size_t frame_size);

}  // namespace tact
