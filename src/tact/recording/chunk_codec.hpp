// The bytes of a chunk as HDF5's shuffle and deflate filters would leave them, made faster. Inside
// this layer only.
//
// Shuffling puts the first bytes of all entries together, then the second ones, and so on: planes.
// Of doubles that were computed only the planes of sign and exponent can be made smaller; the
// others are noise, on which deflate spends nearly all of its time for nothing. Here each plane is
// looked at first, and noise goes into the stream as stored blocks. Any reader of zlib streams
// reads it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tact {

// Keeps its memory from chunk to chunk.
class ChunkCodec {
 public:
  // `bytes` are entries of `entry_size` each. What is returned holds until the next call.
  std::span<const std::byte> encode(std::span<const std::byte> bytes, std::size_t entry_size);

 private:
  std::vector<std::byte> planes_, stream_;
};

}  // namespace tact
