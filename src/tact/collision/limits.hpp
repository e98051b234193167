// Limits: which features come too near each other during a motion. What a time stepper asks of
// every step before it commits it.
//
// Each pair keeps min(separation, half its distance at the start), so that a pair that starts near
// may slide and part, and no pair that starts apart ever touches (separation.hpp). No tolerance
// enters: a motion without limits is proved free of contact.
#pragma once

#include <span>
#include <vector>

#include <tact/collision/proximity.hpp>
#include <tact/collision/separation.hpp>

namespace tact {

struct Limit {
  CcdKind kind = CcdKind::vertex_face;
  int a = 0;  // the vertex or the first edge
  int b = 0;  // the triangle or the second edge
  VertexQuad vertices{};
  SafeTime safe;        // how long the motion is safe
  bool on_arc = false;  // the time is along the arc of two surfaces (turning_limits.hpp)
};

// All limits among some pairs, which must hold all that come within `separation` (m): vertex-face
// first, each kind in the order of the pairs.
std::vector<Limit> find_limits(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                               const FeaturePairs& pairs, double separation);

// Those of the pairs that may come nearer than `distance` on the way, in the same order; the others
// are proved not to. Some 10 ns a pair.
FeaturePairs pairs_within(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                          const FeaturePairs& pairs, double distance);

// The contact of the pair at the time of its limit. Its distance is the one at that time.
Contact contact_at_limit(std::span<const MovingVertex> vertices, const Limit& limit);

}  // namespace tact
