// The surfaces of a world as collision detection sees them: numbered vertices, no bodies.
#pragma once

#include <array>
#include <span>
#include <vector>

#include <tact/collision/surface_set.hpp>
#include <tact/sim/world.hpp>

namespace tact {

// Lists of numbers of different lengths, one after the other.
class NumberLists {
 public:
  NumberLists() = default;
  // Pairs (list, number); numbers keep their order.
  NumberLists(int lists, std::span<const std::array<int, 2>> pairs);

  std::span<const int> operator[](int list) const
  {
    return std::span(numbers_).subspan(first_[list], first_[list + 1] - first_[list]);
  }

 private:
  std::vector<int> first_ = {0}, numbers_;
};

struct WorldSurfaces {
  SurfaceSet set;            // surface i is that of body i
  std::vector<int> body_of;  // for each vertex
  NumberLists triangles_at;  // for each vertex
  // One a body: whether its surface is closed, so that it has an inside; cloth never has.
  std::vector<char> solid;
  std::vector<char> deforms;   // one a body
  std::vector<double> extent;  // m, one a body: from end to end at the start
};

WorldSurfaces surfaces_of(const World& world);

}  // namespace tact
