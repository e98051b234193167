// Crossings: which features meet while all vertices move along straight lines. Exact: what is found
// does meet, and nothing that meets is missed (ccd.hpp).
#pragma once

#include <span>
#include <vector>

#include <tact/collision/feature_pairs.hpp>

namespace tact {

struct Crossing {
  CcdKind kind = CcdKind::vertex_face;
  int a = 0;  // the vertex or the first edge
  int b = 0;  // the triangle or the second edge
  VertexQuad vertices{};
  double time = 0.0;  // of the first contact, in [0, 1]: never late, at most 1e-9 early

  bool operator==(const Crossing&) const = default;
};

struct Crossings {
  std::vector<Crossing> pairs;  // vertex-face first, each kind in the order of the pairs
  double first_time = 1.0;      // the earliest of them; 1 if there are none

  bool empty() const { return pairs.empty(); }
};

// All crossings among some pairs, which must hold all whose boxes overlap (BroadPhase::find_pairs
// with any tolerance gives such).
Crossings find_crossings(const SurfaceSet& surfaces, std::span<const MovingVertex> vertices,
                         const FeaturePairs& pairs);

// In one call, for a single look at some surfaces.
Crossings find_crossings(const SurfaceSet& surfaces, std::span<const Vector3d> start,
                         std::span<const Vector3d> end);

}  // namespace tact
