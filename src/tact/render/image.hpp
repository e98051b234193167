// A finished picture.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace tact {

struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // sRGB, three bytes a pixel, rows from the top

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgb(std::size_t{3} * w * h) {}

  std::uint8_t* pixel(int x, int y) { return rgb.data() + 3 * (std::size_t(width) * y + x); }
  std::array<std::uint8_t, 3> at(int x, int y) const
  {
    const std::uint8_t* p = rgb.data() + 3 * (std::size_t(width) * y + x);
    return {p[0], p[1], p[2]};
  }

  bool operator==(const Image&) const = default;
};

}  // namespace tact
