// Limits of two surfaces that keep their shape and turn about each other.
//
// On straight lines what turns by an angle a at a radius r cuts inwards by r a^2 / 8: a ring that
// turns on a pin with 1 % of clearance by 0.4 rad would run through it. Seen from one of the two
// the other moves along a screw, and nothing touches on the way from start to end if nothing does
// on that way; both ways end at the same places.
//
// In pieces: on one of angle a' each vertex stays within r a'^2 / 8 of its straight line, and so
// does every point of a feature. What keeps `distance` more than that on the lines keeps `distance`
// on the arcs. Pairs of which that is not true are looked at again in both halves of the piece,
// until lines and arcs are the same to a share of the distance.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <tact/collision/broad_phase.hpp>
#include <tact/collision/limits.hpp>
#include <tact/geometry/screw.hpp>

namespace tact {

// How two surfaces move as seen from one of them, `other`, where that is at the start.
struct SurfaceTurn {
  int moving = 0, other = 0;
  IndexRange vertices;  // of the one that moves
  Screw way;
  Vector3d other_turn = Vector3d::Zero();  // rad: axis times angle of the other's own turn
  double rounding = 0.0;                   // m: by which the two do not keep their shape
};

class TurningLimits {
 public:
  explicit TurningLimits(const SurfaceSet& surfaces) : surfaces_(&surfaces) {}

  // The turn of two surfaces that keep their shape, from x0 to x1. None where straight lines say
  // the same to a share of `distance` (m), or where the two pass rather than turn about each other:
  // the axis does not meet the smaller one.
  std::optional<SurfaceTurn> turn(const std::array<int, 2>& surfaces, std::span<const Vector3d> x0,
                                  std::span<const Vector3d> x1, double distance) const;

  // All pairs that are not proved to keep `distance` on the way, each with the time, along the way,
  // up to which it does. Times are those of the arcs, and normals as `other` sees them.
  std::vector<Limit> find(const SurfaceTurn& turn, std::span<const Vector3d> x0, double distance);

 private:
  struct Two {  // surfaces on their own, the one that moves first
    SurfaceSet set;
    std::unique_ptr<BroadPhase> broad_phase;
  };
  Two& two(const SurfaceTurn& turn);

  const SurfaceSet* surfaces_;
  std::map<std::array<int, 2>, Two> known_;
};

}  // namespace tact
