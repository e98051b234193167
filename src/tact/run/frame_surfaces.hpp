// Do the surfaces of a frame reach into each other, and how deep? By the exact test of triangles,
// on what is recorded alone: what `tact verify` and the report of a run say of penetration.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tact/geometry/surface_intersection.hpp>
#include <tact/geometry/triangle_intersection.hpp>
#include <tact/recording/recording.hpp>

namespace tact {

struct FramePenetration {
  // Of triangles that intersect, but of two obstacles or of what a joint joins.
  std::int64_t pairs = 0;
  double depth = 0.0;                           // m: of the deepest of them, see reach_through()
  std::vector<IntersectingPair> first;          // none or one; surfaces are bodies
  std::vector<TriangleOfSurface> without_area;  // of what is no obstacle: cannot be judged
};

// All bodies of the frame.
[[nodiscard]] FramePenetration penetration(const RecordingHeader& header, const Frame& frame);

// These bodies, each with itself alone.
[[nodiscard]] FramePenetration self_penetration(const RecordingHeader& header, const Frame& frame,
                                                std::span<const int> bodies);

}  // namespace tact
