// Boxes of all vertices of a set of surfaces, of which all other boxes are made.
//
// They are larger by half the tolerance and by the slack. Where each vertex of a surface moves by
// no more than that much, the surface counts as standing still: the boxes of its vertices hold all
// that these pass, which makes them a little larger, and are the same at the start and at the end,
// which halves the work.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tact/collision/moving_box.hpp>
#include <tact/collision/surface_set.hpp>

namespace tact {

class VertexBoxes {
 public:
  explicit VertexBoxes(const SurfaceSet& surfaces);

  // Sets those of one surface. `slack` has one for each vertex of the set, or is empty. False: all
  // were as they are.
  bool set(const SurfaceSet& surfaces, int surface, std::span<const MovingVertex> vertices,
           double tolerance, std::span<const double> slack);

  bool still(int surface) const { return still_[surface] != 0; }
  std::span<const Box> starts() const { return starts_; }
  std::span<const Box> ends() const { return ends_; }  // of what does not stand still

 private:
  std::vector<Box> starts_, ends_;
  std::vector<std::uint8_t> still_;
};

}  // namespace tact
