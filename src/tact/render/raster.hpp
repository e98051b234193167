// Which samples a triangle covers, decided in integers.
//
// Corners are rounded to 1/256 of the distance between samples. A sample belongs to a triangle when
// the edge functions
//   E(p) = (b - a) x (p - a),   a -> b each edge in turn, positive inside,
// are all positive, or zero on a top or left edge: of two triangles that share an edge one and only
// one gets a sample on it. Nothing is rounded after the corners, so there are no holes and no
// samples drawn twice, and neither tiles nor threads change an answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <tact/core/types.hpp>

namespace tact {

inline constexpr int subsample_bits = 8;
inline constexpr int tile_size = 64;  // samples along a side

// Corners lie within this many samples of the middle of the picture: differences of corners then
// need 23 + 1 bits, and an edge function over a tile fits an int.
inline constexpr int guard_band = 1 << 14;

// A corner on the grid of samples: x to the right, y down, sample i at i + 1/2. Of the triangles
// over a sample the one with the largest key is seen; keys are linear over a triangle.
struct ScreenCorner {
  double x, y;
  double key;
};

struct ScreenTriangle {
  std::array<int, 3> x, y;     // in 1/256 samples, of positive area
  double key, key_dx, key_dy;  // at the first corner, and per sample
  std::uint32_t id;
};

struct OrientedTriangle {
  ScreenTriangle triangle;
  bool flipped;  // the corners came in the other order
};

// Empty when the rounded corners are in line.
std::optional<OrientedTriangle> make_screen_triangle(const std::array<ScreenCorner, 3>& corners,
                                                     std::uint32_t id);

// The samples of one tile.
struct alignas(64) TileBuffer {
  std::array<float, tile_size * tile_size> key;
  std::array<std::uint32_t, tile_size * tile_size> id;

  void clear(float new_key, std::uint32_t new_id)
  {
    key.fill(new_key);
    id.fill(new_id);
  }
};

// Draws the part of a triangle that lies in the tile whose first sample is (left, top). Where keys
// are equal, what was drawn first stays.
void draw(const ScreenTriangle& triangle, int left, int top, TileBuffer& tile);

}  // namespace tact
