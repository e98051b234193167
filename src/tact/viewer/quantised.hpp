// Positions in 16 bits: right for looking, never for results.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <tact/geometry/aabb.hpp>

namespace tact {

// Coordinate k of a point is low[k] + step[k] n with n in 0..65535, all in single precision as the
// page has it. A point in the box is off by at most 0.51 steps in each direction, where the box is
// larger than 1e-2 of its distance from the origin: 0.008 mm in a box of 1 m.
struct QuantisedBox {
  std::array<float, 3> low{};   // m
  std::array<float, 3> step{};  // m
};

// An empty box is one at the origin. With fewer bits steps are larger, and n smaller.
QuantisedBox quantised_box(const Aabb& box, int bits = 16);

// Appends three numbers a point; points outside of the box are put on its side.
void quantise(std::span<const Vector3d> points, const QuantisedBox& box,
              std::vector<std::uint16_t>& numbers);

Vector3d restore(const std::uint16_t* number, const QuantisedBox& box);

}  // namespace tact
